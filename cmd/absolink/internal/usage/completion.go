package usage

import (
	"bytes"
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// Shells are the shells that Completion has a script for.
var Shells = []string{"bash", "fish", "powershell", "zsh"}

// Completes reports whether a shell has called the program to complete a command line.
func Completes(args []string) bool {
	return len(args) > 0 && (args[0] == cobra.ShellCompRequestCmd || args[0] == cobra.ShellCompNoDescRequestCmd)
}

// Completion returns the script that completes the verbs, flags and values of root in the shell that args name.
func Completion(root *cobra.Command, args []string) ([]byte, error) {
	if len(args) > 1 || !slices.Contains(Shells, args[0]) {
		return nil, fmt.Errorf("completion %s: use one of the shells %s", strings.Join(args, " "),
			strings.Join(Shells, ", "))
	}
	var out bytes.Buffer
	var err error
	switch args[0] {
	case "bash":
		err = root.GenBashCompletionV2(&out, true)
		return alone(out.Bytes()), err
	case "fish":
		err = root.GenFishCompletion(&out, true)
	case "powershell":
		err = root.GenPowerShellCompletionWithDesc(&out)
	case "zsh":
		err = root.GenZshCompletion(&out)
	}
	return out.Bytes(), err
}

// alone makes cobra's bash script work without the package bash-completion, whose function is still preferred where it
// is installed.
func alone(script []byte) []byte {
	script = bytes.ReplaceAll(script, []byte(" _get_comp_words_by_ref"), []byte(" __absolink_get_comp_words_by_ref"))
	return slices.Concat(bashWords, script)
}

// bashWords is a short version of a function of bash-completion. It joins words that bash has split at "=" and ":", and
// sets cur, prev, words and cword.
//
//go:embed words.bash
var bashWords []byte
