package advisory

import "strings"

// osvRecord is what is read of an OSV record.
type osvRecord struct {
	ID        string        `json:"id"`
	Modified  string        `json:"modified"`
	Published string        `json:"published"`
	Withdrawn string        `json:"withdrawn"`
	Aliases   []string      `json:"aliases"`
	Upstream  []string      `json:"upstream"`
	Related   []string      `json:"related"`
	Summary   string        `json:"summary"`
	Details   string        `json:"details"`
	Severity  []osvSeverity `json:"severity"`
	Affected  []osvAffected `json:"affected"`
	Refs      []struct {
		Type string `json:"type"`
		URL  string `json:"url"`
	} `json:"references"`
	Credits []struct {
		Name    string   `json:"name"`
		Contact []string `json:"contact"`
		Type    string   `json:"type"`
	} `json:"credits"`
}

type osvSeverity struct {
	Type  string `json:"type"`
	Score string `json:"score"`
}

type osvAffected struct {
	Package struct {
		Ecosystem string `json:"ecosystem"`
		Name      string `json:"name"`
		PURL      string `json:"purl"`
	} `json:"package"`
	Severity []osvSeverity `json:"severity"`
	Ranges   []osvRange    `json:"ranges"`
	Versions []string      `json:"versions"`
}

type osvRange struct {
	Type   string `json:"type"`
	Repo   string `json:"repo"`
	Events []struct {
		Introduced   string `json:"introduced"`
		Fixed        string `json:"fixed"`
		LastAffected string `json:"last_affected"`
		Limit        string `json:"limit"`
	} `json:"events"`
}

func parseOSV(name string, text []byte) (Report, error) {
	var rec osvRecord
	if err := decode(name, text, &rec); err != nil {
		return Report{}, err
	}
	return Report{
		Format:    FormatOSV,
		ID:        rec.ID,
		Title:     title(rec.Summary, firstHeading(rec.Details), firstLine(rec.Details), rec.ID),
		Content:   rec.content(),
		Aliases:   rec.Aliases,
		Published: published(rec.Published),
	}, nil
}

func (rec *osvRecord) content() string {
	var s sheet
	s.heading(rec.ID, rec.Summary)
	s.block("Description", rec.Details)
	s.list("Affected", rec.affected())
	s.list("Severity", severityLines(rec.Severity))
	s.list("Aliases", rec.Aliases)
	s.list("Upstream", rec.Upstream)
	s.list("Related", rec.Related)
	s.list("References", rec.references())
	s.list("Credits", rec.credits())
	s.list("Dates", []string{
		dated("published", rec.Published),
		dated("modified", rec.Modified),
		dated("withdrawn", rec.Withdrawn),
	})
	return s.String()
}

func (rec *osvRecord) affected() (lines []string) {
	for i := range rec.Affected {
		a := &rec.Affected[i]
		item := []string{
			joined(" ", a.Package.Ecosystem, a.Package.Name),
			labelled("package URL", a.Package.PURL),
		}
		for _, r := range a.Ranges {
			item = append(item, r.String())
		}
		item = append(item, labelled("versions", strings.Join(a.Versions, ", ")))
		for _, line := range severityLines(a.Severity) {
			item = append(item, labelled("severity", line))
		}
		lines = append(lines, joined("\n", item...))
	}
	return lines
}

// String is the range's events in their order.
func (r *osvRange) String() string {
	var events []string
	for _, e := range r.Events {
		for _, point := range [][2]string{
			{"introduced", e.Introduced}, {"fixed", e.Fixed}, {"last affected", e.LastAffected}, {"limit", e.Limit},
		} {
			if point[1] != "" {
				events = append(events, point[0]+" "+point[1])
			}
		}
	}
	return labelled(joined(" ", "range", r.Type, r.Repo), strings.Join(events, ", "))
}

func severityLines(severities []osvSeverity) (lines []string) {
	for _, s := range severities {
		lines = append(lines, bracketed(s.Score, s.Type))
	}
	return lines
}

func (rec *osvRecord) references() (lines []string) {
	for _, r := range rec.Refs {
		lines = append(lines, bracketed(r.URL, r.Type))
	}
	return lines
}

func (rec *osvRecord) credits() (lines []string) {
	for _, c := range rec.Credits {
		lines = append(lines, bracketed(c.Name, joined("; ", c.Type, strings.Join(c.Contact, ", "))))
	}
	return lines
}
