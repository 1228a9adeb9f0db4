package rows

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestSortable(t *testing.T) {
	for written, want := range map[string]string{
		"Fri, 21 Nov 1997 09:55:06 -0600":              "1997-11-21T09:55:06-06:00", // RFC 5322 A.1.1
		"Thu,\t13 Feb 1969 23:32 -0330 (Newfoundland)": "1969-02-13T23:32:00-03:30", // A.5
		"Mon, 01 Jan 2024 09:55:06 +0100":              "2024-01-01T09:55:06+01:00",
		"21 Nov 97 09:55:06 GMT":                       "1997-11-21T09:55:06Z", // A.6.2
		"Tue, 5 Mar 1996 12:00:00 pdt (summer)":        "1996-03-05T12:00:00-07:00",
		"Tue, 5 Mar 1996 12:00:00 -0000":               "1996-03-05T12:00:00Z",
		"Tue, 5 Mar 1996 12:00:00 CEST":                "Tue, 5 Mar 1996 12:00:00 CEST",
		"Tue, 5 Mar 1996 12:00:00":                     "Tue, 5 Mar 1996 12:00:00",
		"Tue, 35 Mar 1996 12:00:00 +0000":              "Tue, 35 Mar 1996 12:00:00 +0000",
		"yesterday":                                    "yesterday",
		"12:00":                                        "12:00",
		"":                                             "",
		strings.Repeat(" ", longestDate) + "5 Mar 1996 12:00:00 +0000": strings.Repeat(" ", longestDate) + "5 Mar 1996 12:00:00 +0000",
	} {
		assert.Equal(t, want, sortable(written), written)
	}
}
