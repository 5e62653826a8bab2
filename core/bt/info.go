package bt

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash/fnv"
)

// NodeInfo describes one node of a compiled tree. The slices are shared: do not
// change them.
type NodeInfo struct {
	Index  int    // place in preorder
	ID     uint64 // from Path alone, so it survives rebuilds
	Path   string // names from the root, joined by "/"
	Name   string
	Kind   Kind
	Depth  int // 0 for the root
	Parent int // index, -1 for the root
	End    int // index after the last descendant

	Gate   string // name of a WhenRole's or RequireRole's gate
	Grants string // what that gate grants
	Force  Status // what a Force ends with

	Waits  bool // a leaf's declarations
	Latch  bool
	Needs  []string
	Reads  []string
	Writes []string
}

// pathID is the 64-bit FNV-1a hash of a path.
func pathID(path string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(path))
	return h.Sum64()
}

// definitionHash covers what a definition declares, each field quoted so that
// none can run into the next.
func definitionHash(infos []NodeInfo) string {
	h := sha256.New()
	fmt.Fprintf(h, "bt/%d\n", Semantics)
	for _, n := range infos {
		fmt.Fprintf(h, "%d %s %q %q %q %d %t %t %q %q %q\n", n.End, n.Kind, n.Path,
			n.Gate, n.Grants, n.Force, n.Waits, n.Latch, n.Needs, n.Reads, n.Writes)
	}
	return hex.EncodeToString(h.Sum(nil))
}

func newInfo[E any](d *def[E]) NodeInfo {
	return NodeInfo{
		Name: d.name, Kind: d.kind, Force: d.force,
		Gate: d.gate.Name, Grants: d.gate.Grants,
		Waits: d.leaf.waits, Latch: d.leaf.latch, Needs: d.leaf.needs,
		Reads: keyNames(d.leaf.reads), Writes: keyNames(d.leaf.writes),
	}
}

func keyNames(keys []*keyInfo) []string {
	var names []string
	for _, k := range keys {
		if k != nil {
			names = append(names, k.name)
		}
	}
	return names
}
