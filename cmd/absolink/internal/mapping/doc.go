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
// OLD matches itself and each URL that continues it with "/", "?" or "#". An OLD that ends in "/" matches each URL that
// starts with it. An OLD with a query matches only itself, with any fragment, and one with a fragment only itself. The
// longest OLD wins.
//
//	OLD                  matches                                  does not match
//	http://old.example   http://old.example  http://old.example/x http://old.example.com/
//	                     http://old.example?q                     http://old.example:81/
//	http://h/a           http://h/a  http://h/a/b                 http://h/ab
//	                     http://h/a?q  http://h/a#f               http://h/A
//	http://h/a/          http://h/a/  http://h/a/b                http://h/a
//	http://h/a?q         http://h/a?q  http://h/a?q#f             http://h/a?q&r
//	http://h/a#f         http://h/a#f                             http://h/a
//
// Each spelling of a URL matches: the scheme and the host in any case, the host in U-labels or A-labels, with the
// default port, an empty port or none, and with or without escapes of unreserved characters (RFC 3986, 6.2.2 and
// 6.2.3). Everything else is compared byte by byte. An empty path after a host is the path "/", so http://old.example/
// also matches http://old.example.
//
//	OLD                  matches                                  does not match
//	http://h/~joe/       HTTP://H:80/%7Ejoe/x  http://h:/~joe/    http://h:8080/~joe/  https://h/~joe/
//	http://h/a%2Fb       http://h/%61%2Fb                         http://h/a%2fb  http://h/a/b
//
// # The new URL
//
// The URL OLD becomes NEW, and a longer URL becomes NEW and the rest. If the rest is a path, there is exactly one slash
// between the two:
//
//	OLD          NEW          URL            becomes
//	http://o     https://n    http://o/x     https://n/x
//	http://o     https://n/   http://o/x     https://n/x
//	http://o/    https://n    http://o/x     https://n/x
//	http://o/    https://n/   http://o?q     https://n/?q
//	http://o/a   https://n/b/ http://o/a#f   https://n/b/#f
//
// If NEW has a query, the rest is appended to it: a "?" in the rest becomes "&", and no slash is added. If NEW has a
// fragment, it replaces that of the old URL:
//
//	http://o/a   https://n/?p=1     http://o/a?q#f   https://n/?p=1&q#f
//	http://o/    https://n/?p=      http://o/x       https://n/?p=x
//	http://o/a   https://n/all#a    http://o/a?q#f   https://n/all?q#a
//
// A URL is changed by one rule only, and the result is not mapped again. A rule whose NEW is its OLD is therefore an
// exception to a rule with a shorter OLD, and leaves the spelling of the URL as it is.
package mapping
