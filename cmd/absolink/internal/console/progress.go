package console

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
)

// Progress is a line at the foot of standard error that tells how far a run is. All that
// is said there goes through it, so that the line stays below. Before it has begun, and
// after its end, it only passes on.
type Progress struct {
	mu    sync.Mutex
	w     io.Writer
	frame func() []byte // draws the line; nil when there is none
	stop  chan struct{}
}

const (
	progressPause = 100 * time.Millisecond // from drawing to drawing
	clearLine     = "\r\x1b[K"
)

// NewProgress returns a progress that only passes on what is written to it, until it begins.
func NewProgress(w io.Writer) *Progress { return &Progress{w: w} }

// Begin draws the line from now on.
func (p *Progress) Begin(frame func() []byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.frame, p.stop = frame, make(chan struct{})
	go func() {
		for ticks := time.NewTicker(progressPause); ; {
			select {
			case <-ticks.C:
				p.draw()
			case <-p.stop:
				ticks.Stop()
				return
			}
		}
	}()
}

// Write is io.Writer.
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

// draw draws the line anew.
func (p *Progress) draw() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.frame != nil {
		_, _ = io.WriteString(p.w, clearLine+string(p.frame()))
	}
}

// End leaves the line as it is at the end of the run.
func (p *Progress) End() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.frame != nil {
		_, _ = io.WriteString(p.w, clearLine+string(p.frame())+"\n")
		close(p.stop)
		p.frame = nil
	}
}

// Interrupt leaves the line as it is. What is written after that comes below it.
func (p *Progress) Interrupt() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.frame != nil {
		_, _ = io.WriteString(p.w, "\n")
		p.frame = nil
	}
}

// State is how far a run is.
type State struct {
	Read, Skipped, Total    int64 // bytes; total is 0 until it is known
	Documents, Found, Wrong int64
	Finds, Document         string
	Elapsed                 time.Duration
}

// Line draws the state in a line that is not longer than the terminal is wide.
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
	b = AppendCount(append(b, "; "...), s.Documents, "documents")
	b = AppendCount(append(b, ", "...), s.Found, s.Finds)
	b = AppendCount(append(b, ", "...), s.Wrong, "problems")
	b = append(b, "; "...)
	b = append(b, Printable([]byte(s.Document))...)
	runes := []rune(string(b))
	return []byte(string(runes[:min(len(runes), columns-1)]))
}

// AppendCount appends how many there are of things, whose name is given as a plural.
func AppendCount(dst []byte, n int64, things string) []byte {
	if n == 1 {
		things = strings.TrimSuffix(things, "s")
	}
	return fmt.Appendf(dst, "%d %s", n, things)
}

// AppendBytes appends a number of bytes with three digits or so.
func AppendBytes(dst []byte, n float64) []byte {
	if n < 1000 {
		return fmt.Appendf(dst, "%.0f B", n)
	}
	units := "kMGT"
	for n /= 1000; n >= 1000 && len(units) > 1; n /= 1000 {
		units = units[1:]
	}
	return fmt.Appendf(dst, "%.3g %cB", n, units[0])
}
