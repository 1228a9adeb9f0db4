package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"strings"
	"testing"
)

const redirector = "https://redirect.example/?to="

func run(t *testing.T, message string) (out, problems string) {
	t.Helper()
	var to, log bytes.Buffer
	if err := filter(t.Context(), &to, strings.NewReader(message), redirector, &log); err != nil {
		t.Fatal(err)
	}
	return to.String(), log.String()
}

// TestNewsletter: two links change, and the header, the preamble, the image, the mailto link and the signed part do not. A
// second run changes nothing.
func TestNewsletter(t *testing.T) {
	file, err := os.ReadFile("testdata/newsletter.eml")
	if err != nil {
		t.Fatal(err)
	}
	message := string(file)
	want := strings.NewReplacer(
		"Read it at https://site.example/news?a=1&b=2 (or",
		"Read it at https://redirect.example/?to=https%3A%2F%2Fsite.example%2Fnews%3Fa%3D1%26b%3D2 (or",
		`<a href=3D"news?a=3D1&amp;b=3D2">`, // in quoted-printable, where a line has at most 76 characters
		`<a href=3D"https://redirect.example/?to=3Dhttps%3=`+"\n"+`A%2F%2Fsite.example%2Fnews%3Fa%3D1%26b%3D2">`,
	)
	for _, m := range []string{message, strings.ReplaceAll(message, "\n", "\r\n")} {
		wanted := want.Replace(message)
		if m != message {
			wanted = strings.ReplaceAll(wanted, "\n", "\r\n")
		}
		got, problems := run(t, m)
		if got != wanted {
			t.Errorf("got %s", got)
		}
		if strings.Count(problems, "\n") != 1 || !strings.Contains(problems, "signature-would-break") {
			t.Errorf("problems: %s", problems)
		}
		if again, _ := run(t, got); again != got {
			t.Errorf("filtered twice: %s", again)
		}
	}
}

// TestSigned: a signed part and a signed message stay unchanged.
func TestSigned(t *testing.T) {
	for _, message := range []string{
		"Content-Type: multipart/signed; boundary=b\n\n--b\nContent-Type: text/html\n\n<a href='http://site.example/'>\n--b--\n",
		"DKIM-Signature: v=1\nContent-Type: text/html\n\n<a href='http://site.example/'>\n",
	} {
		if got, _ := run(t, message); got != message {
			t.Errorf("got %s", got)
		}
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var out, problems bytes.Buffer
	err := filter(ctx, &out, strings.NewReader("Subject: s\n\ntext\n"), redirector, &problems)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}
