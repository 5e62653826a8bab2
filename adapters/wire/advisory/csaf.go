package advisory

import (
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"bateleur/core/fault"
)

// csafAdvisory is what is read of a CSAF document, 2.0 and 2.1 together.
type csafAdvisory struct {
	Document struct {
		Version      string `json:"csaf_version"`
		Category     string `json:"category"`
		Title        string `json:"title"`
		Distribution struct {
			Text string `json:"text"`
			TLP  struct {
				Label string `json:"label"`
			} `json:"tlp"`
		} `json:"distribution"`
		Publisher struct {
			Name      string `json:"name"`
			Namespace string `json:"namespace"`
		} `json:"publisher"`
		Severity struct {
			Text string `json:"text"`
		} `json:"aggregate_severity"`
		Notes           []csafNote           `json:"notes"`
		References      []csafReference      `json:"references"`
		Acknowledgments []csafAcknowledgment `json:"acknowledgments"`
		Tracking        csafTracking         `json:"tracking"`
	} `json:"document"`
	Products        csafProducts        `json:"product_tree"`
	Vulnerabilities []csafVulnerability `json:"vulnerabilities"`
}

type csafTracking struct {
	ID       string   `json:"id"`
	Aliases  []string `json:"aliases"`
	Status   string   `json:"status"`
	Version  string   `json:"version"`
	Initial  string   `json:"initial_release_date"`
	Current  string   `json:"current_release_date"`
	Revision []struct {
		Date    string `json:"date"`
		Number  string `json:"number"`
		Summary string `json:"summary"`
	} `json:"revision_history"`
}

type csafNote struct {
	Category string `json:"category"`
	Title    string `json:"title"`
	Text     string `json:"text"`
}

type csafReference struct {
	Category string `json:"category"`
	Summary  string `json:"summary"`
	URL      string `json:"url"`
}

type csafAcknowledgment struct {
	Names        []string `json:"names"`
	Organization string   `json:"organization"`
	Summary      string   `json:"summary"`
}

type csafCWE struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// csafScore is a score of 2.0 and the content of a metric of 2.1.
type csafScore struct {
	V2 *score `json:"cvss_v2"`
	V3 *score `json:"cvss_v3"`
	V4 *score `json:"cvss_v4"`
}

type csafStatement struct {
	Category string   `json:"category"`
	Date     string   `json:"date"`
	Details  string   `json:"details"`
	URL      string   `json:"url"`
	Label    string   `json:"label"`
	Products []string `json:"product_ids"`
	Groups   []string `json:"group_ids"`
}

type csafVulnerability struct {
	CVE   string `json:"cve"`
	Title string `json:"title"`
	IDs   []struct {
		System string `json:"system_name"`
		Text   string `json:"text"`
	} `json:"ids"`
	CWE        csafCWE             `json:"cwe"`  // 2.0
	CWEs       []csafCWE           `json:"cwes"` // 2.1
	Notes      []csafNote          `json:"notes"`
	References []csafReference     `json:"references"`
	Status     map[string][]string `json:"product_status"`
	Scores     []struct {
		csafScore
		Products []string `json:"products"`
	} `json:"scores"` // 2.0
	Metrics []struct {
		Content  csafScore `json:"content"`
		Products []string  `json:"products"`
	} `json:"metrics"` // 2.1
	Remediations    []csafStatement      `json:"remediations"`
	Threats         []csafStatement      `json:"threats"`
	Flags           []csafStatement      `json:"flags"`
	Acknowledgments []csafAcknowledgment `json:"acknowledgments"`
	Discovered      string               `json:"discovery_date"`
	Released        string               `json:"release_date"`    // 2.0
	Disclosed       string               `json:"disclosure_date"` // 2.1
}

// isCSAF tells whether a top-level "document" is that of CSAF.
func isCSAF(document jsontext.Value) bool {
	var d struct {
		Version jsontext.Value `json:"csaf_version"`
	}
	return document.Kind() == '{' && json.Unmarshal(document, &d) == nil && d.Version != nil
}

func parseCSAF(name string, text []byte) (Report, error) {
	var adv csafAdvisory
	if err := decode(name, text, &adv); err != nil {
		return Report{}, err
	}
	doc := &adv.Document
	switch {
	case doc.Version != "2.0" && doc.Version != "2.1":
		return Report{}, fault.New(op, name, fault.Unsupported, "CSAF 2.0 and 2.1 are read, not "+doc.Version)
	case doc.Tracking.ID == "":
		return Report{}, fault.Field(op, name, "document.tracking.id", "missing")
	}
	names := adv.Products.names()
	content := adv.content(names)
	if names.left < 0 {
		return Report{}, fault.New(op, name, fault.TooLarge, "the names of its products come to more than can be read")
	}
	return Report{
		Format:    FormatCSAF,
		ID:        doc.Tracking.ID,
		Title:     title(doc.Title, doc.Tracking.ID),
		Content:   content,
		Aliases:   adv.aliases(),
		Published: published(doc.Tracking.Initial),
	}, nil
}

// aliases are the advisory's own, then the CVE ids it is about.
func (adv *csafAdvisory) aliases() []string {
	var ids []string
	for _, a := range adv.Document.Tracking.Aliases {
		if a != "" && !slices.Contains(ids, a) {
			ids = append(ids, a)
		}
	}
	for i := range adv.Vulnerabilities {
		if cve := adv.Vulnerabilities[i].CVE; cve != "" && !slices.Contains(ids, cve) {
			ids = append(ids, cve)
		}
	}
	return ids
}
