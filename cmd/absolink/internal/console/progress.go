package console

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
)

// Progress is the last line on standard error, which shows how much of a run is done. All messages go through Progress,
// so that the line stays below them. Before Begin and after End it only copies the messages.
type Progress struct {
	mu    sync.Mutex
	w     io.Writer
	frame func() []byte // returns the line; nil if no line is drawn
}

const (
	progressPause = 100 * time.Millisecond // between two drawings
	clearLine     = "\r\x1b[K"
)

// NewProgress returns a Progress without a line, which copies messages to w.
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

// Write writes a message above the line.
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

// Line returns the progress line of a run that finds links, bases or edits. It has fewer characters than columns. Until
// the first document is done, it has no number of documents.
func (c *Counts) Line(finds string, elapsed time.Duration, columns int) []byte {
	read, total, seconds := c.Bytes.Read.Load(), c.Total.Load(), elapsed.Seconds()
	done := read + c.Bytes.Skipped.Load()
	b := AppendBytes(nil, float64(done))
	if total > 0 {
		b = AppendBytes(fmt.Appendf(nil, "%d%% of ", 100*min(done, total)/total), float64(total))
	}
	if seconds > 0 {
		b = append(AppendBytes(append(b, ", "...), float64(read)/seconds), "/s"...)
	}
	if 0 < done && done < total {
		left := int(seconds * float64(total-done) / float64(done))
		b = fmt.Appendf(b, ", %d:%02d left", left/60, left%60)
	}
	b = append(b, "; "...)
	if n := c.Done.Load(); n > 0 {
		b = append(AppendCount(b, n, "documents"), ", "...)
	}
	if n := c.Records.Load(); n > 0 {
		b = append(AppendCount(b, n, "records"), ", "...)
	}
	b = AppendCount(b, c.Found.Load(), finds)
	b = AppendCount(append(b, ", "...), c.Wrong.Load(), "problems")
	line, path := []rune(string(b)+"; "), []rune(nil)
	if name := c.Document.Load(); name != nil {
		path = []rune(string(Printable([]byte(*name))))
	}
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
