package advisory

import (
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
)

func (rec *cveRecord) content() string {
	var s sheet
	s.heading(rec.Meta.ID, rec.Containers.CNA.Title)
	s.list("Record", []string{
		labelled("state", rec.Meta.State),
		labelled("assigned by", rec.Meta.Assigner),
		labelled("tags", strings.Join(rec.Containers.CNA.Tags, ", ")),
	})
	rec.Containers.CNA.write(&s)
	s.list("Dates", []string{
		dated("reserved", rec.Meta.Reserved),
		dated("assigned", rec.Containers.CNA.Assigned),
		dated("public", rec.Containers.CNA.Public),
		dated("published", rec.Meta.Published),
		dated("rejected", rec.Meta.Rejected),
		dated("updated", rec.Meta.Updated),
	})
	for i := range rec.Containers.ADP {
		rec.Containers.ADP[i].writeAddition(&s, &rec.Containers.CNA)
	}
	return s.String()
}

// write puts a container's sections onto the sheet, descriptions first.
func (c *cveContainer) write(s *sheet) {
	writeTexts(s, "Reason for rejection", c.RejectedReasons)
	s.list("Replaced by", c.ReplacedBy)
	writeTexts(s, "Description", c.Descriptions)
	s.list("Affected", productLines(c.Affected))
	s.list("Weaknesses", c.weaknesses())
	s.list("Impact", c.impacts())
	s.list("Severity", c.severities())
	writeTexts(s, "Configurations", c.Configurations)
	writeTexts(s, "Exploits", c.Exploits)
	writeTexts(s, "Workarounds", c.Workarounds)
	writeTexts(s, "Solutions", c.Solutions)
	s.list("References", c.references())
	s.list("Timeline", c.events())
	s.list("Credits", c.credits())
	s.list("Source", []string{c.source()})
}

// writeAddition puts what another party added onto the sheet, if it added
// anything. References that the CNA gave are often copied here.
func (c *cveContainer) writeAddition(s *sheet, cna *cveContainer) {
	added := *c
	added.References = slices.DeleteFunc(slices.Clone(c.References), func(r cveReference) bool {
		return slices.ContainsFunc(cna.References, func(known cveReference) bool { return known.URL == r.URL })
	})
	var own sheet
	added.write(&own)
	if own.Len() > 0 {
		s.WriteString("\nAdded by " + bracketed(c.Provider.Name, c.Title) + "\n" + own.String())
	}
}

func writeTexts(s *sheet, name string, texts []cveText) {
	for _, t := range texts {
		s.block(bracketed(name, t.Lang), t.Value)
	}
}

func (c *cveContainer) weaknesses() (lines []string) {
	for _, p := range c.ProblemTypes {
		for _, d := range p.Descriptions {
			lines = append(lines, withID(d.CWE, d.Text))
		}
	}
	return lines
}

func (c *cveContainer) impacts() (lines []string) {
	for _, i := range c.Impacts {
		for _, d := range i.Descriptions {
			lines = append(lines, withID(i.CAPEC, d.Value))
		}
	}
	return lines
}

// withID puts an id before a text that does not start with it.
func withID(id, text string) string {
	if strings.HasPrefix(text, id) {
		return text
	}
	return joined(" ", id, text)
}

func (c *cveContainer) severities() (lines []string) {
	for _, m := range c.Metrics {
		var scenarios []string
		for _, s := range m.Scenarios {
			if s.Value != "GENERAL" {
				scenarios = append(scenarios, s.Value)
			}
		}
		for _, v := range []*score{m.V40, m.V31, m.V30, m.V20} {
			if v != nil {
				lines = append(lines, joined(": ", v.String(), strings.Join(scenarios, "; ")))
			}
		}
		if m.Other.Type != "" {
			_ = m.Other.Content.Compact() // it was valid before
			lines = append(lines, joined(": ", m.Other.Type, string(m.Other.Content)))
		}
	}
	return lines
}

func (c *cveContainer) references() (lines []string) {
	for _, r := range c.References {
		name := r.Name
		if name == r.URL {
			name = ""
		}
		lines = append(lines, bracketed(r.URL, joined("; ", name, strings.Join(r.Tags, ", "))))
	}
	return lines
}

func (c *cveContainer) events() (lines []string) {
	for _, e := range c.Timeline {
		lines = append(lines, joined(": ", when(e.Time), e.Value))
	}
	return lines
}

func (c *cveContainer) credits() (lines []string) {
	for _, k := range c.Credits {
		lines = append(lines, bracketed(k.Value, k.Type))
	}
	return lines
}

// source is the CNA's own advisory id. The member is free form: converted records
// have all kinds of things here.
func (c *cveContainer) source() string {
	var source struct {
		Advisory string `json:"advisory"`
	}
	if json.Unmarshal(c.Source, &source) != nil {
		return ""
	}
	return labelled("advisory", source.Advisory)
}
