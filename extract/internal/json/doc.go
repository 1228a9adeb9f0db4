// Package json finds what is where in a text of JSON (RFC 8259). It builds no values.
//
//	{ "log": { "entries": [ { "url": "http://h/" } ] } }
//	  \___/                            \_______/
//	  a key, with its quotes           the inside of a string
//	         \_________________________________________/
//	         a value
//
// A Reader reads a text from left to right, each byte once. Members and Elements call a function for each value of an
// object or an array. The function reads the value with the method that fits, and returns the index after it:
//
//	r.Members(0, func(key codec.Span, p int) (end int) {
//		if r.Is(key, "url") {
//			url, end = r.Text(p)
//			return end
//		}
//		return r.Skip(p)
//	})
//
// A Reader accepts any bytes. Broken reports whether the text is no JSON. The spelling of strings is codec.JSONString.
package json
