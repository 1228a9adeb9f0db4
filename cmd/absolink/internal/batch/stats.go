package batch

import (
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"absolink/cmd/absolink/internal/console"
	"absolink/cmd/absolink/internal/mapping"
	"absolink/cmd/absolink/internal/rows"
	"absolink/extract"
)

// Stats are the totals of a run, for --stats. A nil *Stats counts nothing.
type Stats struct {
	mu    sync.Mutex
	start time.Time
	totals
}

// totals are the fields of the JSON object, in this order.
type totals struct {
	Documents  int64                  `json:"documents"`
	Before     int                    `json:"documents_before,omitzero"` // that earlier runs have done, under --resume
	Failed     int64                  `json:"failed"`
	Incomplete int64                  `json:"incomplete"` // documents with a problem of severity error
	Bytes      int64                  `json:"bytes"`
	Links      *linkTotals            `json:"links,omitzero"`
	Bases      map[string]int64       `json:"bases,omitzero"` // by layer
	Edits      *int64                 `json:"edits,omitzero"`
	Changed    *changed               `json:"changed,omitzero"`
	Problems   map[extract.Code]int64 `json:"problems"`
	Seconds    float64                `json:"seconds"`
}

// changed is the account of a rewriting. Rules have those that moved a link.
type changed struct {
	*console.Account
	Rules []ruleTotal `json:"rules,omitzero"`
}

type ruleTotal struct {
	Old   string `json:"old"`
	New   string `json:"new"`
	Links int64  `json:"links"`
}

// linkTotals count each link by its status, its place and its layer.
type linkTotals struct {
	Status map[string]int64 `json:"status"`
	Place  map[string]int64 `json:"place"`
	Layer  map[string]int64 `json:"layer"`
}

// NewStats begins the totals of a run that finds links, bases or edits.
func NewStats(finds string) *Stats {
	s := &Stats{start: time.Now(), totals: totals{Problems: map[extract.Code]int64{}}}
	if finds == FindsBases {
		s.Bases = map[string]int64{}
		return s
	}
	s.Links = &linkTotals{map[string]int64{}, map[string]int64{}, map[string]int64{}}
	if finds == FindsEdits {
		s.Edits = new(int64)
	}
	return s
}

// Link counts a link. s may be nil, and several goroutines may call it.
func (s *Stats) Link(l *extract.Link) {
	if s == nil {
		return
	}
	place, _, _ := strings.Cut(l.Place(), "[") // without its number, so that the number of places is limited
	s.mu.Lock()
	defer s.mu.Unlock()
	s.Links.Status[l.Status.String()]++
	s.Links.Place[place]++
	s.Links.Layer[l.Scope.Layer().String()]++
}

// Base counts the base of an entity, as Link does a link.
func (s *Stats) Base(e *extract.Entity) {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.Bases[e.Scope.Layer().String()]++
}

func (s *Stats) problem(code extract.Code) {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.Problems[code]++
}

// Append appends the totals as a line of JSON. table has the rules of --map, or is nil. before is the number of
// documents that earlier runs have done.
func (s *Stats) Append(dst []byte, c *console.Counts, table *mapping.Table, before int) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.Documents, s.Failed, s.Bytes = c.Done.Load(), c.Failed.Load(), c.Bytes.Read.Load()
	s.Incomplete, s.Before = c.Incomplete.Load(), before
	if s.Edits != nil {
		*s.Edits = c.Found.Load()
		s.Changed = &changed{Account: &c.Account}
		for _, i := range slices.Sorted(maps.Keys(c.Account.Rules)) {
			rule := table.Rule(i)
			s.Changed.Rules = append(s.Changed.Rules, ruleTotal{rule.Old, rule.New, c.Account.Rules[i]})
		}
	}
	s.Seconds = time.Since(s.start).Seconds()
	return append(rows.AppendJSON(dst, s.totals), '\n')
}
