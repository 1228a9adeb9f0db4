package service

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"mime"
	"strings"
	"unicode/utf8"

	"absolink/cmd/absolink/internal/inputs"
	"absolink/cmd/absolink/internal/mapping"
	"absolink/extract"
	"absolink/resolve"
)

// request is the head of a request, and its body: the document, unless Path names it.
type request struct {
	ID       uint64          `json:"id"` // only for the client: two requests may have the same
	Do       string          `json:"do"`
	Settings json.RawMessage `json:"settings"`

	Name string `json:"name"`
	Path string `json:"path"`
	URL  string `json:"url"`
	Site string `json:"site"`
	Type string `json:"type"`
	Text bool   `json:"text"` // the document is text in UTF-8, even if it declares another charset

	Described bool `json:"described"` // links: with rel, text and title
	Writable  bool `json:"writable"`  // links: those that a rewriting can write

	URLs map[string]map[string]string `json:"urls"` // rewrite: the new URLs, by entity and offset

	Base string `json:"base"`
	Ref  string `json:"ref"`

	body []byte
	err  error // why the request cannot be answered
}

// parse parses the head. It returns an error, which ends the service, if the head is not the JSON object of a request.
// Any other error goes into err, for the answer.
func (r *request) parse(head []byte) error {
	if !utf8.Valid(head) {
		return fmt.Errorf("the head of a frame is not UTF-8")
	}
	d := json.NewDecoder(bytes.NewReader(head))
	d.DisallowUnknownFields()
	err := d.Decode(r)
	if err == nil && d.More() {
		return fmt.Errorf("the head of a frame is longer than one JSON object")
	}
	if err == nil {
		return nil
	}
	var id struct {
		ID uint64 `json:"id"`
	}
	if invalid := json.Unmarshal(head, &id); invalid != nil {
		return fmt.Errorf("the head of a frame is not the JSON object of a request: %w", invalid)
	}
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		err = fmt.Errorf("the member %q is a %s, and must be another type", wrong.Field, wrong.Value)
	} else if name, ok := strings.CutPrefix(err.Error(), "json: unknown field "); ok {
		err = fmt.Errorf("there is no member %s", name)
	}
	r.ID, r.err = id.ID, fmt.Errorf("the request is invalid: %w", err)
	return nil
}

// misplaced returns an error for a body or a member that the request does not read.
func (r *request) misplaced() error {
	switch {
	case len(r.body) > 0 && (r.Do == "resolve" || r.Path != ""):
		return fmt.Errorf("the request has a body, which it does not read")
	case r.URLs != nil && r.Do != "rewrite":
		return fmt.Errorf("the member \"urls\" is only for the request rewrite")
	case (r.Writable || r.Described) && r.Do != "links":
		return fmt.Errorf("the members \"writable\" and \"described\" are only for the request links")
	}
	return nil
}

type Settings struct {
	Extractor extract.Extractor
	Only      inputs.Types
	Evidence  inputs.Evidence
	Refuse    func(*extract.Format) error                      // see inputs.Opener
	Local     func(target string) (file string)                // see extract.Document.Local
	Chooses   func(*extract.Link) bool                         // nil selects all links
	Map       func() func(*extract.Link) (url string, ok bool) // nil writes the absolute URLs
	Left      *mapping.Left                                    // finds what Map leaves; may be nil
	Maps      bool                                             // Map writes URLs other than the absolute ones
}

// parsed are settings, and the JSON that they were parsed from.
type parsed struct {
	json string
	*Settings
}

func (s *server) settings(r *request) (*Settings, error) {
	if last := s.recent.Load(); last != nil && last.json == string(r.Settings) {
		return last.Settings, nil
	}
	values := map[string]any{}
	if len(r.Settings) > 0 {
		d := json.NewDecoder(bytes.NewReader(r.Settings))
		d.UseNumber()
		if err := d.Decode(&values); err != nil {
			return nil, fmt.Errorf("the settings are not a JSON object: %w", err)
		}
	}
	settings, err := s.Config.Settings(values)
	if err == nil {
		s.recent.Store(&parsed{string(r.Settings), settings})
	}
	return settings, err
}

// open opens the document of a request. Call the function that it returns at the end, even if there is an error.
func (r *request) open(s *Settings, problem func(extract.Problem)) (extract.Document, func(), error) {
	closes := func() {}
	var kind inputs.Type
	if err := kind.Set(r.Type); err != nil && r.Type != "" {
		return extract.Document{}, closes, fmt.Errorf("--type %q: %w", r.Type, err)
	}
	retrieval, err := inputs.OfOne(r.URL), error(nil)
	if r.Site != "" {
		retrieval, err = inputs.NewRetrieval(inputs.RetrievalConfig{URL: r.URL, Site: r.Site,
			Standard: s.Extractor.Standard})
	}
	if err != nil {
		return extract.Document{}, closes, err
	}
	o := &inputs.Opener{Retrieval: retrieval, Kind: string(kind), Only: s.Only, Evidence: s.Evidence, Refuse: s.Refuse,
		Meter: &inputs.Meter{}}
	var d extract.Document
	if r.Path == "" {
		d, err = o.OpenBytes(r.Name, r.body, problem)
	} else {
		var file *inputs.Reader
		if file, d, err = o.Open(inputs.Source{Name: r.Path}, problem); file != nil {
			closes = func() { file.Close() }
		}
		d.Name = cmp.Or(r.Name, r.Path)
	}
	d.Local = s.Local
	switch {
	case err != nil:
	case r.Site != "" && d.MemberURL == nil:
		err = fmt.Errorf("--site cannot be used: the document is not an archive of files; use --url")
	case r.Text && r.Path != "":
		err = fmt.Errorf("text is about a body, and path names a file: use only one of them, or --type with a charset")
	case r.Text:
		d.Type, err = inUTF8(d, r.body)
	}
	return d, closes, err
}

// inUTF8 returns the type of a document with the charset UTF-8, or "" if the type is unknown.
func inUTF8(d extract.Document, content []byte) (string, error) {
	if d.Type == "" {
		f := extract.Detect("", d.Name, content[:min(len(content), 1024)])
		if f == nil {
			return "", nil
		}
		d.Type = f.Name
	}
	name, parameters, err := mime.ParseMediaType(d.Type)
	if err != nil {
		return "", fmt.Errorf("--type %q: %w", d.Type, err)
	}
	parameters["charset"] = "utf-8"
	return mime.FormatMediaType(name, parameters), nil
}

func (r *request) resolve(standard resolve.Standard) (string, error) {
	b, err := standard.Base(r.Base)
	if err != nil {
		return "", fmt.Errorf("--base %q: %w; use an absolute URL", r.Base, err)
	}
	url, err := b.Resolve(r.Ref)
	if err != nil {
		return "", fmt.Errorf("%q: %w", r.Ref, err)
	}
	return url, nil
}
