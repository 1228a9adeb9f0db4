package codec_test

import (
	"fmt"

	"absolink/extract/internal/codec"
	"absolink/extract/internal/codec/spell"
)

// The source is the value of href in <a href="?a=1&b=2&amp;c=3">. Lift puts new text at its start and spells it for the
// attribute; the bare & and the &amp; after it stay as they are.
func ExampleLift() {
	src := []byte(`?a=1&b=2&amp;c=3`)
	text, err := spell.URLDouble.Decode(src)
	fmt.Printf("%s %v\n", text, err)

	edits, err := codec.Lift(spell.URLDouble, src, text, []codec.Edit{{New: []byte(`http://h/?"&`)}})
	fmt.Printf("%s %v\n", codec.Apply(nil, src, edits), err)
	// Output:
	// ?a=1&b=2&c=3 <nil>
	// http://h/?&quot;&amp;?a=1&b=2&amp;c=3 <nil>
}
