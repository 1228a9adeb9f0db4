// Package docs has the page of the documentation from which the command tells what problems mean.
package docs

import _ "embed"

// Problems is the page about the codes of problems.
//
//go:embed problems.md
var Problems string
