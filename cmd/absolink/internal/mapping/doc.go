// Package mapping replaces the start of absolute URLs by rules OLD=NEW, as when a site moves.
//
//	--map OLD=NEW      Rules, one rule for each flag
//	--map-file FILE    one rule for each line
//	        |
//	       New         checks the rules, and makes the Table
//	        |
//	    Table.Map      replaces the start of one URL, by the rule with the longest OLD
//	    Table.Changed  counts a link that was changed
//	        |
//	    Table.All      the rules with their counts, for the report
//
// # Which URLs match
//
// OLD matches itself, and each URL that continues after OLD with "/", "?" or "#". An OLD that ends in "/" matches each URL
// that starts with it. The longest OLD wins.
//
//	OLD                  matches                                  does not match
//	http://old.example   http://old.example  http://old.example/x http://old.example.com/
//	                     http://old.example?q                     http://old.example:8080/
//	http://h/a           http://h/a  http://h/a/b                 http://h/ab
//	                     http://h/a?q  http://h/a#f               http://h/A
//	http://h/a/          http://h/a/  http://h/a/b                http://h/a
//	http://h/a?q         http://h/a?q  http://h/a?q#f             http://h/a?q&r
//	http://h/a#f         http://h/a#f                             http://h/a
//
// The scheme and the host compare without case (RFC 3986, 6.2.2.1). The other parts compare byte by byte. An empty path
// after a host is the path "/" (RFC 3986, 6.2.3), so http://old.example/ matches http://old.example, too. Ports and escapes
// are not normalized: http://old.example/ does not match http://old.example:80/. Write OLD as absolink prints the URLs.
//
// # The new URL
//
// The URL OLD becomes NEW. A longer URL becomes NEW and the rest of the URL. If the rest is a path, there is exactly one
// slash between NEW and the rest:
//
//	OLD          NEW          URL            becomes
//	http://o     https://n    http://o/x     https://n/x
//	http://o     https://n/   http://o/x     https://n/x
//	http://o/    https://n    http://o/x     https://n/x
//	http://o/    https://n/   http://o?q     https://n/?q
//	http://o/a   https://n/b/ http://o/a#f   https://n/b/#f
//
// If NEW has a query, the rest is added to the query. The "?" in the rest becomes "&", and no slash is added. If NEW has a
// fragment, the new URL has this fragment, and not that of the old URL:
//
//	http://o/a   https://n/?p=1     http://o/a?q#f   https://n/?p=1&q#f
//	http://o/    https://n/?p=      http://o/x       https://n/?p=x
//	http://o/a   https://n/all#a    http://o/a?q#f   https://n/all?q#a
//
// One rule changes a URL. The result is not mapped again. A rule with equal OLD and NEW is an exception to a rule with a
// shorter OLD.
package mapping
