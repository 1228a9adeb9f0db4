package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/signal"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"absolink/cmd/absolink/internal/inputs"
	"absolink/cmd/absolink/internal/mapping"
	"absolink/cmd/absolink/internal/rows"
	"absolink/cmd/absolink/internal/service"
	"absolink/cmd/absolink/internal/usage"
	"absolink/extract"
)

func (s *session) service(_ *cobra.Command, o *options, args []string) error {
	if len(args) > 0 {
		return fmt.Errorf("service takes no arguments; leave out %q", args[0])
	}
	// Ctrl-C in a terminal reaches the service as well, but the program that uses it decides
	signal.Ignore(os.Interrupt)
	s.printing = true
	table, err := rows.NewTable(rows.JSONL, baseColumns, nil)
	if err != nil {
		return err
	}
	return service.Serve(s.stdin, s.stdout, service.Config{
		Program: thisBuild().version, MaxRecord: int(o.maxRecord), Settings: serviceSettings, AppendBase: table.Append,
	})
}

// settable are the flags that are settings of a request. The other flags of links and rewrite are about files, or are
// members of the request.
var settable = strings.Fields(`standard override-base no-evidence canonical unarchive extended add-place place scheme
	status include exclude only mbox max-record max-ratio fragments base map relative local
	break-signatures keep-dkim`)

// serviceSettings parses the settings of a request: flags of links and rewrite, without the dashes.
func serviceSettings(values map[string]any) (*service.Settings, error) {
	o, cmd := newOptions(), &cobra.Command{Use: "rewrite"}
	o.addFlags(cmd)
	f := cmd.Flags()
	f.Var(&o.choice.statuses, "status", "") // of links
	o.choice.places.known = true            // add-place is before place in the sorted names
	var paths []string                      // of local
	for _, name := range slices.Sorted(maps.Keys(values)) {
		value := values[name]
		if !slices.Contains(settable, name) {
			return nil, fmt.Errorf("there is no setting %q; the settings are %s", name, strings.Join(settable, ", "))
		}
		if rules, ok := value.(map[string]any); ok && name == "map" {
			for _, old := range slices.Sorted(maps.Keys(rules)) {
				new := rules[old]
				if err := o.rules.Add(old, fmt.Sprint(new)); err != nil {
					return nil, fmt.Errorf("--map %s=%v: %w", old, new, err)
				}
			}
			continue
		}
		texts, err := settingTexts(value)
		if err != nil {
			return nil, fmt.Errorf("--%s: %w", name, err)
		}
		if _, list := value.([]any); list && name == "local" {
			paths, texts = texts, []string{"true"}
		}
		for _, text := range texts {
			if err := f.Set(name, text); err != nil {
				return nil, fmt.Errorf("--%s %q: %s", name, text, usage.Reason(err))
			}
		}
	}
	s, err := o.serviceSettings(cmd)
	if err == nil && o.local {
		s.Local = extract.LocalFiles(slices.Values(paths))
	}
	return s, err
}

// settingTexts returns a value of a setting as the texts for its flag.
func settingTexts(value any) (texts []string, err error) {
	switch v := value.(type) {
	case string:
		return []string{v}, nil
	case bool, json.Number:
		return []string{fmt.Sprint(v)}, nil
	case []any:
		for _, element := range v {
			text, ok := element.(string)
			if !ok {
				return nil, fmt.Errorf("%v is not a string", element)
			}
			texts = append(texts, text)
		}
		return texts, nil
	}
	return nil, fmt.Errorf("%v is not a string, a number, true, false, or a list of strings", value)
}

func (o *options) serviceSettings(cmd *cobra.Command) (*service.Settings, error) {
	if err := o.checkFlags(cmd); err != nil {
		return nil, err
	}
	o.settleLocal(cmd)
	table, err := mapping.New(o.rules, nil)
	if err != nil {
		return nil, err
	}
	s := &service.Settings{Extractor: o.settings(), Only: o.only, Chooses: o.choice.selects(), Map: o.newURLs(table),
		Left: mapping.NewLeft(table), Maps: o.maps()}
	if o.noEvidence {
		s.Evidence = inputs.EvidenceNever
	}
	o.set(&s.Extractor)
	if len(o.only) > 0 {
		s.Extractor.Only = o.only.Has
	}
	if o.relative {
		s.Refuse = refuseEmbedding
	}
	return s, nil
}
