package codec_test

import (
	"fmt"

	"absolink/extract/internal/codec"
)

func ExampleLift() {
	src := []byte(`?a=1&b=2&amp;c=3`) // between the quotes of href="..."
	text, err := codec.URLDouble.Decode(src)
	fmt.Printf("%s %v\n", text, err)

	edits, err := codec.Lift(codec.URLDouble, src, text, []codec.Edit{{New: []byte(`http://h/?"&`)}}) // at the start of text
	fmt.Printf("%s %v\n", codec.Apply(nil, src, edits), err)
	// Output:
	// ?a=1&b=2&c=3 <nil>
	// http://h/?&quot;&amp;?a=1&b=2&amp;c=3 <nil>
}
