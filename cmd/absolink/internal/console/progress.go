package console

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
)

// Progress is the last line on standard error. It shows how much of a run is done. All messages go through Progress, so that the
// line stays below them. Before Begin and after End it only copies the messages.
type Progress struct {
	mu    sync.Mutex
	w     io.Writer
	frame func() []byte // returns the line; nil if no line is drawn
}

const (
	progressPause = 100 * time.Millisecond // from drawing to drawing
	clearLine     = "\r\x1b[K"
)

// NewProgress returns a Progress without a line. It copies its input to w.
func NewProgress(w io.Writer) *Progress { return &Progress{w: w} }

// Begin begins to draw the line. frame returns the text of the line.
func (p *Progress) Begin(frame func() []byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.frame = frame
	go func() {
		for range time.Tick(progressPause) {
			if !p.draw() {
				return
			}
		}
	}()
}

// Write is part of io.Writer. It writes the text above the line.
func (p *Progress) Write(text []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.frame == nil {
		return p.w.Write(text)
	}
	out := append([]byte(clearLine), text...)
	if _, err := p.w.Write(append(out, p.frame()...)); err != nil {
		return 0, err
	}
	return len(text), nil
}

func (p *Progress) draw() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.frame != nil {
		_, _ = io.WriteString(p.w, clearLine+string(p.frame()))
	}
	return p.frame != nil
}

// End draws the line for the last time.
func (p *Progress) End() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.frame != nil {
		_, _ = io.WriteString(p.w, clearLine+string(p.frame())+"\n")
		p.frame = nil
	}
}

// Interrupt ends the line without drawing it again. Later messages are below it.
func (p *Progress) Interrupt() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.frame != nil {
		_, _ = io.WriteString(p.w, "\n")
		p.frame = nil
	}
}

type State struct {
	Read, Skipped, Total int64 // bytes; total is 0 until it is known
	Documents, Records   int64 // that are done; Records are parts of documents, such as the messages of a mailbox
	Found, Wrong         int64
	Finds, Document      string
	Elapsed              time.Duration
}

// Line returns the progress line. It has fewer characters than columns. Until the first document is done, it has no number of
// documents.
func (s *State) Line(columns int) []byte {
	done, seconds := s.Read+s.Skipped, s.Elapsed.Seconds()
	b := AppendBytes(nil, float64(done))
	if s.Total > 0 {
		b = AppendBytes(fmt.Appendf(nil, "%d%% of ", 100*min(done, s.Total)/s.Total), float64(s.Total))
	}
	if seconds > 0 {
		b = append(AppendBytes(append(b, ", "...), float64(s.Read)/seconds), "/s"...)
	}
	if 0 < done && done < s.Total {
		left := int(seconds * float64(s.Total-done) / float64(done))
		b = fmt.Appendf(b, ", %d:%02d left", left/60, left%60)
	}
	b = append(b, "; "...)
	if s.Documents > 0 {
		b = append(AppendCount(b, s.Documents, "documents"), ", "...)
	}
	if s.Records > 0 {
		b = append(AppendCount(b, s.Records, "records"), ", "...)
	}
	b = AppendCount(b, s.Found, s.Finds)
	b = AppendCount(append(b, ", "...), s.Wrong, "problems")
	b = append(b, "; "...)
	line, path := []rune(string(b)), []rune(string(Printable([]byte(s.Document))))
	if room := columns - 1 - len(line); len(path) > room { // the name at the end says more than the folders
		const left = "..."
		path = append([]rune(left), path[len(path)-max(room-len(left), 0):]...)
	}
	line = append(line, path...)
	return []byte(string(line[:min(len(line), columns-1)]))
}

// Number returns a number with a comma between groups of three digits.
func Number(n int64) string {
	digits := fmt.Sprint(n)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// AppendCount appends a number and its noun. things is the plural of the noun.
func AppendCount(dst []byte, n int64, things string) []byte {
	return fmt.Appendf(dst, "%d %s", n, Things(n, things))
}

// Things returns the plural of a noun, or its singular for the number 1.
func Things(n int64, plural string) string {
	if n != 1 {
		return plural
	}
	if stem, ok := strings.CutSuffix(plural, "ies"); ok {
		return stem + "y"
	}
	return strings.TrimSuffix(plural, "s")
}

// AppendBytes appends a number of bytes, with about three digits and a unit.
func AppendBytes(dst []byte, n float64) []byte {
	const most = 999.5 // a greater number would be rounded to 1000
	if n < most {
		return fmt.Appendf(dst, "%.0f B", n)
	}
	units := "kMGT"
	for n /= 1000; n >= most && len(units) > 1; n /= 1000 {
		units = units[1:]
	}
	if n >= most {
		return fmt.Appendf(dst, "%.0f %cB", n, units[0])
	}
	return fmt.Appendf(dst, "%.3g %cB", n, units[0])
}
