package advisory

import (
	"fmt"
	"slices"
	"strings"
)

func (adv *csafAdvisory) content(names *productNames) string {
	var s sheet
	doc := &adv.Document
	s.heading(doc.Tracking.ID, doc.Title)
	s.list("Advisory", []string{
		labelled("published by", bracketed(doc.Publisher.Name, doc.Publisher.Namespace)),
		labelled("category", doc.Category),
		labelled("status", joined(", ", doc.Tracking.Status, labelled("version", doc.Tracking.Version))),
		labelled("severity", doc.Severity.Text),
		labelled("TLP", doc.Distribution.TLP.Label),
		labelled("distribution", doc.Distribution.Text),
	})
	writeNotes(&s, doc.Notes)
	for i := range adv.Vulnerabilities {
		adv.Vulnerabilities[i].write(&s, i+1, names)
	}
	s.list("Product groups", adv.Products.groupLines(names))
	s.list("References", referenceLines(doc.References))
	s.list("Acknowledgments", thanksLines(doc.Acknowledgments))
	s.list("Dates", []string{
		dated("first released", doc.Tracking.Initial),
		dated("this release", doc.Tracking.Current),
	})
	s.list("Revisions", doc.Tracking.revisions())
	return s.String()
}

func (t *csafTracking) revisions() (lines []string) {
	for _, r := range t.Revision {
		lines = append(lines, joined(": ", joined(", ", r.Number, when(r.Date)), r.Summary))
	}
	return lines
}

// write puts one vulnerability's sections onto the sheet.
func (v *csafVulnerability) write(s *sheet, number int, names *productNames) {
	fmt.Fprintf(s, "\n%s\n", joined(": ", fmt.Sprint("Vulnerability ", number), joined(" ", v.CVE, v.Title)))
	writeNotes(s, v.Notes)
	s.list("Products", names.statusLines(v.Status))
	s.list("Severity", v.severities(names))
	s.list("Weaknesses", v.weaknesses())
	s.list("Threats", statementLines(v.Threats, names))
	s.list("Remediations", statementLines(v.Remediations, names))
	s.list("Flags", statementLines(v.Flags, names))
	s.list("Other ids", v.otherIDs())
	s.list("References", referenceLines(v.References))
	s.list("Acknowledgments", thanksLines(v.Acknowledgments))
	s.list("Dates", []string{
		dated("discovered", v.Discovered),
		dated("released", v.Released),
		dated("disclosed", v.Disclosed),
	})
}

func writeNotes(s *sheet, notes []csafNote) {
	for _, n := range notes {
		s.block(bracketed(n.Title, n.Category), n.Text)
	}
}

func (v *csafVulnerability) severities(names *productNames) (lines []string) {
	line := func(c csafScore, products []string) {
		for _, cvss := range []*score{c.V4, c.V3, c.V2} {
			if cvss != nil {
				lines = append(lines, joined("\n", cvss.String(), labelled("for", strings.Join(names.of(products), ", "))))
			}
		}
	}
	for _, m := range v.Scores {
		line(m.csafScore, m.Products)
	}
	for _, m := range v.Metrics {
		line(m.Content, m.Products)
	}
	return lines
}

func (v *csafVulnerability) weaknesses() (lines []string) {
	for _, w := range append([]csafCWE{v.CWE}, v.CWEs...) {
		lines = append(lines, joined(" ", w.ID, w.Name))
	}
	return lines
}

func (v *csafVulnerability) otherIDs() (lines []string) {
	for _, id := range v.IDs {
		lines = append(lines, joined(": ", id.System, id.Text))
	}
	return lines
}

// statementLines is one item a threat, remediation or flag, with the products it
// is about.
func statementLines(statements []csafStatement, names *productNames) (lines []string) {
	for _, st := range statements {
		kind := strings.ReplaceAll(joined(" ", st.Category, st.Label), "_", " ")
		what := joined(": ", bracketed(kind, when(st.Date)), st.Details)
		about := names.of(slices.Concat(st.Products, st.Groups))
		lines = append(lines, joined("\n", what, st.URL, labelled("for", strings.Join(about, ", "))))
	}
	return lines
}

func referenceLines(refs []csafReference) (lines []string) {
	for _, r := range refs {
		summary := r.Summary
		if summary == r.URL {
			summary = ""
		}
		lines = append(lines, bracketed(r.URL, joined("; ", summary, r.Category)))
	}
	return lines
}

func thanksLines(thanks []csafAcknowledgment) (lines []string) {
	for _, a := range thanks {
		lines = append(lines, joined(": ", joined(", ", strings.Join(a.Names, ", "), a.Organization), a.Summary))
	}
	return lines
}
