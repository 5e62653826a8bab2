package bt

import (
	"strconv"
	"strings"
)

// Mermaid draws the tree as a Mermaid flowchart, from the top down. The chart's
// node n3 is the node with Index 3.
func (t *Tree[E]) Mermaid() string { return drawMermaid(t.info, nil) }

// Mermaid draws the traced tree, with the visited nodes coloured by status.
func (t *Trace) Mermaid() string { return drawMermaid(t.nodes, t.states()) }

// Mermaid draws the instance's tree, coloured by the statuses of its present run.
func (i *Instance[E]) Mermaid() string { return drawMermaid(i.x.tree.info, i.states()) }

// stateClasses are chosen to be told apart without colour, by their borders.
var stateClasses = [...]struct{ name, style string }{
	succeeded: {"success", "fill:#d9f2d9,stroke:#2e7d32,stroke-width:2px"},
	failed:    {"failure", "fill:#f9d6d5,stroke:#c62828,stroke-width:3px"},
	waiting:   {"running", "fill:#fff3cd,stroke:#b8860b,stroke-width:2px,stroke-dasharray:6 3"},
	skipped:   {"skipped", "fill:#e8e8e8,stroke:#616161,stroke-dasharray:2 2"},
	broken:    {"error", "fill:#f3d1f4,stroke:#6a1b9a,stroke-width:4px"},
}

func drawMermaid(nodes []NodeInfo, states []state) string {
	var b strings.Builder
	b.WriteString("flowchart TD\n")
	for i := range nodes {
		n := &nodes[i]
		left, right := n.shape()
		b.WriteString("  n" + strconv.Itoa(i) + left + `"` + mermaidText(n.mark()+" "+n.label()) + `"` + right + "\n")
		if n.Parent >= 0 {
			b.WriteString("  n" + strconv.Itoa(n.Parent) + " --> n" + strconv.Itoa(i) + "\n")
		}
	}
	for s := succeeded; int(s) < len(stateClasses); s++ {
		writeClass(&b, states, s)
	}
	return b.String()
}

func (n *NodeInfo) shape() (left, right string) {
	switch {
	case n.Latch:
		return "[(", ")]"
	case n.Kind == KindLeaf:
		return "(", ")"
	case n.Kind == KindWhenRole, n.Kind == KindRequireRole:
		return "{{", "}}"
	case n.Kind == KindSubtree:
		return "[[", "]]"
	}
	return "[", "]"
}

// writeClass lists the nodes in one state, if there are any.
func writeClass(b *strings.Builder, states []state, s state) {
	var ids []string
	for i, is := range states {
		if is == s {
			ids = append(ids, "n"+strconv.Itoa(i))
		}
	}
	if ids == nil {
		return
	}
	c := stateClasses[s]
	b.WriteString("  classDef " + c.name + " " + c.style + "\n")
	b.WriteString("  class " + strings.Join(ids, ",") + " " + c.name + "\n")
}

// mermaidEscapes are the characters that would end a quoted label or be taken for markup.
var mermaidEscapes = strings.NewReplacer(
	"#", "#35;", `"`, "#quot;", "<", "#lt;", ">", "#gt;", "&", "#amp;", "`", "#96;", "\n", " ",
)

func mermaidText(s string) string { return mermaidEscapes.Replace(s) }
