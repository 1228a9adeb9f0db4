package mail

import (
	"bytes"
	rand "math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const commit = "0123456789abcdef0123456789ABCDEF01234567"

func TestFromLineKind(t *testing.T) {
	for _, row := range []struct {
		name, line string
		want       fromLineKind
	}{
		{"RFC 4155: asctime", "From a@b Mon Jan  1 00:00:00 2024\n", datedLine},
		{"CRLF", "From a@b Mon Jan  1 00:00:00 2024\r\n", datedLine},
		{"tabs", "From a@b\tMon Jan\t1 00:00:00 2024\n", datedLine},
		{"a name of a time zone", "From a@b Mon Jan  1 00:00:00 GMT 2024\n", datedLine},
		{"a name of two words", "From a@b Wed Aug  2 00:39:12 MET DST 1995", datedLine},
		{"a name of three words is not a time zone", "From a@b Wed Aug  2 00:39:12 we met in 1995", partialLine},
		{"a time zone in digits before the year", "From a@b Mon Jan  1 00:00:00 +0100 2024", datedLine},
		{"a time zone after the year", "From a@b Mon Jan  1 00:00:00 2024 +0100", datedLine},
		{"no seconds", "From a@b Mon Jan  1 00:00 2024", datedLine},
		{"a year of two digits", "From a@b Mon Jan  1 00:00:00 95", datedLine},
		{"UUCP", "From a!b Mon Jan  1 00:00:00 1990 remote from c", datedLine},
		{"RFC 5322 3.3", "From a@b Mon, 1 Jan 2024 00:00:00 +0000", datedLine},
		{"RFC 5322 4.3: a name", "From a@b Mon, 01 Jan 24 00:00:00 GMT", datedLine},
		{"a comma and the month first", "From a@b Mon, Jan 01 00:00:00 2024", datedLine},
		{"JavaScript", "From a@b Mon Jan 01 2024 00:00:00 GMT+0100 (CET)", datedLine},
		{"whole names, and other cases", "From a@b MONDAY january 1 0:00:00 2024", datedLine},
		{"Thunderbird: no sender", "From - Mon Jan  1 00:00:00 2024", datedLine},
		{"no sender at all", "From Mon Jan  1 00:00:00 2024", datedLine},
		{"Eudora", "From ???@??? Mon Jan 01 00:00:00 2024", datedLine},
		{"Mailman", "From a at b.example  Mon Jan  1 00:00:00 2024", datedLine},
		{"a sender with spaces", "From \"A B\" <a@b> Mon Jan  1 00:00:00 2024", datedLine},
		{"a sender like a day", "From mon Mon Jan  1 00:00:00 2024", datedLine},
		{"git format-patch is no date", "From " + commit + " Mon Sep 17 00:00:00 2001", patchLine},
		{"git format-patch, SHA-256", "From " + commit + commit[:24] + " Mon Sep 17 00:00:00 2001\r\n", patchLine},
		{"a commit with another date", "From " + commit + " Mon Sep 17 00:00:01 2001", datedLine},
		{"another length", "From " + commit + "0 Mon Sep 17 00:00:00 2001", datedLine},
		{"not a commit", "From " + commit[1:] + "g Mon Sep 17 00:00:00 2001", datedLine},
		{"no day of the week", "From a@b Jan  1 00:00:00 2024", partialLine},
		{"no month", "From a@b Mon 1 00:00:00 2024", partialLine},
		{"no day", "From a@b Mon Jan 00:00:00 2024", partialLine},
		{"no year", "From a@b Mon Jan  1 00:00:00", partialLine},
		{"no time", "From a@b Mon Jan  1 2024", notFromLine},
		{"ISO 8601", "From a@b 2024-01-01T00:00:00Z", stampLine},
		{"ISO 8601, without a time", "From a@b 2024-01-01\r\n", stampLine},
		{"ISO 8601, with a space", "From a@b 2024-01-01 00:00:00 +0100", stampLine},
		{"a day that does not exist", "From a@b 2024-02-30", notFromLine},
		{"an ISO date and other text", "From a@b 2024-01-01x", notFromLine},
		{"an ISO date and other words", "From a@b 2024-01-01 we met", notFromLine},
		{"an ISO date without an address", "From here 2024-01-01", notFromLine},
		{"seconds since 1970", "From a@b 1673971200", stampLine},
		{"seconds since 1970, of 1990", "From <a@b>\t 631152000 \n", stampLine},
		{"not seconds since 1970", "From a@b 2024", notFromLine},
		{"seconds since 1970 and more", "From a@b 1673971200 x", notFromLine},
		{"seconds since 1970 without an address", "From here 1673971200", notFromLine},
		{"Google: a number", "From -9003250407387474187\n", stampLine},
		{"Google: a positive number", "From 1234567890123456789", stampLine},
		{"a sign and no number", "From +", notFromLine},
		{"a number and a comma", "From 1,", notFromLine},
		{"a number and more", "From -1 x", notFromLine},
		{"other words in the date", "From a@b Mon the Jan  1 00:00:00 2024", partialLine},
		{"only a time", "From 1:11", partialLine},
		{"an address", "From a@b\n", addressLine},
		{"an address with a colon", "From <a@b:25>\n", addressLine},
		{"an address and more", "From a@b x\n", notFromLine},
		{"no address before the @", "From @b\n", notFromLine},
		{"no address after the @", "From a@\n", notFromLine},
		{"no space", "From", notFromLine},
		{"another case", "from a 1:11", notFromLine},
		{"Thunderbird: no sender and no date", "From ", bareLine},
		{"Thunderbird: only white space", "From  \t\r\n", bareLine},
		{"Thunderbird: a hyphen", "From - \n", bareLine},
		{"a hyphen and more", "From -x", notFromLine},
		{"a word", "From here", notFromLine},
		{"a letter", "From x", notFromLine},
		{"the shortest time, at the end", "From x 1:11", partialLine},
		{"a time without its last digit", "From x 1:1", notFromLine},
		{"a time whose last digit is on the next line", "From x 1:1\n1", notFromLine},
		{"a time on the next line", "From x\n1:11", notFromLine},
		{"no digit before the colon", "From x a:11", notFromLine},
		{"no digit after the colon", "From x 1:a1", notFromLine},
		{"one digit after the colon", "From x 1:1a", notFromLine},
		{"digits two places around the colon", "From x 1a:11", notFromLine},
		{"no colon", "From x 1;11", notFromLine},
		{"only digits", "From 11111", stampLine},
		{"a colon before the time", "From a:b 1:11", partialLine},
		{"the longest From_ line", "From " + strings.Repeat("x", longestFromLine-10) + "1:11\n", partialLine},
		{"one byte more", "From " + strings.Repeat("x", longestFromLine-9) + "1:11\n", notFromLine},
	} {
		kind, end := fromLineAt([]byte("x"+row.line), 1)
		assert.Equal(t, row.want, kind, row.name)
		if row.want != notFromLine {
			assert.Equal(t, 1+len(row.line), end, row.name)
		}
	}
}

func TestBeginsField(t *testing.T) {
	for line, want := range map[string]bool{
		"A: b": true, "A:": true, "A-b_c.1:x": true, "A : b": true, "A\t:": true, strings.Repeat("a", longestFieldName-1) + ":": true,
		"": false, ":": false, "1:11": false, "-a: b": false, " A: b": false, "A b: c": false, "A\n:": false, "A": false, "A?: b": false,
		"http://h/": false, "x:/a": false, "<a href=x:y>": false, strings.Repeat("a", longestFieldName) + ":": false,
	} {
		begins, sure := beginsField([]byte("\n"+line), 1, true)
		assert.Equal(t, want, begins, line)
		assert.True(t, sure, line)
		for n := range len(line) {
			begins, sure := beginsField([]byte(line[:n]), 0, false)
			assert.True(t, !sure || begins == want, "%q is the same with more bytes", line[:n])
		}
	}
}

// literalStart does what messageStart.next does, but splits the whole file into lines first.
func literalStart(src []byte, p int, first fromLineKind) (i int, quoted bool) {
	empty, start, body := false, true, false
	lines := bytes.SplitAfter(src, []byte("\n"))
	at := 0
	for n, line := range lines {
		if at > p && len(line) > 0 {
			kind, _ := fromLineAt(line, 0)
			fields := literalFields(lines[n+1:])
			dated := kind == datedLine || kind == patchLine && first == patchLine
			switch {
			case (empty || start) && (dated || kind == bareLine || (kind == partialLine || kind == addressLine || kind == stampLine) && fields > 0),
				!empty && body && fields > 0 && (dated || kind == stampLine && first == stampLine),
				!empty && body && fields > 1 && (kind == bareLine || kind == addressLine) && first == kind:
				return at, quoted
			}
			quoted = quoted || line[0] == '>' && bytes.HasPrefix(bytes.TrimLeft(line, ">"), []byte("From "))
		}
		empty, start = string(line) == "\n" || string(line) == "\r\n", false
		body = body || empty && at > p
		at += len(line)
	}
	return -1, quoted
}

func literalFields(lines [][]byte) (n int) {
	for len(lines) > 0 && n < 2 {
		if field, _ := beginsField(bytes.Join(lines[:min(2, len(lines))], nil), 0, true); !field && !bytes.HasPrefix(lines[0], []byte(">From ")) {
			return n
		}
		n++
		length := len(lines[0])
		for lines = lines[1:]; len(lines) > 0 && len(lines[0]) > 0 && (lines[0][0] == ' ' || lines[0][0] == '\t'); lines = lines[1:] {
			length += len(lines[0])
		}
		if length >= longestField {
			return n
		}
	}
	return n
}

// TestMessageStart compares messageStart, which gets the file in pieces of random length, with literalStart.
func TestMessageStart(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	const date = " Mon Jan  1 00:00:00 2024"
	tokens := []string{"\n", "\n", "\n\n", "\r\n", "\r\n\r\n", "From x 1:11", "From ", "\n\nFrom x" + date + "\n", "\nFrom x" + date + "\n", "\nFrom x" + date + "\r\nA: 1", "\nFrom a@b\n",
		"\n\nF", "F", "xFrom ", ">From ", "\n>From ", "\n>>>>>>>>>From ", ">", "x", " ", ":", "A", "A: 1\n", "A", "base64base64", "\nFrom " + commit + " Mon Sep 17 00:00:00 2001\n",
		"\nbase64base64\n", "\n\n>" + strings.Repeat("x", longestFromLine), "\nFrom " + strings.Repeat("x", longestFromLine), strings.Repeat("A", longestFieldName),
		"\nFrom \n", "\nFrom -\nA: 1\nB: 2", "\nFrom -12\n", "\nFrom a@b 1673971200\r\nA: 1", "\n \t", ">From x\n", "\nA: " + strings.Repeat("x", longestField)}
	found := 0
	for range 20_000 {
		var src []byte
		for range r.IntN(14) {
			src = append(src, tokens[r.IntN(len(tokens))]...)
		}
		p := r.IntN(min(len(src), 40) + 1)
		if n := bytes.IndexByte(src[p:], '\n'); n >= 0 {
			p += n // the header begins after a newline
		}
		m := messageStart{first: fromLineKind(r.IntN(len(evidence))), header: p}
		want, wantQuoted := literalStart(src, p, m.first)
		if want >= 0 {
			found++
		}

		at, quoted := p, false
		for n := p; ; n = min(n+1+r.IntN(40), len(src)) {
			m.findBody(src[:n], n == len(src))
			i, sure, q := m.next(src[:n], at, n == len(src))
			quoted = quoted || q
			if sure {
				require.Equal(t, want, i, "%q from %d", src, p)
				require.Equal(t, wantQuoted, quoted, "%q from %d", src, p)
				break
			}
			require.GreaterOrEqual(t, i, at, "%q from %d", src, p)
			require.Less(t, n-i, fromLineAhead+2, "at most one From_ line is read again: %q from %d", src, p)
			at = i
		}
	}
	require.Greater(t, found, 4000)
}
