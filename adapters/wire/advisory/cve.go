package advisory

import (
	"regexp"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"bateleur/core/fault"
)

// cveRecord is what is read of a CVE record of format 5.
type cveRecord struct {
	DataType    string `json:"dataType"`
	DataVersion string `json:"dataVersion"`
	Meta        struct {
		ID        string `json:"cveId"`
		State     string `json:"state"`
		Assigner  string `json:"assignerShortName"`
		Reserved  string `json:"dateReserved"`
		Published string `json:"datePublished"`
		Updated   string `json:"dateUpdated"`
		Rejected  string `json:"dateRejected"`
	} `json:"cveMetadata"`
	Containers struct {
		CNA cveContainer   `json:"cna"`
		ADP []cveContainer `json:"adp"`
	} `json:"containers"`
}

type cveContainer struct {
	Title    string `json:"title"`
	Provider struct {
		Name string `json:"shortName"`
	} `json:"providerMetadata"`
	Assigned        string         `json:"dateAssigned"`
	Public          string         `json:"datePublic"`
	Tags            []string       `json:"tags"`
	Descriptions    []cveText      `json:"descriptions"`
	RejectedReasons []cveText      `json:"rejectedReasons"`
	ReplacedBy      []string       `json:"replacedBy"`
	Configurations  []cveText      `json:"configurations"`
	Workarounds     []cveText      `json:"workarounds"`
	Solutions       []cveText      `json:"solutions"`
	Exploits        []cveText      `json:"exploits"`
	Affected        []cveProduct   `json:"affected"`
	ProblemTypes    []cveProblem   `json:"problemTypes"`
	Impacts         []cveImpact    `json:"impacts"`
	Metrics         []cveMetric    `json:"metrics"`
	References      []cveReference `json:"references"`
	Timeline        []cveEvent     `json:"timeline"`
	Credits         []cveCredit    `json:"credits"`
	Source          jsontext.Value `json:"source"`
}

type cveText struct {
	Lang  string `json:"lang"`
	Value string `json:"value"`
}

type cveProblem struct {
	Descriptions []struct {
		CWE  string `json:"cweId"`
		Text string `json:"description"`
	} `json:"descriptions"`
}

type cveImpact struct {
	CAPEC        string    `json:"capecId"`
	Descriptions []cveText `json:"descriptions"`
}

type cveMetric struct {
	Scenarios []cveText `json:"scenarios"`
	V40       *score    `json:"cvssV4_0"`
	V31       *score    `json:"cvssV3_1"`
	V30       *score    `json:"cvssV3_0"`
	V20       *score    `json:"cvssV2_0"`
	Other     struct {
		Type    string         `json:"type"`
		Content jsontext.Value `json:"content"`
	} `json:"other"`
}

type cveReference struct {
	URL  string   `json:"url"`
	Name string   `json:"name"`
	Tags []string `json:"tags"`
}

type cveEvent struct {
	Time  string `json:"time"`
	Value string `json:"value"`
}

type cveCredit struct {
	Type  string `json:"type"`
	Value string `json:"value"`
}

var cveID = regexp.MustCompile(`^CVE-[0-9]{4}-[0-9]{4,19}$`)

func parseCVE(name string, text []byte) (Report, error) {
	var rec cveRecord
	if err := decode(name, text, &rec); err != nil {
		return Report{}, err
	}
	switch {
	case rec.DataType != "CVE_RECORD":
		return Report{}, fault.Field(op, name, "dataType", "must be CVE_RECORD")
	case !strings.HasPrefix(rec.DataVersion, "5."):
		return Report{}, fault.New(op, name, fault.Unsupported, "CVE records of format 5 are read, not "+rec.DataVersion)
	case !cveID.MatchString(rec.Meta.ID):
		return Report{}, fault.Field(op, name, "cveMetadata.cveId", "must be a CVE id")
	case rec.Meta.State != "PUBLISHED" && rec.Meta.State != "REJECTED":
		return Report{}, fault.Field(op, name, "cveMetadata.state", "must be PUBLISHED or REJECTED")
	}
	return Report{
		Format:    FormatCVE,
		ID:        rec.Meta.ID,
		Title:     rec.title(),
		Content:   rec.content(),
		Published: published(rec.Meta.Published),
	}, nil
}

func (rec *cveRecord) title() string {
	candidates := []string{rec.Containers.CNA.Title}
	for _, c := range append([]cveContainer{rec.Containers.CNA}, rec.Containers.ADP...) {
		for _, d := range englishFirst(append(c.Descriptions, c.RejectedReasons...)) {
			candidates = append(candidates, firstLine(d.Value))
		}
	}
	found := title(append(candidates, rec.Meta.ID)...)
	if rec.Meta.State == "REJECTED" {
		return oneLine("Rejected: " + found)
	}
	return found
}

// englishFirst puts the texts tagged as English before the others.
func englishFirst(texts []cveText) []cveText {
	var english, others []cveText
	for _, t := range texts {
		if strings.HasPrefix(strings.ToLower(t.Lang), "en") {
			english = append(english, t)
		} else {
			others = append(others, t)
		}
	}
	return append(english, others...)
}
