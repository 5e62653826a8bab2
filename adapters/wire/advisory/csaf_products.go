package advisory

import (
	"maps"
	"slices"
	"strings"
)

// csafProducts is a product tree.
type csafProducts struct {
	Branches      []csafBranch  `json:"branches"`
	Names         []csafProduct `json:"full_product_names"`
	Relationships []struct {
		Product csafProduct `json:"full_product_name"`
	} `json:"relationships"` // 2.0
	Paths []struct {
		Product csafProduct `json:"full_product_name"`
	} `json:"product_paths"` // 2.1
	Groups []struct {
		ID       string   `json:"group_id"`
		Summary  string   `json:"summary"`
		Products []string `json:"product_ids"`
	} `json:"product_groups"`
}

type csafProduct struct {
	ID   string `json:"product_id"`
	Name string `json:"name"`
}

type csafBranch struct {
	Product  csafProduct  `json:"product"`
	Branches []csafBranch `json:"branches"`
}

// names maps the ids of products and groups to what people call them.
func (p *csafProducts) names() *productNames {
	out := &productNames{byID: map[string]string{}, left: 2 * MaxSize}
	for _, n := range p.Names {
		out.add(n)
	}
	for _, r := range p.Relationships {
		out.add(r.Product)
	}
	for _, r := range p.Paths {
		out.add(r.Product)
	}
	out.addBranches(p.Branches)
	for _, g := range p.Groups {
		out.add(csafProduct{ID: g.ID, Name: g.Summary})
	}
	return out
}

// productNames are the names behind ids. A small file can name a long name very
// often, so what they may add up to is bounded.
type productNames struct {
	byID map[string]string
	left int // bytes that may still be written; negative when it was not enough
}

func (n *productNames) add(p csafProduct) {
	if p.ID != "" && p.Name != "" {
		n.byID[p.ID] = p.Name
	}
}

func (n *productNames) addBranches(branches []csafBranch) {
	for i := range branches {
		n.add(branches[i].Product)
		n.addBranches(branches[i].Branches)
	}
}

// of names products; one that the tree does not know goes by its id.
func (n *productNames) of(ids []string) []string {
	out := make([]string, 0, len(ids))
	for _, id := range ids {
		name, ok := n.byID[id]
		if n.left -= len(name); ok && n.left >= 0 {
			id = name
		}
		out = append(out, id)
	}
	return out
}

// statusOrder is the order in which people want to read product statuses.
var statusOrder = []string{
	"known_affected", "first_affected", "last_affected", "under_investigation", "unknown",
	"first_fixed", "fixed", "recommended", "known_not_affected",
}

// groupLines is one item a group with the names of its products below.
func (p *csafProducts) groupLines(n *productNames) (lines []string) {
	for _, g := range p.Groups {
		lines = append(lines, bracketed(g.Summary, g.ID)+":\n"+strings.Join(n.of(g.Products), "\n"))
	}
	return lines
}

// statusLines is one item a status with the names of its products below.
func (n *productNames) statusLines(status map[string][]string) (lines []string) {
	rank := func(s string) int {
		if i := slices.Index(statusOrder, s); i >= 0 {
			return i
		}
		return len(statusOrder)
	}
	kinds := slices.Sorted(maps.Keys(status))
	slices.SortStableFunc(kinds, func(a, b string) int { return rank(a) - rank(b) })
	for _, s := range kinds {
		if len(status[s]) > 0 {
			lines = append(lines, strings.ReplaceAll(s, "_", " ")+":\n"+strings.Join(n.of(status[s]), "\n"))
		}
	}
	return lines
}
