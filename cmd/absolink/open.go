package main

import (
	"cmp"
	"errors"
	"io/fs"
	"os"

	"absolink/cmd/absolink/internal/files"
	"absolink/extract"
)

// opener opens documents.
type opener struct {
	retrieval *retrieval
	kind      string // the media type of every document; "" if the name or the bytes tell it
	only      types  // the media types to read; none for all
	evidence  evidence
	stdin     *reader
	meter     *meter
	output    fs.FileInfo // of the file that standard output goes to; nil if that is no plain file

	stray func(document string) // is called for a document that --mirror gives no URL
}

// evidence is for which documents the attributes of their files are read.
type evidence uint8

const (
	evidenceIfNeeded evidence = iota // those whose URL is not known
	evidenceAlways
	evidenceNever
)

// open opens a document. The reader is not nil if there is something to be closed, even if there is an
// error.
func (o *opener) open(src source) (*reader, extract.Document, error) {
	d := o.describe(src)
	from := o.stdin
	if src.name == files.Std {
		if isOutput(o.stdin.file, nil, o.output) {
			return nil, d, errOwnOutput
		}
	} else {
		file, err := src.file, error(nil)
		if file == nil {
			file, err = files.OpenFile(src.name, os.O_RDONLY, 0)
		}
		if err != nil {
			return nil, d, err
		}
		if isOutput(file, src.info, o.output) {
			file.Close()
			return nil, d, errOwnOutput
		}
		from = &reader{file: file, info: src.info, meter: o.meter}
		if o.evidence == evidenceAlways || o.evidence == evidenceIfNeeded && d.URL == "" {
			d.Evidence = fileEvidence(src.name)
		}
	}
	d.Reader = from
	if len(o.only) > 0 {
		head, err := from.peek()
		if err != nil {
			return from, d, err
		}
		if f, _ := extract.DetectUnpacked(d.Type, d.Name, head); !o.only.has(f) {
			return from, d, errOtherType
		}
	}
	return from, d, nil
}

// describe returns what is known of a document before it is opened.
func (o *opener) describe(src source) extract.Document {
	d := extract.Document{Name: src.name, Type: cmp.Or(o.kind, src.kind)}
	d.URL, d.URLBy = o.retrieval.of(src)
	if extract.HoldsFiles(d.Type, src.name) {
		d.MemberURL = o.retrieval.member(src)
	}
	switch {
	case d.MemberURL != nil:
		d.URL, d.URLBy = "", ""
	case d.URL == "" && o.retrieval.mirror && src.rel != "":
		o.stray(src.name)
	}
	return d
}

// isOutput reports whether a file is the one that standard output goes to. The infos may be nil: the first
// one if it is not known yet, the second one if standard output is no plain file.
func isOutput(file *os.File, info, output fs.FileInfo) bool {
	if output == nil {
		return false
	}
	if info == nil {
		var err error
		if info, err = file.Stat(); err != nil {
			return false
		}
	}
	return os.SameFile(info, output)
}

// errOtherType is the error of a document whose type is none of those that --only names.
var errOtherType = errors.New("of another type than --only names")

// errOwnOutput is the error of a document that the run itself writes.
var errOwnOutput = errors.New("the output goes there; write it elsewhere")
