// Package attr has the ways to write the value of an attribute in HTML and XML.
// Both scanners use it.
//
//	HTML 13.1.2.3    a="x"       a='x'       a=x         a       a= >
//	                 Double      Single      Unquoted    Bare    Empty
//
//	XML 3.1          a="x"       a='x'
//	                 XMLDouble   XMLSingle
//
// A Quoting determines how a new value is written in the same place: which
// characters become character references, and whether quotes must be added.
package attr
