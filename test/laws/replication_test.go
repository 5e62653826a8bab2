package laws

import (
	"bytes"
	"flag"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"bateleur/core/ledger"
	"bateleur/core/model"
	"bateleur/core/ports"
	"bateleur/core/semantics"
	"bateleur/core/usecases/received"
	"bateleur/test/simnet"
)

// Each try is a network of nodes; a caller's own -rapid.checks prevails.
func init() { _ = flag.Set("rapid.checks", "40") }

func sameEntry(a, b ledger.Entry) bool {
	return a.Hash == b.Hash && a.Index == b.Index && a.PrevHash == b.PrevHash && bytes.Equal(a.Payload, b.Payload)
}

// rest is the end of a case after its opening: everything a ledger can tell of.
func rest(g *stage) {
	g.do(g.V, "validate-report", params{"offer_id": g.offerID})
	g.do(g.V, "engage-case", g.inCase())
	g.do(g.V, "add-note-to-case", g.note("First."))
	g.do(g.V, "notify-fix-ready", g.inCase())
	g.do(g.V, "notify-published", g.inCase())
	g.do(g.V, "close-case", g.inCase())
}

// Every order of arrival of a case and its first entries ends in the same
// replica, without any help by the manager.
//
// Proves: SYNC-14-003, SYNC-15-001, SYNC-15-005, SYNC-12-001, PCR-06-004, CLP-08-004
func TestEveryOrderOfAFewMessagesGivesOneReplica(t *testing.T) {
	t.Parallel()
	r := record(t, func(*stage) {})
	const few = 4 // the Create and three entries
	for order := range permutations(few) {
		g := r.replica(t, false)
		for _, i := range order {
			g.net.Arrive(r.told[i])
		}
		g.net.Settle()
		if d := diff(r.M.Entries(r.caseID)[:few-1], g.F.Entries(r.caseID)); d != "" {
			t.Fatalf("in order %v:\n%s", order, d)
		}
		if left := g.F.Items(ports.Deferred, ports.Dead); len(left) != 0 {
			t.Fatalf("in order %v %d messages are left waiting", order, len(left))
		}
		askedOnce(t, g.F)
		g.net.Close()
	}
}

// permutations gives every order of n things.
func permutations(n int) func(func([]int) bool) {
	return func(yield func([]int) bool) {
		order := make([]int, 0, n)
		var grow func() bool
		grow = func() bool {
			if len(order) == n {
				return yield(slices.Clone(order))
			}
			for i := range n {
				if slices.Contains(order, i) {
					continue
				}
				order = append(order, i)
				if !grow() {
					return false
				}
				order = order[:len(order)-1]
			}
			return true
		}
		grow()
	}
}

// askedOnce wants a replica to have asked from no position twice.
func askedOnce(t testing.TB, p simnet.Party) {
	t.Helper()
	positions := asked(t, p)
	slices.Sort(positions)
	if n := len(slices.Compact(slices.Clone(positions))); n != len(positions) {
		t.Errorf("asked from one position twice within the pause: %q", positions)
	}
}

// A whole case in random order, the closing entry first for all one knows, with
// repeats and restarts in between, ends in the manager's ledger byte for byte and
// in its case; nothing waits any more and nothing was asked twice.
//
// Proves: SYNC-14-001, SYNC-14-003, SYNC-03-003, SYNC-12-003, SYNC-08-002, CLP-02-003, CM-02-002, SYNC-01-003
func TestEveryOrderWithRepeatsAndRestartsGivesOneReplica(t *testing.T) {
	t.Parallel()
	r := record(t, rest)
	rapid.Check(t, func(rt *rapid.T) {
		g := r.replica(t, false)
		order := rapid.Permutation(indices(len(r.told))).Draw(rt, "order")
		repeats := rapid.SliceOfN(rapid.SampledFrom(order), 0, 8).Draw(rt, "repeats")
		restart := rapid.IntRange(0, len(order)).Draw(rt, "restart after")
		for n, i := range append(order, repeats...) {
			if n == restart {
				g.net.Restart(g.set.finder)
			}
			g.net.Arrive(r.told[i])
		}
		g.net.Settle()
		r.wantConverged(t, g)
		askedOnce(t, g.F)
		g.net.Close()
	})
}

func indices(n int) (out []int) {
	for i := range n {
		out = append(out, i)
	}
	return out
}

func (r recording) wantConverged(t testing.TB, g *stage) {
	t.Helper()
	if want, got := r.M.Entries(r.caseID), g.F.Entries(r.caseID); !slices.EqualFunc(want, got, sameEntry) {
		t.Fatalf("the replica has %v, want %v; waiting or refused:\n%s", ids(got), ids(want),
			strings.Join(keepLines(g.F.Dump(), "item"), ""))
	}
	if d := diff(r.M.Case(r.caseID), g.F.Case(r.caseID)); d != "" {
		t.Fatalf("the case differs:\n%s", d)
	}
	g.projected(g.F)
	if left := g.F.Items(ports.Deferred, ports.Dead); len(left) != 0 {
		t.Fatalf("%d messages are left waiting", len(left))
	}
}

// With losses too, the Create among them, the replica asks and the manager
// replays until it is whole; what never arrives is made good by the next entry
// that does.
//
// Proves: SYNC-03-001, SYNC-03-002, SYNC-14-001, SYNC-15-001, SYNC-15-005
func TestLossesAreMadeGoodByReplay(t *testing.T) {
	t.Parallel()
	r := record(t, rest)
	rapid.Check(t, func(rt *rapid.T) {
		g := r.replica(t, true)
		order := rapid.Permutation(indices(len(r.told))).Draw(rt, "order")
		arrive := rapid.IntRange(1, len(order)-1).Draw(rt, "arrive")
		for _, i := range order[:arrive] {
			g.net.Arrive(r.told[i])
		}
		g.net.Settle()
		for range 3 { // the last entry once more, as the sender's retry would bring it
			if r.converged(g) {
				break
			}
			g.net.Advance(received.ReplayAfter)
			g.net.Inject(g.M.ID, g.F.ID, announcing(g.M, last(r.M.Entries(r.caseID))))
			g.net.Settle()
		}
		r.wantConverged(t, g)
		g.net.Close()
	})
}

func last[T any](list []T) T { return list[len(list)-1] }

// A replica names its tail when it asks, "" before it has the case, and asks from
// one position once within the pause. The manager sends what is missing from
// there on and nothing before, tells one that has nothing the case as well, and
// does not serve a position again within the pause unless it has advanced.
//
// Proves: SYNC-03-001, SYNC-03-002, SYNC-15-001, SYNC-15-009, SYNC-04-001, CM-02-009
func TestReplayServesFromThePositionNamed(t *testing.T) {
	t.Parallel()
	r := record(t, rest)
	entries := r.M.Entries(r.caseID)
	g := r.replica(t, true)
	g.net.Hold(func(simnet.Message) bool { return true })
	g.net.Arrive(r.told[3]) // entry 2, before the case
	g.net.Settle()
	if d := diff([]string{""}, asked(t, g.F)); d != "" {
		t.Fatalf("before the case:\n%s", d)
	}
	g.net.Arrive(r.told[0], r.told[1], r.told[5]) // the case, entry 0, entry 4
	g.net.Settle()
	if d := diff([]string{"", entries[0].Hash}, asked(t, g.F)); d != "" {
		t.Fatalf("behind entry 0:\n%s", d)
	}

	g.net.Lose()
	g.net.Hold(func(simnet.Message) bool { return true })
	served := func(context string) []string {
		t.Helper()
		before := len(g.net.Sent())
		g.hear(g.F, g.M, rejecting(g.F, entries[4], context))
		return told(g.net.Sent()[before:])
	}
	whole := append([]string{"case"}, ids(entries)...)
	for _, step := range []struct {
		name, context string
		wait          time.Duration
		want          []string
	}{
		{"from entry 5", entries[5].Hash, 0, ids(entries[6:])},
		{"again at once", entries[5].Hash, 0, nil},
		{"from an advanced position", entries[7].Hash, 0, ids(entries[8:])},
		{"again after the pause", entries[7].Hash, received.ReplayAfter, ids(entries[8:])},
		{"from the tail", last(entries).Hash, 0, nil},
		{"with nothing", "", 0, whole},
		{"with nothing, again at once", "", 0, nil},
		{"with nothing, after its pause", "", received.ReplayGenesisAfter, whole},
		{"from a position nobody knows", "0000", 0, ids(entries)},
	} {
		g.net.Advance(step.wait)
		if d := diff(step.want, served(step.context)); d != "" {
			t.Errorf("%s:\n%s", step.name, d)
		}
	}

	g.net.Restart(r.set.manage)
	if got := served("0000"); got != nil {
		t.Errorf("a restart forgot whom was served what: %v", got)
	}
}

func rejecting(by simnet.Party, e ledger.Entry, context string) *model.Activity {
	return &model.Activity{ID: newID(), Type: model.Reject, Actor: by.URI(), Context: context, HasContext: true,
		Object: model.Inline(&model.LedgerEntry{Entry: e})}
}

func ids(entries []ledger.Entry) (out []string) {
	for _, e := range entries {
		out = append(out, e.ID())
	}
	return out
}

// told names what messages tell: the case, or an entry.
func told(messages []simnet.Message) (out []string) {
	for _, m := range messages {
		switch semantics.Classify(m.Activity) {
		case semantics.AnnounceVulnerabilityCase:
			out = append(out, "case")
		case semantics.AnnounceCaseLedgerEntry:
			e, _ := model.InlineAs[*model.LedgerEntry](m.Activity.Object)
			out = append(out, e.Entry.ID())
		}
	}
	return out
}

// Who takes no part gets no replay. Who left gets what it was due, up to its own
// leaving, and neither a later entry nor the case as it now stands.
//
// Proves: CM-23-004
func TestReplayIsForParticipants(t *testing.T) {
	t.Parallel()
	onEveryStore(t, func(t *testing.T, g *stage) {
		x := g.another("x", "stranger")
		g.open()
		g.do(g.V, "validate-report", params{"offer_id": g.offerID})
		g.do(g.F, "close-case", g.inCase())
		entries := g.M.Entries(g.caseID)
		g.do(g.V, "add-note-to-case", g.note("After the finder left."))
		for _, ask := range []struct {
			by      simnet.Party
			context string
			state   ports.InboxState
			want    []string
		}{
			{x, "", ports.Refused, nil},
			{x, entries[4].Hash, ports.Refused, nil},
			{g.F, "", ports.Refused, nil},
			{g.F, entries[4].Hash, ports.Done, ids(entries[5:])},
			{g.F, last(entries).Hash, ports.Done, nil},
			{g.F, last(g.M.Entries(g.caseID)).Hash, ports.Done, nil},
		} {
			before := len(g.net.Sent())
			item := g.hear(ask.by, g.M, rejecting(ask.by, entries[4], ask.context))
			if item.State != ask.state {
				t.Errorf("%s from %q: %s %+v", ask.by.ID.Segment(), ask.context, item.State, item.Outcome)
			}
			if d := diff(ask.want, told(g.net.Sent()[before:])); d != "" {
				t.Errorf("%s from %q:\n%s", ask.by.ID.Segment(), ask.context, d)
			}
		}
		if d := diff(entries, g.F.Entries(g.caseID)); d != "" {
			t.Errorf("the finder's ledger:\n%s", d)
		}
	})
}

// What waits for one case is bounded, before the case and ahead of the tail
// alike; what is turned away says why, the entries that are next are never among
// it, and the replay brings the rest. A replay is bounded too, and goes on from
// the new position.
//
// Proves: SYNC-14-004, SYNC-03-002, SYNC-15-009
func TestWhatWaitsIsBounded(t *testing.T) {
	t.Parallel()
	const surplus = 20
	r := record(t, func(g *stage) { mintNotes(g, received.MaxWaiting+surplus) })
	entries := r.M.Entries(r.caseID)

	t.Run("before the case", func(t *testing.T) {
		g := r.replica(t, true)
		g.net.Hold(func(simnet.Message) bool { return true })
		backwards(g, entries)
		wantWaiting(t, g, len(entries)-received.MaxWaiting)
		g.net.Release()
		g.net.Settle()
		catchUp(g, r)
		r.wantConverged(t, g)
	})
	t.Run("ahead of the tail", func(t *testing.T) {
		g := r.replica(t, true)
		g.net.Arrive(r.told[0])
		g.net.Settle()
		g.net.Hold(func(simnet.Message) bool { return true })
		backwards(g, entries[1:])
		wantWaiting(t, g, len(entries)-1-received.MaxWaiting)
		if n := len(g.F.Entries(r.caseID)); n != 0 {
			t.Errorf("%d entries were applied", n)
		}
		g.net.Arrive(r.told[1]) // entry 0: the next is never turned away
		g.net.Settle()
		if n := len(g.F.Entries(r.caseID)); n == 0 {
			t.Error("the next entry was turned away")
		}
		g.net.Release()
		g.net.Settle()
		catchUp(g, r)
		r.wantConverged(t, g)
	})
}

// mintNotes lets the manager's ledger grow without traffic.
func mintNotes(g *stage, n int) {
	g.t.Helper()
	for range n {
		e := nextEntry(g.t, g, g.V)
		g.M.Meddle(func(tx ports.Tx) error { return tx.Mint(e) })
	}
}

// backwards announces entries to the finder, the last one first.
func backwards(g *stage, entries []ledger.Entry) {
	for _, e := range slices.Backward(entries) {
		g.net.Inject(g.M.ID, g.F.ID, announcing(g.M, e))
	}
	g.net.Settle()
}

func wantWaiting(t *testing.T, g *stage, refused int) {
	t.Helper()
	if n := len(g.F.Items(ports.Deferred)); n != received.MaxWaiting {
		t.Errorf("%d entries wait, want %d", n, received.MaxWaiting)
	}
	away := g.F.Items(ports.Refused)
	for _, item := range away {
		if item.Outcome.Code != "too-many-waiting" {
			t.Errorf("turned away: %+v", item.Outcome)
		}
	}
	if len(away) != refused {
		t.Errorf("%d were turned away, want %d", len(away), refused)
	}
	if n := len(asked(t, g.F)); n != 1 {
		t.Errorf("the replica asked %d times, want once", n)
	}
}

// catchUp announces the last entry until the replica has everything; each time
// the replica asks from where it is.
func catchUp(g *stage, r recording) {
	for range 4 {
		if r.converged(g) {
			return
		}
		g.net.Advance(received.ReplayAfter)
		g.net.Inject(g.M.ID, g.F.ID, announcing(g.M, last(r.M.Entries(r.caseID))))
		g.net.Settle()
	}
}
