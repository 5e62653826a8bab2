package laws

import (
	"encoding/json"
	"iter"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bateleur/adapters/wire/as2"
	"bateleur/core/cases"
	"bateleur/core/ledger"
	"bateleur/core/model"
	"bateleur/core/ports"
	"bateleur/node"
	"bateleur/test/simnet"
)

func decode(raw []byte) (*model.Activity, error) { return as2.Codec{}.Decode(raw) }

func read(e ledger.Entry) (*model.Activity, error) { return decode(e.Payload) }

// load reads a record of an actor's store.
func load[T any](t *testing.T, p simnet.Party, kind ports.Kind, id string) (value T, known bool) {
	t.Helper()
	p.View(func(r ports.Reader) error {
		stored, found, err := cases.Find[T](r, kind, id)
		value, known = stored.Value, found
		return err
	})
	return value, known
}

// sameLedger wants each party's ledger to be the manager's, byte for byte.
func (g *stage) sameLedger(parties ...simnet.Party) {
	g.t.Helper()
	want := g.M.Entries(g.caseID)
	for _, p := range parties {
		if d := diff(want, p.Entries(g.caseID)); d != "" {
			g.t.Errorf("the ledger of %s (-manager +its own):\n%s", p.ID.Segment(), d)
		}
	}
}

// sameCase wants each party's case to be the manager's.
func (g *stage) sameCase(parties ...simnet.Party) {
	g.t.Helper()
	want := g.M.Case(g.caseID)
	for _, p := range parties {
		if d := diff(want, p.Case(g.caseID)); d != "" {
			g.t.Errorf("the case of %s (-manager +its own):\n%s", p.ID.Segment(), d)
		}
	}
}

// projected wants a party's case to be what its seed and its ledger project to,
// and its ledger to verify from the genesis on.
func (g *stage) projected(p simnet.Party) {
	g.t.Helper()
	seed, known := load[*model.VulnerabilityCase](g.t, p, cases.KindSeed, g.caseID)
	if !known {
		g.t.Fatalf("%s has no seed of the case", p.ID.Segment())
	}
	entries := p.Entries(g.caseID)
	rebuilt, err := cases.Rebuild(seed, seq(entries), read)
	if err != nil {
		g.t.Fatal(err)
	}
	if d := diff(p.Case(g.caseID), rebuilt); d != "" {
		g.t.Errorf("%s (-stored +rebuilt):\n%s", p.ID.Segment(), d)
	}
	prev := ledger.Genesis(seed.ID, seed.Published, seed.AttributedTo)
	for i, e := range entries {
		if v, err := ledger.Verify(e); v != ledger.VerdictExact || e.PrevHash != prev || e.Index != int64(i) {
			g.t.Errorf("entry %d of %s does not verify: %s %v", i, p.ID.Segment(), v, err)
		}
		prev = e.Hash
	}
}

func seq(entries []ledger.Entry) iter.Seq2[ledger.Entry, error] {
	return func(yield func(ledger.Entry, error) bool) {
		for _, e := range entries {
			if !yield(e, nil) {
				return
			}
		}
	}
}

// events are the event types of a ledger, from an index on.
func events(entries []ledger.Entry, from int) (out []string) {
	for _, e := range entries[min(from, len(entries)):] {
		out = append(out, e.EventType)
	}
	return out
}

// rm is where a participant stands in a party's view.
func (g *stage) rm(viewer, who simnet.Party) model.RM {
	g.t.Helper()
	c := viewer.Case(g.caseID)
	if c == nil || c.Of(who.URI()) == nil {
		return ""
	}
	return c.Of(who.URI()).RM
}

// asJSON is a value's plain JSON.
func asJSON(t *testing.T, v any) []byte {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// keepLines are the lines of a dump that begin with one of these.
func keepLines(text string, prefixes ...string) (out []string) {
	for l := range strings.Lines(text) {
		if slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(l, p) }) {
			out = append(out, l)
		}
	}
	return out
}

func newID() string { return node.RandomIDs{}.New() }

func encode(t *testing.T, a *model.Activity) []byte {
	t.Helper()
	body, err := as2.Codec{}.Encode(a)
	if err != nil {
		t.Fatal(err)
	}
	return body
}

// diff is cmp.Diff for what is nearly always equal and often large.
func diff[T any](want, got T, opts ...cmp.Option) string {
	if reflect.DeepEqual(want, got) {
		return ""
	}
	return cmp.Diff(want, got, opts...)
}
