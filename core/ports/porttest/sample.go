package porttest

import (
	"fmt"
	"time"

	"bateleur/core/ledger"
	"bateleur/core/model"
	"bateleur/core/ports"
)

// at is a time with nanoseconds.
var at = time.Date(2026, 3, 29, 2, 30, 15, 123456789, time.UTC)

// nested is JSON five levels deep, in a spelling that no encoder would choose.
const nested = `{ "type":"Offer","object" : {"object":{"object":[ {"object":{ "name":"\u00e9 é",` +
	`"n":1.0,"big":9007199254740993,"e":1E+2,"s":"<&>" } } ] ,"empty":{} }} ,"type":"again"}` + "\n"

func note(id string, refs ...ports.Ref) ports.Record {
	return ports.Record{Kind: "note", ID: id, Refs: refs, Body: []byte("body of " + id)}
}

func about(target string) ports.Ref { return ports.Ref{Name: "about", Target: target} }

// put creates or replaces and gives the record as it must come back.
func (d *desk) put(tx ports.ObjectWriter, r ports.Record) ports.Record {
	d.Helper()
	rev, err := tx.Put(r)
	d.must(err, "a record is taken under its current revision")
	r.Rev = rev
	return r
}

func ids(records []ports.Record) []string {
	var all []string
	for _, r := range records {
		all = append(all, r.ID)
	}
	return all
}

const caseID = "urn:uuid:7a1f0a52-8a1d-4c8e-9a53-3c2f3b1d9b10"

// entry is the n-th of a chain that begins at "genesis".
func entry(n int) ledger.Entry {
	prev := "genesis"
	if n > 0 {
		prev = hash(n - 1)
	}
	return ledger.Entry{
		CaseID: caseID, Index: int64(n), Disposition: ledger.Recorded,
		ObjectID: fmt.Sprintf("urn:object:%d", n), EventType: "noted",
		Payload: []byte(fmt.Sprintf(`{"n": %d}`, n)), PrevHash: prev, Hash: hash(n),
		ReceivedAt: "2026-03-29T02:30:15.123456+00:00",
		Published:  "2026-03-29T02:30:15Z", Updated: "2026-03-29T02:30:16Z",
	}
}

func hash(n int) string { return fmt.Sprintf("%064x", n) }

// chain opens an Own ledger with n entries.
func (d *desk) chain(tx ports.LedgerWriter, n int) {
	d.Helper()
	d.must(tx.OpenLedger(caseID, ports.Own, "genesis"), "a case without a ledger can be given one")
	for i := range n {
		d.must(tx.Mint(entry(i)), "an Own ledger mints the entry after its tail")
	}
}

func message(sender, id string) ports.InboxItem {
	return ports.InboxItem{
		Class: ports.Message, Sender: sender, ActivityID: id, Digest: "digest of " + id,
		Body: []byte("message " + id), ReceivedAt: at,
	}
}

func (d *desk) receive(tx ports.InboxWriter, item ports.InboxItem) int64 {
	d.Helper()
	seq, duplicate, err := tx.InboxAppend(item)
	d.must(err, "a message is taken into the inbox")
	if duplicate {
		d.Fatalf("broken: a message that was not there before is no duplicate")
	}
	return seq
}

func (d *desk) settle(tx ports.InboxWriter, s ports.Settlement) {
	d.Helper()
	d.must(tx.InboxSettle(s), "an item that exists can be settled")
}

func activity(id string, recipients ...string) ports.OutboxItem {
	return ports.OutboxItem{
		ActivityID: id, Actor: vendor, AttributedTo: finder.URI(), Body: []byte("activity " + id),
		Recipients: recipients, About: "urn:about:" + id, CreatedAt: at,
	}
}

func (d *desk) send(tx ports.OutboxWriter, item ports.OutboxItem) ports.OutboxItem {
	d.Helper()
	seq, err := tx.OutboxAppend(item)
	d.must(err, "an activity of the owner with a recipient is taken into the outbox")
	item.Seq = seq
	return item
}

// fill writes something of everything, in every state.
func (d *desk) fill(store ports.DataLayer) {
	d.Helper()
	d.updateIn(store, func(tx ports.Tx) { d.fillIn(tx, store.Actor()) })
}

func (d *desk) fillIn(tx ports.Tx, owner model.ActorID) {
	d.Helper()
	first := d.put(tx, note("1", about("a"), about("b")))
	d.put(tx, note("2", about("a")))
	first.Body = []byte(nested)
	d.put(tx, first)
	d.put(tx, ports.Record{Kind: "case", ID: "1", Body: []byte{0, 0xff}})
	d.chain(tx, 3)
	d.must(tx.OpenLedger("urn:case:2", ports.Replica, "g2"), "a second case can be given a ledger")
	d.fillInbox(tx)
	for n := range 3 {
		item := activity(fmt.Sprint("urn:out:", n), "peer-a", "peer-b", "peer-c")
		item.Actor = owner
		sent := d.send(tx, item)
		d.attempt(tx, ports.Attempt{Recipient: "peer-a", Seq: sent.Seq, Delivered: n == 0, Error: "later", NotBefore: at})
		d.attempt(tx, ports.Attempt{Recipient: "peer-c", Seq: sent.Seq, Dead: true, Error: "gone"})
	}
}

func (d *desk) fillInbox(tx ports.InboxWriter) {
	d.Helper()
	for n, state := range inboxStates {
		seq := d.receive(tx, message(finder.URI(), fmt.Sprint("urn:in:", n)))
		if state == ports.Pending {
			continue
		}
		d.settle(tx, ports.Settlement{
			Seq: seq, State: state, Wake: "key", Until: at.Add(time.Hour),
			Outcome: ports.Outcome{Code: "ok", Text: "t", Path: "a/b", Result: []byte("{}"), At: at},
		})
	}
}

func (d *desk) attempt(tx ports.OutboxWriter, a ports.Attempt) {
	d.Helper()
	d.must(tx.DeliverySettle(a), "an attempt at a pending delivery can be recorded")
}
