package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log"

	"golang.org/x/vuln/scan"
)

// vulnerable is the exit status of govulncheck if the code calls a function with a known vulnerability.
const vulnerable = 3

// vulncheck returns an error if the command calls a function with a known vulnerability, or if this is unknown because
// the database cannot be read. database is a URL, or "" for that of the Go project.
func vulncheck(ctx context.Context, source, database string, platforms []platform) error {
	done := make(map[string]bool)
	for _, p := range platforms {
		if done[p.os] {
			continue // the architecture changes few functions
		}
		done[p.os] = true
		args := []string{"-C", source, "./cmd/absolink"}
		if database != "" {
			args = append([]string{"-db", database}, args...)
		}
		var out bytes.Buffer
		cmd := scan.Command(ctx, args...)
		cmd.Env, cmd.Stdout, cmd.Stderr = platformEnv(p), &out, &out
		err := cmd.Start()
		if err == nil {
			err = cmd.Wait()
		}
		var status interface{ ExitCode() int }
		switch {
		case err == nil:
			log.Printf("%s: no known vulnerabilities", p.os)
		case errors.As(err, &status) && status.ExitCode() == vulnerable:
			return fmt.Errorf("%s: known vulnerabilities; update the modules or Go:\n%s", p.os, out.Bytes())
		default:
			return fmt.Errorf("known vulnerabilities: the check did not finish; check that the network is there and "+
				"the source compiles, "+
				"name a copy of the database with -vulndb, or build without the check with -skip-vulncheck:\n%w\n%s",
				err, out.Bytes())
		}
	}
	return nil
}
