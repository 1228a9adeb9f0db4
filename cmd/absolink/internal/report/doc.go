// Package report writes pages of HTML for people: about a run over many documents, and about the base URLs and links of
// one document.
//
//	tasks of a run ---> Part ---> Run.Collect ---.
//	problems -------------------> Run.Problem ----> Run -------.
//	ends of documents ----------> Run.End --------'             >--- report.html + report.css + report.js ---> one file
//	entities, links of a document ---------------> Document ---'
//
// A page is one file that needs no other file and no network: the style and the script are inside, and all content is
// readable without the script. Documents are hostile, so html/template escapes each byte that comes from a document,
// and no such byte is in a script or in a style. A Content-Security-Policy allows only the style and the script of this
// package, by their hashes.
//
// A Run limits each of its lists, so its page is at most 5 MB, and its memory does not depend on the number of
// documents. The page says how many entries it leaves out. A Run receives the parts in the order of the documents, so
// the page does not depend on the number of workers.
package report
