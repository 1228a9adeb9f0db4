// Package saved reads the data that programs write into a page when they save it: the URL that the page came from, and
// links to local copies.
//
//	savers.go   who wrote the URL            <!-- saved from url=(0014)http://h/p.html -->   -> http://h/p.html
//	wayback.go  a link into an archive       /web/20200101000000/http://h/x.html             -> http://h/x.html
//	saved.go    a link to a local copy       page_files/x.png                                -> not in the site
//
// Package html marks the evidence in a page. The engine reads it with the functions here.
package saved
