// Package explain shows why an entity has its base URL. Each form has every rung of RFC 1808 section 3, each candidate for
// the base, its verdict, and the reason.
//
//	Scope.Candidates ---> layers ---> Drawing   boxes, as section 3 draws them
//	                             ---> Lines     one line for each rung
//	                             ---> Objects   JSON, one object for each document
//
// No form cuts a URL. A URL that is longer than a line of a Drawing has a line without a right border.
package explain
