// Package mark has the types with which a format describes a text: which spans declare a base, are a link, or are
// another document. It depends neither on a format nor on the engine, package extract.
//
//	          src []byte
//	format ---------------> Marks ---------------> engine
//	        Link   Base                 Bases
//	        Inline OpenScope            All
//	        Nested Part                 ScopeCount
//	        Fault  Evidence             Notes
//
//	<base href="/v2/">  <a href="x.html">  <style> a { background: url(y) } </style>
//	           \__/              \____/           \__________________________/
//	           Base               Link               Inline, in the format CSS
//
// A format is a function func(src []byte, m *Marks). It only marks regions of src: it does not resolve or log, and
// leaves embedded documents alone. A base may be declared after the links that need it, so the engine waits until the
// format has returned. Then it makes the scope of the text, resolves the links, and reads the embedded documents by
// their own formats.
//
// Marks has two sides. Formats call Add and the methods that name what they mark; the engine calls Clear, Drain and
// Bases.
package mark
