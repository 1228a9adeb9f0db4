package mail

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestEnvelope(t *testing.T) {
	for src, want := range map[string]Envelope{
		"": {},
		"Message-ID: <a\r\n b@h> (c)\r\nDate: Mon,\r\n 1 Jan\r\n\r\nSubject: body":     {ID: "a b@h", Date: "Mon, 1 Jan"},
		"From a@b Mon Jan  1 00:00:00 2024\n\nsubject : 1\nSubject: 2\n\n":             {Subject: "1"},
		"Subject: =?utf-8?Q?=C3=A9?= =?UTF-8?B?4oKs?= =?x-unknown?Q?a?= =?bad?=":       {Subject: "é€a =?bad?="},
		"Subject: \u00e9 =?us-ascii?Q?=41?=\nContent-Type: text/plain; charset=koi8-r": {Subject: "é A"},
		"Subject: \xc1\nContent-Type: text/plain; charset=koi8-r":                      {Subject: "а"},
		"Subject: \x80\nContent-Type: text/plain; charset=utf-8":                       {Subject: "€"},
		"Subject: \x80\nContent-Type: text/plain; charset=utf-16":                      {Subject: "€"},
		"Subject: \xff": {Subject: "ÿ"},
	} {
		assert.Equal(t, want, *EnvelopeOf([]byte(src)), "%q", src)
	}
}
