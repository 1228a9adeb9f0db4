package mail

import (
	"bytes"

	"absolink/extract/internal/codec"
	"absolink/extract/internal/codec/spell"
)

// lines returns the codec of a message whose lines end in CR, as on old Macs, or nil for other messages. In such a message no
// LF comes before the empty line that ends the header. A text before the first LF is a header only if its second line is a
// field, because a line may have a stray CR.
func lines(src []byte) codec.Codec {
	lf := bytes.IndexByte(src, '\n')
	if lf < 0 {
		if bytes.IndexByte(src, '\r') < 0 {
			return nil
		}
		return spell.SwappedLines
	}
	header := bytes.TrimRight(src[:lf], "\r")
	cr := bytes.IndexByte(header, '\r')
	if cr < 0 || !bytes.Contains(header, []byte("\r\r")) {
		return nil
	}
	if field, _ := beginsField(header, cr+1, true); !field {
		return nil
	}
	return spell.SwappedLines
}

// endsInCR reports whether the first line of an mbox is a From_ line that ends in CR. head has the line, and the next byte.
func endsInCR(head []byte) bool {
	cr := bytes.IndexAny(head, "\r\n")
	if cr < 0 || head[cr] != '\r' || cr+1 < len(head) && head[cr+1] == '\n' {
		return false
	}
	kind, _ := fromLineAt(head[:cr], 0)
	return kind != notFromLine
}

// swapped returns the codec of a message of an mbox for which endsInCR returns true.
func swapped([]byte) codec.Codec { return spell.SwappedLines }
