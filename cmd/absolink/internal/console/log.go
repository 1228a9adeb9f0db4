package console

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"log/slog"

	"absolink/cmd/absolink/internal/rows"
)

// handler writes a log record as one line of text:
//
//	absolink: page.html > iframe@srcdoc[1]: no-base: "../x" has no base (offset 231)
//
// The attributes document, entity and code come before the message, and the others after it.
type handler struct {
	w      io.Writer
	level  slog.Leveler
	colors Colors
}

// NewLog returns a log of lines for people.
func NewLog(w io.Writer, level slog.Leveler, c Colors) *slog.Logger {
	return slog.New(&handler{w: w, level: level, colors: c})
}

func (h *handler) Enabled(_ context.Context, l slog.Level) bool { return l >= h.level.Level() }

// WithGroup does nothing: the log has no groups.
func (h *handler) WithGroup(string) slog.Handler { return h }

// WithAttrs does nothing: only records have attributes.
func (h *handler) WithAttrs([]slog.Attr) slog.Handler { return h }

func (h *handler) Handle(_ context.Context, r slog.Record) error {
	var document, entity, code string
	var rest []byte
	r.Attrs(func(a slog.Attr) bool {
		switch a.Key {
		case "document":
			document = cmp.Or(a.Value.String(), `""`)
		case "entity":
			entity = a.Value.String()
		case "code":
			code = a.Value.String()
		default:
			sep := ", "
			if len(rest) == 0 {
				sep = " ("
			}
			rest = fmt.Appendf(rest, "%s%s %s", sep, a.Key, a.Value)
		}
		return true
	})

	line := make([]byte, 0, 256)
	if document != "" {
		line = append(line, rows.Where(document, entity)+": "...)
	}
	if code != "" {
		line = append(append(line, code...), ": "...)
	}
	line = append(line, r.Message...)
	if len(rest) > 0 {
		line = append(append(line, rest...), ')')
	}
	c := Color("")
	switch {
	case r.Level >= slog.LevelError:
		c = h.colors.err
	case r.Level >= slog.LevelWarn:
		c = h.colors.warning
	}
	_, err := fmt.Fprintf(h.w, "%sabsolink:%s %s\n", c, c.End(), Printable(line))
	return err
}
