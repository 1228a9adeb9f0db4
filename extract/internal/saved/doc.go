// Package saved reads what programs write into a page when they save it: the page's original URL, and links to local
// copies.
//
//	savers.go   the original URL of a page   <!-- saved from url=(0014)http://h/p.html -->   -> http://h/p.html
//	wayback.go  a link into an archive       /web/20200101000000/http://h/x.html             -> http://h/x.html
//	saved.go    a link to a local copy       page_files/x.png                                -> stays unchanged
//
// The program that saved a page is its saver. Package html marks the regions with this data, the evidence, and the
// engine reads them with the functions of this package.
package saved
