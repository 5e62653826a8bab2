package laws

import (
	"fmt"
	"regexp"
	"strings"

	"bateleur/test/simnet"
)

// normal rewrites text so that two runs of one scenario read alike: ids and
// hashes become numbers in the order in which they first appear, times one word,
// and actors the names of their parts.
type normal struct {
	parts *strings.Replacer
	seen  map[string]string
}

func newNormal(g *stage, others ...simnet.Party) *normal {
	names := []string{g.F.URI(), "FINDER", g.V.URI(), "VENDOR", g.M.URI(), "MANAGER"}
	for _, p := range others {
		names = append(names, p.URI(), strings.ToUpper(p.ID.Segment()))
	}
	return &normal{parts: strings.NewReplacer(names...), seen: map[string]string{}}
}

var varying = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}` +
	`|\b[0-9a-f]{64}\b` +
	`|\b20\d\d-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)`)

func (n *normal) text(s string) string {
	return varying.ReplaceAllStringFunc(n.parts.Replace(s), func(v string) string {
		if strings.HasPrefix(v, "20") && strings.Contains(v, ":") {
			return "TIME"
		}
		name, known := n.seen[v]
		if !known {
			kind := "ID"
			if len(v) == 64 {
				kind = "HASH"
			}
			name = fmt.Sprintf("%s%d", kind, len(n.seen)+1)
			n.seen[v] = name
		}
		return name
	})
}
