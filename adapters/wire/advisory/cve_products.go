package advisory

import "strings"

type cveProduct struct {
	Vendor        string       `json:"vendor"`
	Product       string       `json:"product"`
	Package       string       `json:"packageName"`
	PackageURL    string       `json:"packageURL"`
	Collection    string       `json:"collectionURL"`
	Repo          string       `json:"repo"`
	Platforms     []string     `json:"platforms"`
	Modules       []string     `json:"modules"`
	Files         []string     `json:"programFiles"`
	Routines      []cveRoutine `json:"programRoutines"`
	DefaultStatus string       `json:"defaultStatus"`
	Versions      []cveVersion `json:"versions"`
}

type cveRoutine struct {
	Name string `json:"name"`
}

type cveVersion struct {
	Version         string `json:"version"`
	Status          string `json:"status"`
	Type            string `json:"versionType"`
	LessThan        string `json:"lessThan"`
	LessThanOrEqual string `json:"lessThanOrEqual"`
	Changes         []struct {
		At     string `json:"at"`
		Status string `json:"status"`
	} `json:"changes"`
}

// productLines is one item a product, with its versions below by status.
func productLines(products []cveProduct) (lines []string) {
	for i := range products {
		p := &products[i]
		var routines []string
		for _, r := range p.Routines {
			routines = append(routines, r.Name)
		}
		item := []string{
			joined(" ", p.Vendor, p.Product),
			labelled("package", joined(" in ", p.Package, p.Collection)),
			labelled("package URL", p.PackageURL),
			labelled("repository", p.Repo),
			labelled("platforms", strings.Join(p.Platforms, ", ")),
			labelled("modules", strings.Join(p.Modules, ", ")),
			labelled("files", strings.Join(p.Files, ", ")),
			labelled("routines", strings.Join(routines, ", ")),
		}
		item = append(item, versionLines(p.Versions)...)
		item = append(item, labelled("otherwise", p.DefaultStatus))
		lines = append(lines, joined("\n", item...))
	}
	return lines
}

// versionLines is one line a status, in the order in which the statuses occur.
func versionLines(versions []cveVersion) []string {
	var order []string
	byStatus := map[string][]string{}
	for i := range versions {
		v := &versions[i]
		if byStatus[v.Status] == nil {
			order = append(order, v.Status)
		}
		byStatus[v.Status] = append(byStatus[v.Status], v.String())
	}
	var lines []string
	for _, status := range order {
		lines = append(lines, joined(": ", status, strings.Join(byStatus[status], ", ")))
	}
	return lines
}

// String is a version or a range of them, with the changes of status inside.
func (v *cveVersion) String() string {
	span := v.Version
	switch {
	case v.LessThan != "":
		span = "from " + v.Version + " before " + v.LessThan
	case v.LessThanOrEqual != "":
		span = "from " + v.Version + " through " + v.LessThanOrEqual
	}
	remarks := []string{v.Type}
	if v.Type == "custom" {
		remarks = nil
	}
	for _, c := range v.Changes {
		remarks = append(remarks, c.Status+" from "+c.At)
	}
	return bracketed(span, joined(", ", remarks...))
}
