// Package json finds the positions of values in a JSON text (RFC 8259). It does not decode the values.
//
//	{ "log": { "entries": [ { "url": "http://h/" } ] } }
//	  \___/                            \_______/
//	  a key, with its quotes           the text of a string
//	         \_________________________________________/
//	         a value
//
// A Reader reads a text from left to right, each byte once. Members calls a function for each member of an object, and
// Elements for each element of an array. The function reads the value with a method for its kind, and returns the index
// after the value:
//
//	r.Members(0, func(key codec.Span, p int) (end int) {
//		if r.Is(key, "url") {
//			url, end = r.Text(p)
//			return end
//		}
//		return r.Skip(p)
//	})
//
// A Reader accepts any bytes. Its field Broken reports whether the text is invalid. To decode a string, use
// spell.JSONString.
package json
