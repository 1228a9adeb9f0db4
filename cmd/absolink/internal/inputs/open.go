package inputs

import (
	"cmp"
	"errors"
	"io/fs"
	"os"

	"absolink/cmd/absolink/internal/files"
	"absolink/extract"
)

// Opener opens documents.
type Opener struct {
	Retrieval *Retrieval
	Kind      string // the media type of every document; "" if the name or the bytes tell it
	Only      Types  // the media types to read; none for all
	Evidence  Evidence
	Stdin     *Reader
	Meter     *Meter
	Output    fs.FileInfo // of the file that standard output goes to; nil if that is no plain file

	Stray func(document string) // is called for a document that --mirror gives no URL
}

// Evidence is for which documents the attributes of their files are read.
type Evidence uint8

const (
	EvidenceIfNeeded Evidence = iota // those whose URL is not known
	EvidenceAlways
	EvidenceNever
)

// Open opens a document. The reader is not nil if there is something to be closed, even if there is an
// error.
func (o *Opener) Open(src Source) (*Reader, extract.Document, error) {
	d := o.describe(src)
	from := o.Stdin
	if src.Name == files.Std {
		if IsOutput(o.Stdin.file, nil, o.Output) {
			return nil, d, ErrOwnOutput
		}
	} else {
		file, err := src.file, error(nil)
		if file == nil {
			file, err = files.OpenFile(src.Name, os.O_RDONLY, 0)
		}
		if err != nil {
			return nil, d, err
		}
		if IsOutput(file, src.info, o.Output) {
			file.Close()
			return nil, d, ErrOwnOutput
		}
		from = &Reader{file: file, info: src.info, meter: o.Meter}
		if o.Evidence == EvidenceAlways || o.Evidence == EvidenceIfNeeded && d.URL == "" {
			d.Evidence = fileEvidence(src.Name)
		}
	}
	d.Reader = from
	if len(o.Only) > 0 {
		head, err := from.Peek()
		if err != nil {
			return from, d, err
		}
		if f, _ := extract.DetectUnpacked(d.Type, d.Name, head); !o.Only.has(f) {
			return from, d, ErrOtherType
		}
	}
	return from, d, nil
}

// describe returns what is known of a document before it is opened.
func (o *Opener) describe(src Source) extract.Document {
	d := extract.Document{Name: src.Name, Type: cmp.Or(o.Kind, src.Kind)}
	d.URL, d.URLBy = o.Retrieval.of(src)
	if extract.HoldsFiles(d.Type, src.Name) {
		d.MemberURL = o.Retrieval.member(src)
	}
	switch {
	case d.MemberURL != nil:
		d.URL, d.URLBy = "", ""
	case d.URL == "" && o.Retrieval.mirror && src.Rel != "":
		o.Stray(src.Name)
	}
	return d
}

// IsOutput reports whether a file is the one that standard output goes to. The infos may be nil: the first
// one if it is not known yet, the second one if standard output is no plain file.
func IsOutput(file *os.File, info, output fs.FileInfo) bool {
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

// ErrOtherType is the error of a document whose type is none of those that --only names.
var ErrOtherType = errors.New("of another type than --only names")

// ErrOwnOutput is the error of a document that the run itself writes.
var ErrOwnOutput = errors.New("the output goes there; write it elsewhere")
