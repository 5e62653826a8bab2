package bt

import (
	"strconv"
	"testing"
)

// The benchmarks compare a tree with the same visits made by plain interface
// calls that record nothing: the floor for anything that walks a tree of nodes.
// Each reports ns per visited node; run them in one process for ratios.

type benchEnv struct {
	visits int
	log    []int
}

func (e *benchEnv) Mark() int     { return len(e.log) }
func (e *benchEnv) Undo(mark int) { e.log = e.log[:mark] }

func benchOk(e *benchEnv) Result {
	e.visits++
	return Ok()
}

func benchFail(e *benchEnv) Result {
	e.visits++
	return Fail("no", "")
}

func benchWait(e *benchEnv) Result {
	e.visits++
	return Wait("later", "")
}

// plain is the interface that stands for "no engine at all".
type plain interface{ tick(e *benchEnv) Status }

type (
	plainOk       struct{}
	plainFail     struct{}
	plainWait     struct{}
	plainSequence []plain
	plainSelector []plain
)

func (plainOk) tick(e *benchEnv) Status   { e.visits++; return Success }
func (plainFail) tick(e *benchEnv) Status { e.visits++; return Failure }
func (plainWait) tick(e *benchEnv) Status { e.visits++; return Running }

func (p plainSequence) tick(e *benchEnv) Status {
	for _, c := range p {
		if s := c.tick(e); s != Success {
			return s
		}
	}
	return Success
}

func (p plainSelector) tick(e *benchEnv) Status {
	for _, c := range p {
		if s := c.tick(e); s != Failure {
			return s
		}
	}
	return Failure
}

func benchLeaves(n int, last func(*benchEnv) Result) []Node[*benchEnv] {
	leaves := make([]Node[*benchEnv], n)
	for i := range leaves {
		f := benchOk
		if i == n-1 {
			f = last
		}
		leaves[i] = Leaf("leaf"+strconv.Itoa(i), f)
	}
	return leaves
}

func plainLeaves(n int, last plain) plainSequence {
	leaves := make(plainSequence, n)
	for i := range leaves {
		leaves[i] = plainOk{}
	}
	leaves[n-1] = last
	return leaves
}

// thousand is Sequence(9 x Selector(10 x Sequence(10 leaves))): 1,000 nodes, all
// of them visited, because all but the last sequence of a selector fail at their
// last leaf.
func thousand(wrap func(Node[*benchEnv]) Node[*benchEnv]) Node[*benchEnv] {
	var selectors []Node[*benchEnv]
	for range 9 {
		var sequences []Node[*benchEnv]
		for i := range 10 {
			last := benchFail
			if i == 9 {
				last = benchOk
			}
			sequences = append(sequences, Sequence("sequence"+strconv.Itoa(i), benchLeaves(10, last)...))
		}
		selectors = append(selectors, wrap(Selector("selector"+strconv.Itoa(len(selectors)), sequences...)))
	}
	return Sequence("root", selectors...)
}

func bare(n Node[*benchEnv]) Node[*benchEnv] { return n }

func plainThousand() plain {
	var root plainSequence
	for range 9 {
		var selector plainSelector
		for i := range 10 {
			var last plain = plainFail{}
			if i == 9 {
				last = plainOk{}
			}
			selector = append(selector, plainLeaves(10, last))
		}
		root = append(root, selector)
	}
	return root
}

func perNode(b *testing.B, nodes int) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*nodes), "ns/node")
}

func benchRun(b *testing.B, t *Tree[*benchEnv], nodes int, want Status, opts ...RunOption) {
	b.ReportAllocs()
	env := &benchEnv{}
	for b.Loop() {
		if out := t.Run(env, opts...); out.Status != want {
			b.Fatal(out)
		}
	}
	perNode(b, nodes)
}

func benchPlain(b *testing.B, p plain, nodes int, want Status) {
	b.ReportAllocs()
	env := &benchEnv{}
	for b.Loop() {
		if s := p.tick(env); s != want {
			b.Fatal(s)
		}
	}
	perNode(b, nodes)
}

func BenchmarkTenLeaves(b *testing.B) {
	b.Run("plain", func(b *testing.B) { benchPlain(b, plainLeaves(10, plainOk{}), 11, Success) })
	b.Run("run", func(b *testing.B) {
		benchRun(b, MustCompile(Sequence("root", benchLeaves(10, benchOk)...)), 11, Success)
	})
	b.Run("tick", func(b *testing.B) {
		b.ReportAllocs()
		i := MustCompile(Sequence("root", benchLeaves(10, benchOk)...)).NewInstance()
		env := &benchEnv{}
		for b.Loop() {
			i.Tick(env)
		}
		perNode(b, 11)
	})
}

func BenchmarkThousand(b *testing.B) {
	journal := WithJournal(func(e *benchEnv) Journal { return e })
	gate := func(n Node[*benchEnv]) Node[*benchEnv] {
		return WhenRole(Gate[*benchEnv]{
			Name: "role", Ask: func(*benchEnv) (bool, Reason, error) { return true, Reason{}, nil },
			Enter: func(*benchEnv) {}, Leave: func(*benchEnv) {},
		}, n)
	}
	b.Run("plain", func(b *testing.B) { benchPlain(b, plainThousand(), 1000, Success) })
	b.Run("run", func(b *testing.B) { benchRun(b, MustCompile(thousand(bare)), 1000, Success) })
	b.Run("journal", func(b *testing.B) { benchRun(b, MustCompile(thousand(bare), journal), 1000, Success) })
	b.Run("gates", func(b *testing.B) { benchRun(b, MustCompile(thousand(gate)), 1009, Success) })
	b.Run("traced", func(b *testing.B) {
		benchRun(b, MustCompile(thousand(bare)), 1000, Success, WithTrace(NewTrace(0, nil)))
	})
}

func BenchmarkReactive(b *testing.B) {
	conditions := benchLeaves(4, benchOk)
	t := MustCompile(ReactiveSequence("root", append(conditions, Leaf("wait", benchWait, Waits()))...))
	b.Run("plain", func(b *testing.B) { benchPlain(b, plainLeaves(5, plainWait{}), 6, Running) })
	b.Run("tick", func(b *testing.B) {
		b.ReportAllocs()
		i, env := t.NewInstance(), &benchEnv{}
		for b.Loop() {
			if out := i.Tick(env); out.Status != Running {
				b.Fatal(out)
			}
		}
		perNode(b, 6)
	})
}

// BenchmarkOpen measures the opening of a run of a tree of 1,000 nodes.
func BenchmarkOpen(b *testing.B) {
	t := MustCompile(thousand(bare))
	b.Run("pooled", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			t.runs.Get().(*exec[*benchEnv]).release()
		}
	})
	b.Run("unpooled", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			newExec(t)
		}
	})
	b.Run("instance", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			t.NewInstance()
		}
	})
}

var benchKey = NewKey[string]("text")

// BenchmarkCells measures a leaf that sets a string and one that gets it.
func BenchmarkCells(b *testing.B) {
	t := MustCompile(Sequence("root",
		CellLeaf("set", func(_ *benchEnv, c *Cells) Result { Set(c, benchKey, "value"); return Ok() }, Writes(benchKey)),
		CellLeaf("get", func(_ *benchEnv, c *Cells) Result {
			if _, ok := Get(c, benchKey); !ok {
				return Fail("unset", "")
			}
			return Ok()
		}, Reads(benchKey)),
	))
	benchRun(b, t, 3, Success)
}

func BenchmarkCompileThousand(b *testing.B) {
	b.ReportAllocs()
	root := thousand(bare)
	for b.Loop() {
		MustCompile(root)
	}
}
