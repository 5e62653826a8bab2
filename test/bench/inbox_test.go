package bench

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"bateleur/adapters/driven/memory"
	"bateleur/adapters/wire/as2"
	"bateleur/core/model"
	"bateleur/core/ports"
	"bateleur/node"
)

const base = "http://bench.test/api/v2"

// sink delivers what the manager must decide and swallows the rest, so that what
// is measured is one actor's inbox.
type sink struct{ n **node.Node }

func (s sink) Deliver(ctx context.Context, d ports.Outgoing) error {
	if d.Inbox != id("manager").Inbox() {
		return nil
	}
	a, err := as2.Codec{}.Decode(d.Body)
	if err != nil {
		return err
	}
	_, err = (*s.n).Receive(ctx, id("manager"), d.Sender, a, d.Body)
	return err
}

// rig is a node that hosts a case's manager and owner, with the case ready.
type rig struct {
	n        *node.Node
	manager  model.ActorID
	owner    model.ActorID
	reporter model.ActorID
	caseID   string
}

func id(segment string) model.ActorID {
	a, err := model.HostedActorID(base, segment)
	if err != nil {
		panic(err)
	}
	return a
}

func newRig(b *testing.B, stores ports.Stores, batch int) *rig {
	b.Helper()
	r := &rig{manager: id("manager"), owner: id("owner")}
	r.reporter, _ = model.ParseActorID("http://elsewhere.test/api/v2/actors/finder")
	n, err := node.New(node.Config{BaseURL: base, Stores: stores, Wire: as2.Codec{}, Transport: sink{&r.n},
		IDs: node.RandomIDs{}, Clock: node.SystemClock{}, Batch: batch,
		Actors: []ports.Profile{
			{Actor: model.Actor{ID: r.manager.URI(), Type: "Service"}, ManagesCases: true},
			{Actor: model.Actor{ID: r.owner.URI(), Type: "Organization"}, Manager: r.manager}}})
	if err != nil {
		b.Fatal(err)
	}
	r.n = n
	if err := n.Start(context.Background()); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = n.Stop() })
	r.openCase(b)
	return r
}

func (r *rig) openCase(b *testing.B) {
	report := &model.Report{ID: "urn:uuid:" + uuid.NewString(), Type: model.TypeReport, Name: "R",
		Content: "C", AttributedTo: r.reporter.URI()}
	offer := &model.Activity{ID: "urn:uuid:" + uuid.NewString(), Type: model.Offer, Actor: r.reporter.URI(),
		To: []string{r.owner.URI()}, Target: model.Link(r.owner.URI()), Object: model.Inline(report)}
	r.receive(b, r.owner, offer)
	for range 2000 {
		_ = r.n.View(context.Background(), r.manager, func(rd ports.Reader) error {
			heads, err := rd.Ledgers()
			if len(heads) > 0 {
				r.caseID = heads[0].CaseID
			}
			return err
		})
		if r.caseID != "" {
			return
		}
		time.Sleep(time.Millisecond)
	}
	b.Fatal("no case")
}

func (r *rig) receive(b *testing.B, to model.ActorID, a *model.Activity) {
	raw, err := as2.Codec{}.Encode(a)
	if err != nil {
		b.Fatal(err)
	}
	if _, err := r.n.Receive(context.Background(), to, r.reporter, a, raw); err != nil {
		b.Fatal(err)
	}
}

// note is a reporter's note of about two kilobytes on the wire.
func (r *rig) note(verb string) (*model.Activity, []byte) {
	at := time.Now().UTC().Truncate(time.Second)
	note := &model.Note{ID: "urn:uuid:" + uuid.NewString(), Type: model.TypeNote, Name: "Question",
		Content: fmt.Sprintf("%01000d", 7), Context: r.caseID, AttributedTo: r.reporter.URI(), Published: at, Updated: at}
	a := &model.Activity{ID: "urn:uuid:" + uuid.NewString(), Type: verb, Actor: r.reporter.URI(),
		To: []string{r.manager.URI()}, Object: model.Inline(note), Target: model.Link(r.caseID), Published: at, Updated: at}
	raw, err := as2.Codec{}.Encode(a)
	if err != nil {
		panic(err)
	}
	return a, raw
}

// post sends n notes into the manager's inbox from several clients and waits
// until all of them are ledgered.
func (r *rig) post(b *testing.B, n, clients int) {
	before := r.tail(b)
	r.send(b, model.Add, n, clients)
	b.StartTimer()
	for r.tail(b) < before+int64(n) {
		time.Sleep(200 * time.Microsecond)
	}
	b.StopTimer()
}

// undecided counts what waits for its turn in the manager's inbox.
func (r *rig) undecided(b *testing.B) (n int64) {
	err := r.n.View(context.Background(), r.manager, func(rd ports.Reader) error {
		counts, err := rd.InboxCounts()
		n = counts[ports.Pending]
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
	return n
}

// send sends n activities about notes and returns when all are decided.
func (r *rig) send(b *testing.B, verb string, n, clients int) {
	type message struct {
		a   *model.Activity
		raw []byte
	}
	work := make(chan message, n)
	for range n {
		a, raw := r.note(verb)
		work <- message{a, raw}
	}
	close(work)
	b.StartTimer()
	var wg sync.WaitGroup
	for range clients {
		wg.Go(func() {
			for m := range work {
				if _, err := r.n.Receive(context.Background(), r.manager, r.reporter, m.a, m.raw); err != nil {
					b.Error(err)
				}
			}
		})
	}
	wg.Wait()
	for r.undecided(b) > 0 { // counting takes the longer the more there is
		time.Sleep(10 * time.Millisecond)
	}
	b.StopTimer()
}

func (r *rig) tail(b *testing.B) (tail int64) {
	err := r.n.View(context.Background(), r.manager, func(rd ports.Reader) error {
		head, err := rd.Ledger(r.caseID)
		tail = head.Tail
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
	return tail
}

func stores(b *testing.B, kind string) ports.Stores {
	if kind == "memory" {
		return memory.New()
	}
	return onDisk(b)
}

// BenchmarkInbox is messages into one actor's inbox, each acknowledged when
// durable and decided, a transaction each with one client, and batched with many:
// alone, where nothing follows from the message, and ledgered and announced to
// the case's two others.
func BenchmarkInbox(b *testing.B) {
	for _, kind := range []string{"memory", "sqlite"} {
		for _, c := range []struct {
			name           string
			batch, clients int
		}{{"each", 1, 1}, {"each-32-clients", 1, 32}, {"batched-64-clients", 64, 64}} {
			for does, send := range map[string]func(*rig, *testing.B){
				"alone":    func(r *rig, b *testing.B) { r.send(b, model.Create, b.N, c.clients) },
				"ledgered": func(r *rig, b *testing.B) { r.post(b, b.N, c.clients) },
			} {
				b.Run(kind+"/"+does+"/"+c.name, func(b *testing.B) {
					b.ReportAllocs()
					b.StopTimer()
					send(newRig(b, stores(b, kind), c.batch), b)
					b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "msg/s")
				})
			}
		}
	}
}

// rest waits until the manager's messages have gone out.
func (r *rig) rest(b *testing.B) {
	for waiting := true; waiting; time.Sleep(50 * time.Millisecond) {
		err := r.n.View(context.Background(), r.manager, func(rd ports.Reader) error {
			queues, err := rd.Queues()
			waiting = len(queues) > 0
			return err
		})
		if err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkInboxGrowth is the cost of a batched message after a number of
// entries: flat is the aim.
func BenchmarkInboxGrowth(b *testing.B) {
	for _, entries := range []int{1, 1000, 10000} {
		b.Run(fmt.Sprint(entries), func(b *testing.B) {
			b.StopTimer()
			r := newRig(b, stores(b, "sqlite"), 64)
			r.post(b, entries, 64)
			r.rest(b)
			b.ResetTimer()
			r.post(b, b.N, 64)
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "msg/s")
		})
	}
}
