package porttest_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"bateleur/adapters/driven/memory"
	"bateleur/adapters/driven/sqlite"
	"bateleur/core/fault"
	"bateleur/core/ledger"
	"bateleur/core/model"
	"bateleur/core/ports"
	"bateleur/core/ports/porttest"
)

// The same transactions, some of them given up, answer the same and leave the
// same in both adapters.
//
// Proves: BA-09-001, BA-09-005, SYNC-01-002, ID-02-001, OX-01-001
func TestAdaptersAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ctx := context.Background()
		embedded, err := sqlite.Open("sqlite:///:memory:")
		if err != nil {
			t.Fatal(err)
		}
		defer embedded.Close()
		stores := []ports.DataLayer{create(t, memory.New()), create(t, embedded)}
		for range rapid.IntRange(1, 20).Draw(t, "transactions") {
			ops := rapid.SliceOfN(operation, 1, 10).Draw(t, "operations")
			keep := rapid.IntRange(0, 9).Draw(t, "keep") < 8
			var answers [2]string
			for i, store := range stores {
				answers[i] = run(ctx, store, ops, keep)
			}
			if answers[0] != answers[1] {
				t.Fatalf("%v (kept: %t)\nmemory: %s\nsqlite: %s", ops, keep, answers[0], answers[1])
			}
		}
	})
}

func create(t *rapid.T, s ports.Stores) ports.DataLayer {
	d, err := s.Create(context.Background(), everyone)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

var errDropped = errors.New("dropped")

// run gives everything that the transaction and a view after it tell.
func run(ctx context.Context, d ports.DataLayer, ops []step, keep bool) string {
	var answer string
	err := d.Update(ctx, func(tx ports.Tx) error {
		for _, op := range ops {
			answer += fmt.Sprintf("%s: %s\n", op.name, op.do(tx))
		}
		if !keep {
			return errDropped
		}
		return nil
	})
	if err != nil && !errors.Is(err, errDropped) {
		return answer + err.Error()
	}
	err = d.View(ctx, func(r ports.Reader) error {
		text, err := porttest.Dump(r)
		answer += text
		return err
	})
	return answer + fmt.Sprint(err)
}

// step is an operation with its arguments.
type step struct {
	name string
	do   func(tx ports.Tx) string
}

func (s step) String() string { return s.name }

// told is an answer without the words of its error.
func told(err error, values ...any) string {
	if err != nil {
		return string(fault.CodeOf(err))
	}
	return fmt.Sprintf("%v", values)
}

var (
	kinds      = rapid.SampledFrom([]ports.Kind{"note", "case"})
	names      = rapid.SampledFrom([]string{"a", "A", "b", "a/", "\xff"})
	keys       = rapid.SampledFrom([]string{"", "case:1", "case:12", "Case:1", "\xff"})
	seqs       = rapid.Int64Range(0, 4)
	limits     = rapid.IntRange(0, 3)
	revs       = rapid.Int64Range(0, 3)
	states     = rapid.SampledFrom([]ports.InboxState{ports.Pending, ports.Deferred, ports.Done, ports.Dead, ports.Ignored})
	recipients = rapid.SampledFrom([]string{"x", "y", "z", ""})
	instants   = rapid.Custom(func(t *rapid.T) time.Time {
		return time.Unix(0, rapid.Int64Range(1, 5).Draw(t, "nanoseconds"))
	})
	refs = rapid.SliceOfN(rapid.Custom(func(t *rapid.T) ports.Ref {
		return ports.Ref{Name: "about", Target: names.Draw(t, "target")}
	}), 0, 3)
)

var operation = rapid.Custom(func(t *rapid.T) step {
	return rapid.SampledFrom([]func(*rapid.T) step{
		putStep, putStep, putStep, deleteStep, listStep, listStep, openLedgerStep, entryStep, entryStep, entryStep,
		receiveStep, receiveStep, settleStep, settleStep, wakeStep, waitingStep, sendStep, sendStep, attemptStep,
		attemptStep, requeueStep, deadStep,
	}).Draw(t, "kind of operation")(t)
})

func putStep(t *rapid.T) step {
	r := ports.Record{Kind: kinds.Draw(t, "kind"), ID: names.Draw(t, "id"), Rev: revs.Draw(t, "rev"), Refs: refs.Draw(t, "refs")}
	return step{fmt.Sprintf("put %v", r), func(tx ports.Tx) string {
		rev, err := tx.Put(r)
		return told(err, rev)
	}}
}

func deleteStep(t *rapid.T) step {
	kind, id, rev := kinds.Draw(t, "kind"), names.Draw(t, "id"), revs.Draw(t, "rev")
	return step{fmt.Sprintf("delete %s %q %d", kind, id, rev), func(tx ports.Tx) string {
		return told(tx.Delete(kind, id, rev))
	}}
}

func listStep(t *rapid.T) step {
	p := ports.ListParams{Kind: kinds.Draw(t, "kind"), Limit: limits.Draw(t, "limit")}
	if rapid.Bool().Draw(t, "by reference") {
		p.Ref = ports.Ref{Name: "about", Target: names.Draw(t, "target")}
	}
	if rapid.Bool().Draw(t, "from a page on") {
		p.After = names.Draw(t, "after")
	}
	return step{fmt.Sprintf("list %v", p), func(tx ports.Tx) string {
		records, err := tx.List(p)
		return told(err, records)
	}}
}

func openLedgerStep(t *rapid.T) step {
	id := names.Draw(t, "case")
	standing := rapid.SampledFrom([]ports.Standing{ports.Own, ports.Replica}).Draw(t, "standing")
	return step{fmt.Sprintf("open ledger %q %s", id, standing), func(tx ports.Tx) string {
		return told(tx.OpenLedger(id, standing, "genesis"))
	}}
}

// entryStep appends what nearly always follows the tail.
func entryStep(t *rapid.T) step {
	e := ledger.Entry{
		CaseID: names.Draw(t, "case"), Hash: rapid.StringMatching(`[0-9a-f]{8}`).Draw(t, "hash"),
		EventType: names.Draw(t, "event"), ObjectID: names.Draw(t, "object"),
	}
	gap, apply := rapid.IntRange(0, 9).Draw(t, "gap") == 0, rapid.Bool().Draw(t, "apply")
	return step{fmt.Sprintf("entry %v gap %t apply %t", e, gap, apply), func(tx ports.Tx) string {
		head, _ := tx.Ledger(e.CaseID)
		e.Index, e.PrevHash = head.Tail+1, head.TailHash
		if gap {
			e.Index++
		}
		write := tx.Mint
		if apply {
			write = tx.Apply
		}
		err := write(e)
		byHash, errHash := tx.EntryByHash(e.CaseID, e.Hash)
		byObject, errObject := tx.EntryByObject(e.CaseID, e.EventType, e.ObjectID)
		return told(err) + told(errHash, byHash.Index) + told(errObject, byObject.Index)
	}}
}

func receiveStep(t *rapid.T) step {
	i := ports.InboxItem{
		Class: ports.Message, Sender: names.Draw(t, "sender"), ActivityID: names.Draw(t, "id"),
		Digest: names.Draw(t, "digest"), ReceivedAt: instants.Draw(t, "at"),
	}
	return step{fmt.Sprintf("receive %v", i), func(tx ports.Tx) string {
		seq, duplicate, err := tx.InboxAppend(i)
		return told(err, seq, duplicate)
	}}
}

func settleStep(t *rapid.T) step {
	s := ports.Settlement{
		Seq: seqs.Draw(t, "seq"), State: states.Draw(t, "state"), Wake: keys.Draw(t, "wake"),
		Until: instants.Draw(t, "until"), Outcome: ports.Outcome{Code: "ok", At: instants.Draw(t, "at")},
	}
	return step{fmt.Sprintf("settle %v", s), func(tx ports.Tx) string { return told(tx.InboxSettle(s)) }}
}

func wakeStep(t *rapid.T) step {
	key, seq := keys.Draw(t, "key"), seqs.Draw(t, "seq")
	return step{fmt.Sprintf("wake %q, requeue %d", key, seq), func(tx ports.Tx) string {
		n, err := tx.InboxWake(key)
		return told(err, n) + told(tx.InboxRequeue(seq))
	}}
}

func waitingStep(t *rapid.T) step {
	prefix, now, limit := keys.Draw(t, "prefix"), instants.Draw(t, "now"), limits.Draw(t, "limit")
	state, after := states.Draw(t, "state"), seqs.Draw(t, "after")
	return step{fmt.Sprintf("waiting %q %v %d %s %d", prefix, now, limit, state, after), func(tx ports.Tx) string {
		waiting, err := tx.Waiting(prefix)
		due, errDue := tx.DeferredUntil(now, limit)
		in, errIn := tx.Inbox(state, after, limit)
		return told(err, waiting) + told(errDue, due) + told(errIn, in)
	}}
}

func sendStep(t *rapid.T) step {
	i := ports.OutboxItem{
		ActivityID: names.Draw(t, "id"), Actor: everyone, Recipients: rapid.SliceOfN(recipients, 0, 3).Draw(t, "recipients"),
		CreatedAt: instants.Draw(t, "at"),
	}
	if rapid.IntRange(0, 9).Draw(t, "foreign") == 0 {
		i.Actor = model.ActorID{}
	}
	return step{fmt.Sprintf("send %v", i), func(tx ports.Tx) string {
		seq, err := tx.OutboxAppend(i)
		return told(err, seq)
	}}
}

func attemptStep(t *rapid.T) step {
	a := ports.Attempt{
		Recipient: recipients.Draw(t, "recipient"), Seq: seqs.Draw(t, "seq"), Delivered: rapid.Bool().Draw(t, "delivered"),
		Dead: rapid.Bool().Draw(t, "dead"), NotBefore: instants.Draw(t, "not before"), Error: "e",
	}
	return step{fmt.Sprintf("attempt %v", a), func(tx ports.Tx) string { return told(tx.DeliverySettle(a)) }}
}

func requeueStep(t *rapid.T) step {
	recipient, seq := recipients.Draw(t, "recipient"), seqs.Draw(t, "seq")
	return step{fmt.Sprintf("send again %q %d", recipient, seq), func(tx ports.Tx) string {
		return told(tx.DeliveryRequeue(recipient, seq))
	}}
}

func deadStep(t *rapid.T) step {
	recipient, after, limit := recipients.Draw(t, "recipient"), seqs.Draw(t, "after"), limits.Draw(t, "limit")
	return step{fmt.Sprintf("dead %q %d %d", recipient, after, limit), func(tx ports.Tx) string {
		dead, err := tx.DeadDeliveries(after, limit)
		pending, errPending := tx.Deliveries(recipient, 0, limit)
		items, errItems := tx.OutboxItems(after, limit)
		queues, errQueues := tx.Queues()
		return told(err, dead) + told(errPending, pending) + told(errItems, items) + told(errQueues, queues)
	}}
}
