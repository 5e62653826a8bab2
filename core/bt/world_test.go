package bt

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files")

// golden compares got with a file in testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s differs (-want +got); -update writes it anew:\n%s", file, diff)
	}
}

// world is the environment of most tests: leaves answer what it says and leave
// their names in a log that is a journal too.
type world struct {
	answers map[string]Result
	log     []string // journalled
	heard   []string // everything that ever came into the log
	marks   int
}

func newWorld() *world { return &world{answers: map[string]Result{}} }

func (w *world) Mark() int     { w.marks++; return len(w.log) }
func (w *world) Undo(mark int) { w.log = w.log[:mark] }

func (w *world) note(s string) {
	w.log = append(w.log, s)
	w.heard = append(w.heard, s)
}

// drain empties both logs and returns the journalled one.
func (w *world) drain() []string {
	log := w.log
	w.log, w.heard = nil, nil
	return log
}

var journalled = WithJournal(func(w *world) Journal { return w })

// says is a leaf that notes its name and answers what the world says, or Ok.
func says(name string, opts ...LeafOption) Node[*world] {
	return Leaf(name, func(w *world) Result {
		w.note(name)
		if r, ok := w.answers[name]; ok {
			return r
		}
		return Ok()
	}, opts...)
}

// waiter is such a leaf that may wait, and notes when it is halted.
func waiter(name string) Node[*world] {
	return says(name, Waits(), OnHalt(func(w *world, r Reason) { w.note("halt " + name + " " + r.Code) }))
}

var (
	no    = Fail("no", "it does not")
	later = Wait("later", "not yet")
)

// roleGate is open if the world's answer to its name is, and notes its hooks.
func roleGate(name string) Gate[*world] {
	return Gate[*world]{
		Name: name, Grants: name,
		Ask: func(w *world) (bool, Reason, error) {
			w.note("ask " + name)
			r := w.answers[name]
			return r.Status != Failure, r.Reason(), r.Err()
		},
		Enter: func(w *world) { w.note("enter " + name) },
		Leave: func(w *world) { w.note("leave " + name) },
	}
}
