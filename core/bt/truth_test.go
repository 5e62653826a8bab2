package bt

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// letters are the answers a truth table runs through.
var letters = map[byte]Result{'S': Ok(), 'F': no, 'R': later}

// script tells the children of a table, "a", "b" and so on, what to answer.
func script(w *world, answers string) {
	for i := range answers {
		w.answers[string(rune('a'+i))] = letters[answers[i]]
	}
}

// combine lists the answers of n children where those in waits may wait.
func combine(n int, waits string) []string {
	if n == 0 {
		return []string{""}
	}
	var all []string
	for _, head := range combine(n-1, waits) {
		for _, l := range "SFR" {
			if l != 'R' || strings.Contains(waits, string(rune('a'+n-1))) {
				all = append(all, head+string(l))
			}
		}
	}
	return all
}

// table prints what a tree over n children does for all their answers, and where
// it waits what it does at the next tick for all their answers again. Answers of
// children that were not asked are shown as "-" and such rows only once.
func table(b *strings.Builder, title string, n int, waits string, root Node[*world], opts ...CompileOption) {
	tree := MustCompile(root, opts...)
	seen := map[string]bool{}
	fmt.Fprintf(b, "\n%s\n", title)
	for _, first := range combine(n, waits) {
		w, inst := newWorld(), tree.NewInstance()
		script(w, first)
		out := inst.Tick(w)
		row := "  " + asked(first, w.heard) + " " + line(out, w.log)
		if seen[row] {
			continue
		}
		seen[row] = true
		fmt.Fprintln(b, row)
		if out.Status != Running {
			continue
		}
		for _, second := range combine(n, waits) {
			w, inst := newWorld(), tree.NewInstance()
			script(w, first)
			inst.Tick(w)
			w.drain()
			script(w, second)
			out := inst.Tick(w)
			then := "      then " + asked(second, w.heard) + " " + line(out, w.log)
			if !seen[row+then] {
				fmt.Fprintln(b, then)
			}
			seen[row+then] = true
		}
	}
}

// asked replaces the answers of children that are not in the log.
func asked(answers string, log []string) string {
	shown := []byte(answers)
	for i := range shown {
		name := string(rune('a' + i))
		if !slices.Contains(log, name) && !slices.Contains(log, "ask "+name) {
			shown[i] = '-'
		}
	}
	return string(shown)
}

func line(out Outcome, log []string) string {
	s := fmt.Sprintf("%-8s", out.Status)
	if out.Err != nil {
		s = "error   "
	}
	if out.Reason.Code != "" {
		s += " " + out.Reason.Code + " at " + out.Path
	}
	if out.NotMine {
		s += " not mine"
	}
	return fmt.Sprintf("%-32s %s", s, strings.Join(log, ", "))
}

// TestTruthTables compares what every kind does with its written table. Columns:
// the answers of the children a, b, c (S success, F failure, R running), the
// outcome with reason and path, and which leaves were called or halted.
//
// Proves: BA-02-007
func TestTruthTables(t *testing.T) {
	var b strings.Builder
	three := []Node[*world]{waiter("a"), waiter("b"), waiter("c")}
	lastWaits := []Node[*world]{says("a"), says("b"), waiter("c")}
	table(&b, "sequence", 3, "abc", Sequence("x", three...))
	table(&b, "reactive-sequence", 3, "c", ReactiveSequence("x", lastWaits...))
	table(&b, "selector", 3, "abc", Selector("x", three...))
	table(&b, "reactive-selector", 3, "abc", ReactiveSelector("x", three...))
	table(&b, "reactive-selector with a journal (a log without what was undone)", 3, "abc",
		ReactiveSelector("x", three...), journalled)
	table(&b, "latch-last (c is the latch)", 3, "ab",
		LatchLast("x", says("c", Latch()), waiter("a"), waiter("b")))
	table(&b, "invert", 1, "a", Invert("x", waiter("a")))
	table(&b, "force success", 1, "a", Force("x", Success, waiter("a")))
	table(&b, "force failure", 1, "a", Force("x", Failure, waiter("a")))
	table(&b, "subtree", 1, "a", Subtree("x", MustCompile(waiter("a"))))
	gate := roleGate("a") // the first letter is the gate's: F is closed
	table(&b, "when-role (a is the gate)", 2, "b", WhenRole(gate, waiter("b")))
	table(&b, "require-role (a is the gate)", 2, "b", RequireRole(gate, waiter("b")))
	golden(t, "truth.golden", b.String())
}
