package codec

import "fmt"

// LiftEach is Lift for edits that do not depend on one another, such as those of the links of a page: an edit that
// cannot be spelled does not take the others along. refused is called for each, with its index and an error that wraps
// ErrRefused. LiftEach fails only if the others cannot be spelled together.
func (r *Replacer) LiftEach(c Codec, src, text []byte, edits []Edit, refused func(i int, err error)) ([]Edit, error) {
	out, err := r.Lift(c, src, text, edits)
	if err == nil {
		return out, nil
	}
	encode := c.Encode
	if o, ok := c.(ordered); ok {
		encode = o.inOrder()
	}
	_, atoms, _ := c.Map(src)
	var room, spelled []byte
	kept := make([]Edit, 0, len(edits))
	for i, e := range edits {
		if e.Start < 0 || e.End < e.Start || e.End > len(text) {
			return nil, err
		}
		head, tail := common(text[e.Start:e.End], e.New)
		start, end := e.Start+head, e.End-tail
		at, wide := atoms.widen(Span{start, end})
		room = append(room[:0], text[wide.Start:start]...)
		room = append(room, e.New[head:len(e.New)-tail]...)
		room = append(room, text[end:wide.End]...)
		var failed error
		if spelled, failed = encode(spelled[:0], src, at, room); failed != nil {
			refused(i, fmt.Errorf("%w: %w", ErrRefused, failed))
		} else {
			kept = append(kept, e)
		}
	}
	if len(kept) == len(edits) {
		return nil, err
	}
	return r.Lift(c, src, text, kept)
}
