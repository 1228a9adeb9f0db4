package report

import (
	"time"

	"absolink/cmd/absolink/internal/batch"
	"absolink/cmd/absolink/internal/inputs"
	"absolink/extract"
)

// verbs has the verb of a run by its findings.
var verbs = map[string]string{batch.Links: "links", batch.Bases: "base", batch.Edits: "rewrite"}

// Begin returns the Run that collects the facts about a run. It sets the Collector of the run. Call it before batch.Run.Do,
// and use Run.Job.
func Begin(b *batch.Run) *Run {
	r := &Run{Verb: verbs[b.Finds], batch: b, Started: time.Now().UTC()}
	b.Collector = r
	return r
}

// PartOf returns the facts about the task of a worker, or nil if the run has no report.
func PartOf(k *batch.Worker) *Part {
	part, _ := k.Part.(*Part)
	return part
}

// Job returns a job that does the same as another job, and sets Worker.Part to the facts about each task. The verbs links and
// base add their findings to PartOf themselves.
func (r *Run) Job(newJob func(*batch.Worker) batch.Job) func(*batch.Worker) batch.Job {
	return func(k *batch.Worker) batch.Job {
		job := newJob(k)
		if r.batch.Finds == batch.Edits {
			observe(k)
		}
		return func(src inputs.Source, d extract.Document) error {
			k.Part = &Part{}
			return job(src, d)
		}
	}
}

// observe adds the links and the changes of a rewriting to the parts of a worker.
func observe(k *batch.Worker) {
	onLink, onChange := k.Extractor.OnLink, k.Extractor.OnChange
	k.Extractor.OnLink = func(l *extract.Link) {
		if onLink != nil {
			onLink(l)
		}
		PartOf(k).Link(l)
	}
	k.Extractor.OnChange = func(c extract.Change) {
		if onChange != nil {
			onChange(c)
		}
		PartOf(k).Change(c)
	}
}
