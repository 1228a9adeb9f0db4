package inputs

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"absolink/cmd/absolink/internal/codes"
	"absolink/cmd/absolink/internal/files"
	"absolink/extract"
)

type Opener struct {
	Retrieval *Retrieval
	Kind      string // the media type of every document; "" if the name or the bytes determine it
	Only      Types  // the media types to read; empty for all
	Evidence  Evidence
	Stdin     *Reader
	Meter     *Meter
	Output    fs.FileInfo // of standard output; nil if it is not a regular file

	Local *Local // the files of --local; nil without this flag

	Converted *Converted // the files that links may lead to; may be nil

	Opened func(name string, info fs.FileInfo) // is called with the file of each document; may be nil

	// returns an error if documents of the format must not be read; both may be nil
	Refuse func(f *extract.Format) error
}

// Evidence says for which documents the attributes of the files are read.
type Evidence uint8

const (
	EvidenceIfNeeded Evidence = iota // if no flag gives the URL
	EvidenceAlways
	EvidenceNever
)

// Open opens a document. It calls problem if a flag about URLs has no URL for the document. The caller must close the
// reader, if it is not nil, even after an error.
func (o *Opener) Open(src Source, problem func(extract.Problem)) (*Reader, extract.Document, error) {
	d := extract.Document{Name: src.Name, Type: cmp.Or(o.Kind, src.Kind)}
	if src.Kind == NoDocument {
		d.Type = NoDocument
	}
	from, err := o.reader(src)
	if err != nil {
		return nil, d, err
	}
	d.Reader = from
	if o.Opened != nil {
		if info, err := from.Stat(); err == nil {
			o.Opened(from.name, info)
		}
	}
	if err := o.check(&d, src, from, problem); err != nil {
		return from, d, err
	}
	if o.Converted != nil {
		o.Converted.set(&d, src, from)
	}
	if detail := o.looksLikePage(from); detail != "" {
		problem(extract.Problem{Document: d.Name, Code: extract.CodeContentMismatch, Severity: extract.SeverityWarning,
			Detail: detail})
	}
	if !src.Stdin && d.URLBy == "--url" {
		d.Beside = func(folder string) bool { return files.IsFolder(files.Join(filepath.Dir(src.Name), folder)) }
	}
	if !src.Stdin && (o.Evidence == EvidenceAlways || o.Evidence == EvidenceIfNeeded && d.URL == "") {
		d.Evidence = append(d.Evidence, fileEvidence(src.Name, !src.noZone)...)
	}
	return from, d, nil
}

// OpenBytes is Open for a document in memory.
func (o *Opener) OpenBytes(name string, content []byte, problem func(extract.Problem)) (extract.Document, error) {
	d := extract.Document{Name: name, Type: o.Kind, Bytes: content}
	err := o.check(&d, Source{Name: name}, &Reader{head: content, ended: true}, problem)
	return d, err
}

// check returns an error if a document must not be read, and sets its retrieval URL.
func (o *Opener) check(d *extract.Document, src Source, start *Reader, problem func(extract.Problem)) error {
	if len(o.Only) == 0 && !o.Retrieval.isSet() && o.Refuse == nil && o.Local == nil {
		return nil
	}
	f, err := o.format(start, *d)
	if err == nil && len(o.Only) > 0 && (f == nil || !o.Only.Has(f.Name) && !f.Embeds(o.Only.Has)) {
		err = ErrOtherType
	}
	if err == nil && o.Refuse != nil {
		err = o.Refuse(f)
	}
	if err == nil && o.Local != nil {
		d.Local, err = o.Local.of(src, f, d.Type)
	}
	if err == nil && src.Kind != NoDocument {
		err = o.locate(d, src, f, problem)
	}
	return err
}

// looksLikePage returns a warning if --type gives a page a type in which its links are not seen, or "".
func (o *Opener) looksLikePage(from *Reader) string {
	given := extract.FormatOf(o.Kind)
	if given == nil || strings.Contains(given.Name, "html") || strings.Contains(given.Name, "xml") ||
		given.Name == "text/plain" || given.Name == "text/markdown" {
		return "" // HTML, XML, and what may begin with a tag
	}
	head, _ := from.Peek(HeadLen) // reading reports the error
	f := extract.Detect("", "", head)
	if f == nil || f.Name != "text/html" || strings.HasPrefix(strings.TrimSpace(string(head)), "<!--") {
		return ""
	}
	return "the content looks like HTML, but --type says " + o.Kind + "; leave --type out"
}

func (o *Opener) reader(src Source) (*Reader, error) {
	if src.Stdin {
		if IsOutput(o.Stdin.file, o.Output) {
			return nil, OwnOutput(o.Output)
		}
		return o.Stdin, nil
	}
	r := &Reader{name: src.Name, flag: os.O_RDONLY, info: src.info, meter: o.Meter}
	stat := os.Stat
	if src.plain {
		r.flag |= files.NoFollow
		stat = os.Lstat
	}
	if r.info == nil {
		r.info, _ = stat(src.Name) // opening reports the error
	}
	if r.info == nil || !r.info.Mode().IsRegular() {
		if err := r.open(); err != nil {
			return nil, err
		}
	}
	if o.Output != nil && r.info != nil && os.SameFile(r.info, o.Output) {
		r.Close()
		if src.Found { // it may be a new file
			return nil, ErrOwnOutput
		}
		return nil, OwnOutput(o.Output)
	}
	return r, nil
}

// format returns the format of a document, or nil if it is unknown. It reads the first bytes only if the name is not
// enough. With --only and --relative it never is, because it can hide that the document is a response or an mbox.
func (o *Opener) format(from *Reader, d extract.Document) (*extract.Format, error) {
	if f := extract.Detect("", d.Name, nil); d.Type == "" && f != nil && !f.Archive && len(o.Only) == 0 &&
		o.Refuse == nil {
		return f, nil
	}
	head, err := from.Peek(HeadLen)
	if err != nil {
		return nil, err
	}
	f, packed := extract.DetectUnpacked(d.Type, d.Name, head)
	if f == nil && packed {
		if head, err = from.Peek(BlockLen); err != nil {
			return nil, err
		}
		f, _ = extract.DetectUnpacked(d.Type, d.Name, head)
	}
	return f, nil
}

// locate sets the retrieval URL of a document, or for an archive the URLs of the files in it. f is its format, or nil.
// An archive has no URL of its own, so --url is refused and a line of --url-map is ignored. Only an EPUB takes --url,
// for its root folder.
func (o *Opener) locate(d *extract.Document, src Source, f *extract.Format, problem func(extract.Problem)) error {
	warn := func(code extract.Code, detail string) {
		problem(extract.Problem{Document: src.Name, Code: code, Severity: codes.Severity(code), Detail: detail})
	}
	if o.Retrieval.first == "" {
		o.Retrieval.first = src.Name
	}
	url, by := o.Retrieval.given(src)
	switch {
	case f == nil || !f.Archive:
		if url == "" {
			url, by = o.Retrieval.at(treeOf(src), o.Retrieval.tree(src), src.Rel)
		}
		if url == "" && o.Retrieval.mirror != "" && src.Rel != "" && o.Retrieval.isFirst(src.Name) {
			warn(codes.URLUnknown, unknownURL)
		}
		if url != "" && by == mirrorFlag && o.Evidence != EvidenceNever && f != nil &&
			(f.Name == "text/html" || f.Name == "application/xhtml+xml" || f.Name == "message/rfc822") {
			d.Evidence = []extract.Evidence{{By: by, URL: url}} // the URL that a page records takes precedence
		} else {
			d.URL, d.URLBy = url, by
		}
		return nil
	case url == "":
	case by == "--url" && f.Name == "application/epub+zip":
		root := strings.TrimSuffix(url, "/") + "/"
		d.MemberURL = func(name string) (string, string) {
			return siteURL(root, path.Clean(strings.TrimLeft(name, "/"))), by
		}
		return nil
	case by == "--url" && f.HasURLs:
		return fmt.Errorf("--url cannot be used: %s has the URL of each document in it; leave --url out, or use "+
			"--override-base to replace all bases", f.Name)
	case by == "--url":
		how := "--site"
		if src.Stdin && src.Rel == "" {
			how = "--site and --name"
		}
		return fmt.Errorf("--url cannot be used: %s is an archive of files; use %s to set the URL of its root folder",
			f.Name, how)
	case f.HasURLs:
		warn(codes.URLIgnored, "the URL in --url-map is ignored: "+f.Name+
			" has the URL of each document in it; use --override-base to replace all bases")
	default:
		warn(codes.URLIgnored, "the URL in --url-map is ignored: "+f.Name+
			" is an archive of files; list its files as ARCHIVE/NAME, or use --site to set the URL of its root folder")
	}
	d.MemberURL = o.Retrieval.member(src)
	if o.Retrieval.mirror != "" {
		d.Evidence = []extract.Evidence{{By: mirrorFlag}}
	}
	return nil
}

// IsOutput reports whether a file is that of standard output. output is nil if standard output is not a regular file.
func IsOutput(file *os.File, output fs.FileInfo) bool {
	info, _ := file.Stat()
	return os.SameFile(info, output)
}

// ErrOtherType is the error for a document that --only does not select, and that cannot contain a selected one.
var ErrOtherType = errors.New("its type is not one of --only")

// OwnOutput returns the error for an input that is standard output, as the file was when the run began.
func OwnOutput(output fs.FileInfo) error {
	if output.Size() > 0 {
		return ErrOwnOutput
	}
	return files.Advise(ErrOwnOutput, "this run writes its output to this file, and > has emptied it; restore the "+
		"file from a copy, and choose another output file")
}

var ErrOwnOutput = errors.New("this run writes its output to this file; choose another output file")
