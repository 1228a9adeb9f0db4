// Package mark has the types with which a format describes a text: which spans declare a base, are a link, or are
// another document. It depends on no format, and not on the engine.
//
//	          src []byte
//	format ---------------> Marks ---------------> engine
//	        Link   Base                 Bases
//	        Inline Scope                All
//	        Nested Part                 Scopes
//	        Fault  Evidence             Notes
//
//	<base href="/v2/">  <a href="x.html">  <style> a { background: url(y) } </style>
//	           \__/              \____/           \__________________________/
//	           Base               Link               Inline, in the format CSS
//
// A format is a function func(src []byte, m *Marks). It only marks regions of src. It does not decode, resolve, recurse
// or log, and it reads only src. When the format has returned, the engine closes the scope of the text. Then the
// engine resolves the links, and reads the embedded documents by their own formats.
//
// Marks has two sides. Formats call Add and the methods that name what they mark. The engine calls Clear, Drain
// and Bases.
package mark
