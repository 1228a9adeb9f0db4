package main

import (
	"bytes"
	"cmp"
	"errors"
	"html"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"text/template"
)

// charted are the jobs of the chart in its order, with their headings.
var charted = []struct{ job, heading string }{
	{"links", "Links of pages"},
	{"rewrite", "Rewriting pages; only absolink syncs the files"},
	{"rewrite; both programs sync the files", "Rewriting pages; both programs sync the files"},
	{"mbox links", "Links of an mbox"},
	{"WARC.gz links", "Links of a WARC.gz file"},
}

type bar struct {
	job, peer string
	ratio     float64
}

// barsOf reads the bars from the comparison in RESULTS.md, so that a chart needs no measurement.
func barsOf(results []byte) (bars []bar) {
	for line := range strings.Lines(string(results)) {
		cells := strings.Split(line, "|")
		if len(cells) != 11 {
			continue // not the table of the comparison
		}
		ratio, err := strconv.ParseFloat(strings.TrimSuffix(strings.TrimSpace(cells[3]), "x"), 64)
		if err == nil && ratio > 0 {
			bars = append(bars, bar{strings.TrimSpace(cells[1]), strings.TrimSpace(cells[2]), ratio})
		}
	}
	return bars
}

// The layout of the chart, in pixels.
const (
	chartWidth = 860
	chartLeft  = 375 // the names are left of it, and the bars right of it
	chartRight = chartWidth - 45
	chartTop   = 84
	rowHeight  = 20
)

// A mark is a text or a bar in the chart.
type mark struct {
	X, Y, Width float64
	Text        string
	Part        bool // the other program does only a part of the job
}

type drawing struct {
	Width, Height, Bottom, One  float64
	Headings, Names, Bars, Grid []mark
}

// chart writes the bars as SVG. A bar starts at 1, which is the time of absolink, on a logarithmic scale.
func chart(name string, bars []bar) error {
	low, high := 0.3, 100.0
	for _, b := range bars {
		low, high = min(low, b.ratio/1.2), max(high, b.ratio)
	}
	x := func(ratio float64) float64 {
		return math.Round(chartLeft + (chartRight-chartLeft)*math.Log(ratio/low)/math.Log(high/low))
	}

	d := drawing{Width: chartWidth, One: x(1)}
	y := float64(chartTop)
	for _, group := range charted {
		of := slices.DeleteFunc(slices.Clone(bars), func(b bar) bool { return b.job != group.job })
		if len(of) == 0 {
			continue
		}
		slices.SortStableFunc(of, func(a, b bar) int { return cmp.Compare(a.ratio, b.ratio) })
		d.Headings = append(d.Headings, mark{Y: y + 14, Text: group.heading})
		y += rowHeight
		for _, b := range of {
			from, to := x(min(b.ratio, 1)), x(max(b.ratio, 1))
			d.Names = append(d.Names, mark{Y: y + 14, Text: html.EscapeString(b.peer)})
			d.Bars = append(d.Bars, mark{X: from, Y: y + 3, Width: to - from, Text: short(b.ratio),
				Part: strings.Contains(b.peer, " only")})
			y += rowHeight
		}
		y += rowHeight / 2
	}
	if len(d.Bars) == 0 {
		return errors.New("the chart needs a row of listing or rewriting")
	}
	for _, tick := range []float64{0.5, 1, 2, 5, 10, 20, 50, 100} {
		d.Grid = append(d.Grid, mark{X: x(tick), Text: strconv.FormatFloat(tick, 'g', -1, 64)})
	}
	d.Bottom, d.Height = y, y+28

	var svg bytes.Buffer
	if err := chartSVG.Execute(&svg, d); err != nil {
		return err
	}
	return os.WriteFile(name, svg.Bytes(), 0o666)
}

// chartSVG has a white background, because the page around it may be dark. The program that shows the chart aligns the
// texts, so that any font fits.
var chartSVG = template.Must(template.New("").Funcs(template.FuncMap{
	"add": func(a, b float64) float64 { return a + b },
}).Parse(`<svg xmlns="http://www.w3.org/2000/svg" width="{{.Width}}" height="{{.Height}}" ` +
	`viewBox="0 0 {{.Width}} {{.Height}}" ` +
	`font-family="Arial, Helvetica, sans-serif" font-size="13" fill="#222">
<rect width="{{.Width}}" height="{{.Height}}" fill="#fff"/>
<text x="15" y="28" font-size="17" font-weight="bold">` +
	`CPU time of other programs, divided by the CPU time of absolink</text>
<rect x="15" y="41" width="12" height="12" fill="#2f6db0"/><text x="33" y="52">the same job</text>
<rect x="130" y="41" width="12" height="12" fill="#a9c6e6"/>` +
	`<text x="148" y="52">the other program does only a part of the job</text>
<text x="15" y="70" fill="#555">` +
	`Each program runs on one core. The scale is logarithmic: at 1, both need the same time.</text>
{{range .Grid}}<path d="M{{.X}} 84V{{$.Bottom}}" stroke="#ddd"/>` +
	`<text x="{{.X}}" y="{{add $.Bottom 17}}" text-anchor="middle">{{.Text}}</text>
{{end}}{{range .Headings}}<text x="15" y="{{.Y}}" font-weight="bold">{{.Text}}</text>
{{end}}{{range .Names}}<text x="365" y="{{.Y}}" text-anchor="end">{{.Text}}</text>
{{end}}{{range .Bars}}<rect x="{{.X}}" y="{{.Y}}" width="{{.Width}}" height="14" ` +
	`fill="{{if .Part}}#a9c6e6{{else}}#2f6db0{{end}}"/>` +
	`<text x="{{add (add .X .Width) 6}}" y="{{add .Y 11}}">{{.Text}}</text>
{{end}}<path d="M{{.One}} 84V{{.Bottom}}" stroke="#222"/>
</svg>
`))
