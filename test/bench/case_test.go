package bench

import (
	"testing"

	"bateleur/core/bt"
	"bateleur/core/scope"
	"bateleur/core/usecases/leaf"
)

// BenchmarkCaseTree is the visit of a guard in a tree over scopes, journal and
// all: ten guards in a sequence.
func BenchmarkCaseTree(b *testing.B) {
	var guards []leaf.Node
	for i := range 10 {
		guards = append(guards, leaf.Guard(string(rune('a'+i)), func(*scope.Scope) bt.Result { return bt.Ok() }))
	}
	tree, err := bt.Compile(bt.Sequence("ten guards", guards...), bt.SingleShot())
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if out := tree.Run(nil); out.Status != bt.Success {
			b.Fatal(out)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/11, "ns/node")
}
