package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/spf13/cobra"

	"absolink/cmd/absolink/internal/batch"
	"absolink/cmd/absolink/internal/console"
	"absolink/cmd/absolink/internal/files"
	"absolink/cmd/absolink/internal/inputs"
	"absolink/cmd/absolink/internal/rows"
	"absolink/resolve"
)

func (s *session) resolve(cmd *cobra.Command, o *options, args []string) error {
	s.talk(o)
	if err := o.checkFlags(cmd); err != nil {
		return err
	}
	if !cmd.Flags().Changed("base") {
		return fmt.Errorf("no base URL; use -b URL, or -b '' for none")
	}
	base, err := o.standard.Base(o.base)
	if err != nil {
		return fmt.Errorf("--base %q: %w; use an absolute URL", o.base, err)
	}
	if why := base.Unsuitable(); why != "" && o.standard != resolve.WHATWG {
		s.log.Warn(fmt.Sprintf("--base %q: %s", o.base, why))
	}
	if _, terminal := console.TerminalWidth(s.stdin); terminal && len(args) == 0 {
		return s.help(cmd)
	}
	of := &run{session: s, options: o, in: inputs.Select(inputs.Config{}), batch: &batch.Run{}}
	out, err := of.output()
	if err != nil {
		return err
	}
	r := &resolver{session: s, base: base, out: out, all: o.verbose}
	switch {
	case len(args) > 0:
		err = r.arguments(args)
	case inputs.IsOutput(s.stdin, s.printed):
		err = fmt.Errorf("standard input: %w", inputs.OwnOutput(s.printed))
	default:
		err = r.lines(s.stdin)
	}
	r.rest()
	return out.End(err)
}

// resolver resolves references against one base.
type resolver struct {
	*session
	base *resolve.Base
	out  *files.Output
	all  bool // -v
	n    int  // references so far
	bad  int  // references that could not be resolved

	differ  int64  // references that have another URL in a browser
	example string // the first of these references
}

func (r *resolver) arguments(refs []string) error {
	for _, ref := range refs {
		if err := r.one([]byte(ref)); err != nil {
			return err
		}
	}
	return nil
}

func (r *resolver) lines(in io.Reader) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(make([]byte, 4*files.BufferSize), math.MaxInt)
	for lines.Scan() && lines.Err() == nil { // a line before a read error is not complete
		if err := r.one(lines.Bytes()); err != nil {
			return err
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("standard input: %w", files.WithAdvice(err))
	}
	return nil
}

func (r *resolver) one(ref []byte) error {
	r.n++
	start := len(r.out.Buf)
	url, err := r.base.AppendResolve(r.out.Buf, ref)
	if err != nil {
		r.unresolved(ref, err)
	} else if other, differs := r.base.InBrowser(ref, url[start:]); differs {
		if r.differ++; r.differ == 1 {
			browser := "does not resolve it"
			if other != "" {
				browser = fmt.Sprintf("resolves it to %q", other)
			}
			r.example = fmt.Sprintf("%q resolves to %q; a browser %s (--standard whatwg resolves as browsers do)", ref,
				url[start:], browser)
		}
	}
	if bytes.IndexByte(url[start:], '\n') >= 0 { // an argument may contain a newline
		url = rows.AppendCell(url[:start:start], url[start:])
	}
	r.out.Buf = append(url, '\n')
	return r.out.Spill()
}

func (r *resolver) unresolved(ref []byte, err error) {
	r.bad++
	if r.bad > console.ShownPerCode && !r.all {
		return
	}
	hint := ""
	if errors.Is(err, resolve.ErrNoBase) && r.base.String() == "" {
		hint = "; use -b URL to set one"
	}
	r.log.Warn(fmt.Sprintf("reference %d, %q: %v%s", r.n, ref, err, hint))
}

// rest reports the messages that were not printed, and counts the run as failed if a reference was not resolved.
func (r *resolver) rest() {
	if r.bad > console.ShownPerCode && !r.all {
		r.log.Warn(fmt.Sprintf("%d more references could not be resolved; -v prints all of them",
			r.bad-console.ShownPerCode))
	}
	if r.differ > 0 {
		r.log.Warn(console.Differing(r.differ, "", ": "+r.example))
	}
	r.Done.Add(1)
	if r.bad > 0 {
		r.Failed.Add(1)
	}
}
