package demo

import (
	"fmt"
	"io"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bateleur/adapters/wire/advisory"
	"bateleur/core/ledger"
	"bateleur/core/ports"
	"bateleur/core/usecases/query"
)

// ended is what three stores show when everything holds.
func ended() (*story, []holding) {
	s := newStory(newTeller(io.Discard, false), advisory.Report{}, &node{base: "http://f/"}, &node{base: "http://v/"})
	var entries []ledger.Entry
	for i := range managersEntries {
		entries = append(entries, ledger.Entry{Index: int64(i), Hash: fmt.Sprint("h", i), Payload: fmt.Append(nil, "p", i)})
	}
	holds := query.Verification{OK: true, Checks: []query.Check{{Name: query.CheckChain, OK: true}}}
	empty := func() query.Queue { return query.Queue{Inbox: map[ports.InboxState]int64{ports.Done: 9}} }
	return s, []holding{
		{who: s.manager, entries: entries, verification: holds, queue: empty()},
		{who: s.vendor, entries: append([]ledger.Entry(nil), entries...), verification: holds, queue: empty()},
		{who: s.finder, entries: append([]ledger.Entry(nil), entries[:findersEntries]...), verification: holds, queue: empty()},
	}
}

// Each thing that can be wrong at the end breaks the invariant that is about it,
// and no other.
//
// Proves: BA-07-002
func TestWhatIsWrongBreaksItsInvariant(t *testing.T) {
	cases := []struct {
		name   string
		change func(held []holding)
		want   []Invariant
	}{
		{"nothing", func([]holding) {}, nil},
		{"an entry too few", func(h []holding) { h[2].entries = h[2].entries[:18] }, []Invariant{{"finder has all its entries", false, "18, not 19"}}},
		{"another hash", func(h []holding) { h[1].entries[3].Hash = "x" }, []Invariant{{"vendor's entries are the case manager's", false, "entry 3 differs"}}},
		{"another snapshot", func(h []holding) { h[2].entries[4].Payload = []byte("x") }, []Invariant{{"finder's entries are the case manager's", false, "entry 4 differs"}}},
		{"a chain that is broken", func(h []holding) {
			h[0].verification = query.Verification{Checks: []query.Check{{Name: query.CheckGenesis, OK: true}, {Name: query.CheckChain, Text: "entry 2"}}}
		}, []Invariant{{"case-actor's ledger verifies", false, "chain: entry 2"}}},
		{"something to decide", func(h []holding) { h[0].queue.Inbox[ports.Deferred] = 1 }, []Invariant{{"case-actor has nothing left to decide", false, "1, not 0"}}},
		{"something refused", func(h []holding) { h[1].queue.Inbox[ports.Refused] = 2 }, []Invariant{{"vendor refused nothing", false, "2, not 0"}}},
		{"something to deliver", func(h []holding) { h[1].queue.Recipients = make([]query.Recipient, 1) }, []Invariant{{"vendor has nothing left to deliver", false, "1, not 0"}}},
		{"a dead message", func(h []holding) { h[2].dead.Inbox = make([]query.DeadItem, 1) }, []Invariant{{"finder has no dead letters", false, "1, not 0"}}},
		{"a dead delivery", func(h []holding) { h[2].dead.Deliveries = make([]query.DeadDelivery, 1) }, []Invariant{{"finder has no dead letters", false, "1, not 0"}}},
		{"an assertion without an entry", func(h []holding) { h[1].unconfirmed = 1 }, []Invariant{{"vendor has nothing left that the ledger did not confirm", false, "1, not 0"}}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s, held := ended()
			c.change(held)
			var broken []Invariant
			for _, i := range s.invariants(held) {
				if !i.OK {
					broken = append(broken, i)
				}
			}
			if diff := cmp.Diff(c.want, broken); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// 19 entries to both replicas, two more to the one that stays, and 17 messages of
// other sorts.
func TestTheFloor(t *testing.T) {
	s, held := ended()
	if got := s.floor(held); got != 57 {
		t.Errorf("the floor is %d", got)
	}
}
