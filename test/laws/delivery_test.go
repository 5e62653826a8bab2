package laws

import (
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"bateleur/core/model"
	"bateleur/core/ports"
	"bateleur/core/semantics"
	"bateleur/node"
	"bateleur/test/simnet"
)

// hours makes a node that tries again only after hours: what arrives without
// them waited for nothing.
func hours(budget int) func(string, *node.Config) {
	return func(_ string, cfg *node.Config) {
		cfg.Delivery = node.DeliveryConfig{First: time.Hour, Longest: 100 * time.Hour, Budget: budget}
	}
}

// What is queued is delivered at once; nothing waits for a poll.
//
// Proves: OX-09-001
func TestDeliveryWaitsForNothing(t *testing.T) {
	t.Parallel()
	g := set(t, setting{change: hours(3)})
	g.story()
	g.sameLedger(g.V)
}

// A dead peer delays nobody: the others' case goes on to its end without it, and
// when it is back it is told everything, in order and once.
//
// Proves: BA-08-001, OX-01-001, SYNC-02-002
func TestADeadPeerDelaysNobody(t *testing.T) {
	t.Parallel()
	onEveryStore(t, func(t *testing.T, g *stage) {
		w := g.another("w", "other-vendor")
		g.open()
		g.do(g.V, "validate-report", params{"offer_id": g.offerID})
		g.do(g.V, "engage-case", g.inCase())
		g.admit(w)
		g.net.Down("w", true)
		g.do(g.F, "add-note-to-case", g.note("Without you."))
		g.do(g.V, "notify-fix-ready", g.inCase())
		g.do(g.V, "notify-published", g.inCase())
		g.do(g.F, "close-case", g.inCase())
		g.do(g.V, "close-case", g.inCase())
		g.sameLedger(g.V)
		if n := len(w.Entries(g.caseID)); n >= len(g.M.Entries(g.caseID)) {
			t.Fatalf("the dead peer has %d entries", n)
		}
		g.net.Down("w", false)
		g.net.Settle()
		g.sameLedger(w)
		once(t, g.net.Sent())
		for _, m := range g.net.Sent() {
			if semantics.Classify(m.Activity) == semantics.RejectCaseLedgerEntry {
				t.Error("a replica had to ask")
			}
		}
	})
}

// attempts counts, for each message of a kind, how often its delivery was tried,
// and fails them.
type attempts struct {
	mu     sync.Mutex
	failed map[string]int // by activity id and body
	err    error
}

func (a *attempts) fail(to simnet.Party) func(simnet.Message) error {
	a.failed = map[string]int{}
	return func(m simnet.Message) error {
		if m.To() != to.URI() {
			return nil
		}
		a.mu.Lock()
		defer a.mu.Unlock()
		a.failed[m.Activity.ID+string(m.Body)]++
		return a.err
	}
}

func (a *attempts) counts() (out []int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, n := range a.failed {
		out = append(out, n)
	}
	return out
}

// Attempts are spaced with growing pauses and counted against a budget, restarts
// included; each is the same message under the same id. What is given up is a
// dead letter that says to whom, how often, why and about what, and survives a
// restart; sent again it arrives.
//
// Proves: OX-13-001, OX-13-002, SYNC-05-001, ID-01-002, BA-08-002
func TestAttemptsAreBoundedAndWhatIsGivenUpIsKept(t *testing.T) {
	t.Parallel()
	onEveryStore(t, func(t *testing.T, g0 *stage) {
		const budget = 3
		g := set(t, setting{manage: "a", stores: g0.set.stores, change: hours(budget)})
		g.open()
		gone := &attempts{err: &ports.DeliveryError{Err: errors.New("no answer")}}
		g.net.Break(gone.fail(g.F))
		g.do(g.V, "validate-report", params{"offer_id": g.offerID})
		about := last(g.M.Entries(g.caseID)).ID()

		for n := range budget - 1 {
			head := head(t, g.M, g.F)
			if head.Attempts != n+1 || head.LastError != "no answer" || !slices.Equal(gone.counts(), []int{n + 1}) {
				t.Fatalf("after attempt %d: %d attempts recorded, %q; made %v", n+1, head.Attempts, head.LastError, gone.counts())
			}
			wait, least := head.NotBefore.Sub(g.net.Clock.Now()), time.Hour<<n
			if wait < least-time.Minute || wait > least+time.Hour {
				t.Errorf("pause %d is %s", n+1, wait)
			}
			g.net.Restart("a")
			g.net.Settle()
			if !slices.Equal(gone.counts(), []int{n + 1}) {
				t.Errorf("tried again before its time: %v", gone.counts())
			}
			g.net.Stop("a")
			g.net.Advance(wait)
			g.net.Start("a")
			g.net.Settle()
		}
		if !slices.Equal(gone.counts(), []int{budget}) {
			t.Errorf("tried as %v", gone.counts())
		}
		g.net.Restart("a")
		letter := deadLetter(t, g.M)
		if letter.Recipient != g.F.URI() || letter.Attempts != budget || letter.LastError != "no answer" || letter.Item.About != about {
			t.Errorf("the dead letter is to %s about %s after %d attempts: %s", letter.Recipient, letter.Item.About, letter.Attempts, letter.LastError)
		}

		g.net.Break(nil)
		if err := g.M.Node().RetryDelivery(t.Context(), g.M.ID, letter.Recipient, letter.Item.Seq); err != nil {
			t.Fatal(err)
		}
		g.net.Settle()
		g.sameLedger(g.F, g.V)
	})
}

func head(t *testing.T, from, to simnet.Party) (d ports.Delivery) {
	t.Helper()
	from.View(func(r ports.Reader) error {
		queue, err := r.Deliveries(to.URI(), 0, 1)
		if len(queue) == 1 {
			d = queue[0]
		}
		return err
	})
	return d
}

func deadLetter(t *testing.T, p simnet.Party) (d ports.Delivery) {
	t.Helper()
	p.View(func(r ports.Reader) error {
		dead, err := r.DeadDeliveries(0, 0)
		if len(dead) != 1 {
			t.Fatalf("%d dead letters", len(dead))
		}
		d = dead[0]
		return err
	})
	return d
}

// A recipient that will never take a message ends its delivery at once, and what
// comes after it is delivered.
//
// Proves: OX-13-005
func TestARefusalForGoodEndsADelivery(t *testing.T) {
	t.Parallel()
	onEveryStore(t, func(t *testing.T, g *stage) {
		g.open()
		never := &attempts{err: &ports.DeliveryError{Status: 410, Terminal: true, Err: errors.New("410 Gone")}}
		g.net.Break(never.fail(g.F))
		g.do(g.V, "validate-report", params{"offer_id": g.offerID})
		if letter := deadLetter(t, g.M); letter.Attempts != 1 || letter.LastError != "410 Gone" {
			t.Errorf("dead after %d attempts: %s", letter.Attempts, letter.LastError)
		}
		g.net.Break(nil)
		g.do(g.V, "engage-case", g.inCase()) // the replica finds the gap and asks
		g.sameLedger(g.F, g.V)
	})
}

// A manager that dies between the Accept of a proposal and the Create of its case
// sends the Create when it is back; what was answered is not sent again.
//
// Proves: CP-05-003, CP-05-005, BA-08-002, SYNC-09-002
func TestTheCreateFollowsTheAcceptOverARestart(t *testing.T) {
	t.Parallel()
	onEveryStore(t, func(t *testing.T, g0 *stage) {
		g := set(t, setting{manage: "a", stores: g0.set.stores})
		tried := make(chan bool, 1)
		g.net.Break(func(m simnet.Message) error {
			if semantics.Classify(m.Activity) != semantics.CreateCase {
				return nil
			}
			if m.To() == g.V.URI() {
				select {
				case tried <- true:
				default:
				}
			}
			return &ports.DeliveryError{Err: errors.New("the wire is cut")}
		})
		g.submit()
		<-tried // behind the Accept in the same queue
		g.net.Stop("a")
		g.net.Break(nil)
		g.net.Start("a")
		g.net.Settle()
		g.caseID = g.caseOf(g.M, g.reportID)
		var order []semantics.Meaning
		for _, m := range conversation(g.net.Sent(), g.M.URI(), g.V.URI())[:3] {
			order = append(order, semantics.Classify(m.Activity))
		}
		if d := diff([]semantics.Meaning{semantics.AcceptCaseProposal, semantics.CreateCase, semantics.AnnounceCaseLedgerEntry}, order); d != "" {
			t.Error(d)
		}
		g.sameLedger(g.V, g.F)
	})
}

// Nobody is told of an entry that is not on disk, and what rests on an entry
// leaves after it.
//
// Proves: SYNC-09-001, SYNC-09-002
func TestAnEntryIsStoredBeforeItIsTold(t *testing.T) {
	t.Parallel()
	onEveryStore(t, func(t *testing.T, g *stage) {
		g.net.Break(func(m simnet.Message) error {
			if e, ok := model.InlineAs[*model.LedgerEntry](m.Activity.Object); ok && m.From == g.M.URI() {
				entries := g.M.Entries(e.Entry.CaseID)
				if int(e.Entry.Index) >= len(entries) || entries[e.Entry.Index].Hash != e.Entry.Hash {
					t.Errorf("entry %d is told before it is stored", e.Entry.Index)
				}
			}
			return nil
		})
		g.story()
	})
}
