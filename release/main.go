// Command release builds the files of a release of absolink: binaries, archives, packages, a container image, wheels,
// SBOMs and checksums. See README.md.
//
//	main.go        the flags, and the order of the steps
//	version.go     the version, as each kind of package spells it
//	source.go      the revision and the date of the source
//	pages.go       the documentation
//	compile.go     the binary, the documents that it prints, and the page try.html
//	license.go     THIRD_PARTY.md: the modules in the binary, and their licenses
//	vulncheck.go   known vulnerabilities in the modules
//	archive.go linux.go image.go wheel.go sbom.go
//	               one kind of file each
package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"log"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// maintainer is the contact in packages. Before a package is published it must be an address that someone reads.
const maintainer = "the absolink authors <authors@absolink.invalid>"

const (
	summary     = "Find base URLs and make links absolute"
	description = `absolink finds the base URL of each document by the rules of RFC 1808 section
3: web pages, mail, web archives and more. Then it lists the links of the
document as absolute URLs, or makes them absolute in the document and changes
no other byte.`
)

// A release is what all files of one release share.
type release struct {
	source   string // the root of the repository
	out      string // the folder of the files
	version  version
	revision string    // the commit, or "" if the source is not a git repository
	time     time.Time // the modification time of all files in archives and packages
	modules  []module  // in the binary, with their licenses
	pages    []file    // see readPages
	printed  []file    // the manual and the completion scripts
	try      []byte    // try.html
	sums     []string  // the lines of SHA256SUMS
}

// A file is a file in an archive or a package. Its name has slashes.
type file struct {
	name string
	data []byte
	exec bool
}

// mode returns the permissions, whatever the umask is.
func (f file) mode() fs.FileMode {
	if f.exec {
		return 0o755
	}
	return 0o644
}

func main() {
	log.SetFlags(0)
	log.SetPrefix("release: ")
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return
		}
		log.Fatal(err)
	}
}

func run(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("release/build", flag.ContinueOnError)
	flags.Usage = func() {
		fmt.Fprint(flags.Output(), "usage: release/build [flags] [VERSION]\n\n"+
			"VERSION is v1.2.3 or v1.2.3-rc.1. Without VERSION, the files are a snapshot of the current commit.\n\n")
		flags.PrintDefaults()
	}
	source := flags.String("source", "..", "build the repository in `FOLDER`")
	out := flags.String("o", "", "write the files to `FOLDER`, which must be empty (default release/dist)")
	only := flags.String("platforms", strings.Join(platformNames(), ","),
		"build for these platforms, as in a `LIST` linux/amd64,windows/arm64")
	writeNotice := flags.Bool("third-party", false, "update THIRD_PARTY.md, and build nothing")
	database := flags.String("vulndb", "", "read the known vulnerabilities from `URL`, such as file:///srv/vulndb "+
		"(default the database of the Go project)")
	skipVulncheck := flags.Bool("skip-vulncheck", false,
		"do not look for known vulnerabilities; the check needs the network")
	if err := flags.Parse(args); err != nil {
		return err
	}
	platforms, err := parsePlatforms(*only)
	if err != nil {
		return err
	}
	r := &release{source: *source, out: *out}
	if r.out == "" {
		r.out = filepath.Join(r.source, "release", "dist")
	}
	if r.modules, err = linkedModules(ctx, r.source, allPlatforms); err != nil {
		return err
	}
	if *writeNotice {
		return writeThirdParty(r.source, r.modules)
	}
	if err := checkThirdParty(r.source, r.modules); err != nil {
		return err
	}
	if err := r.describe(ctx, flags.Args()); err != nil {
		return err
	}
	if *skipVulncheck {
		log.Print("known vulnerabilities: not checked (-skip-vulncheck)")
	} else if err := vulncheck(ctx, r.source, *database, platforms); err != nil {
		return err
	}
	return r.build(ctx, platforms)
}

// describe sets the version, the revision and the date of the release.
func (r *release) describe(ctx context.Context, args []string) error {
	if len(args) > 1 {
		return fmt.Errorf("%d arguments; give one VERSION, and flags before it", len(args))
	}
	src, err := readSource(ctx, r.source)
	if err != nil {
		return err
	}
	r.revision = src.revision
	if r.time, err = src.date(); err != nil {
		return err
	}
	if len(args) == 0 {
		r.version, err = src.snapshot()
		return err
	}
	if r.version, err = parseVersion(args[0]); err != nil {
		return err
	}
	return src.checkRelease(ctx, r.version)
}

func (r *release) build(ctx context.Context, platforms []platform) error {
	if err := makeEmpty(r.out); err != nil {
		return err
	}
	tmp, err := os.MkdirTemp("", "absolink-release-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)

	if r.pages, err = readPages(r.source); err != nil {
		return err
	}
	if r.printed, err = r.print(ctx, tmp); err != nil {
		return err
	}
	if r.try, err = r.tryPage(ctx, tmp); err != nil {
		return err
	}
	binaries := make(map[platform][]byte)
	for _, p := range platforms {
		log.Printf("%s %s", r.version, p)
		if binaries[p], err = r.compile(ctx, tmp, p); err != nil {
			return err
		}
	}
	return r.writeAll(platforms, binaries)
}

// writeAll writes the files that contain the binaries, and the checksums.
func (r *release) writeAll(platforms []platform, binaries map[platform][]byte) error {
	for _, p := range platforms {
		writers := []func(platform, []byte) error{r.writeArchive, r.writeWheel, r.writeSBOM}
		if p.os == "linux" {
			writers = append(writers, r.writeDeb, r.writeRPM)
		}
		for _, write := range writers {
			if err := write(p, binaries[p]); err != nil {
				return fmt.Errorf("%s: %w", p, err)
			}
		}
	}
	if err := r.writeImage(platforms, binaries); err != nil {
		return fmt.Errorf("container image: %w", err)
	}
	if err := r.write("try.html", r.try); err != nil {
		return err
	}
	slices.SortFunc(r.sums, func(a, b string) int { return strings.Compare(sumName(a), sumName(b)) })
	return os.WriteFile(filepath.Join(r.out, "SHA256SUMS"), []byte(strings.Join(r.sums, "")), 0o666)
}

// write writes one file of the release and notes its checksum.
func (r *release) write(name string, data []byte) error {
	r.sums = append(r.sums, fmt.Sprintf("%x  %s\n", sha256.Sum256(data), name))
	return os.WriteFile(filepath.Join(r.out, name), data, 0o666)
}

func sumName(line string) string {
	_, name, _ := strings.Cut(line, "  ")
	return name
}

// makeEmpty makes a folder. One with files in it is an error.
func makeEmpty(folder string) error {
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	entries, err := os.ReadDir(folder)
	if err == nil && len(entries) > 0 {
		err = fmt.Errorf("%s is not empty; delete it, or choose another folder with -o", folder)
	}
	return err
}
