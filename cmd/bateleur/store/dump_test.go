package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"bateleur/adapters/driven/memory"
	"bateleur/core/model"
	"bateleur/core/ports"
)

// full is a store with more than a page of everything that comes in pages.
func full(t *testing.T) ports.DataLayer {
	t.Helper()
	me, err := model.ParseActorID("http://h/actors/me")
	if err != nil {
		t.Fatal(err)
	}
	dl, err := memory.New().Create(t.Context(), me)
	if err != nil {
		t.Fatal(err)
	}
	err = dl.Update(t.Context(), func(tx ports.Tx) error {
		for i := range 2*page + 1 {
			body, id := []byte(`{"n":`+fmt.Sprint(i)+`}`), fmt.Sprintf("urn:%d", i)
			if i%2 == 1 {
				body = []byte("not JSON \xff")
			}
			if _, err := tx.Put(ports.Record{Kind: "note", ID: id, Body: body, Refs: []ports.Ref{{Name: "case", Target: "urn:c"}}}); err != nil {
				return err
			}
			seq, _, err := tx.InboxAppend(ports.InboxItem{Class: ports.Message, Sender: "http://h/actors/you", ActivityID: id, Body: body})
			if err != nil {
				return err
			}
			if i%2 == 1 {
				if err := tx.InboxSettle(ports.Settlement{Seq: seq, State: ports.Done, Outcome: ports.Outcome{Code: "ok", Result: []byte(`{}`)}}); err != nil {
					return err
				}
			}
			if seq, err = tx.OutboxAppend(ports.OutboxItem{ActivityID: id, Actor: me, Body: body, Recipients: []string{"http://h/a", "http://h/b"}}); err != nil {
				return err
			}
			if err := tx.DeliverySettle(ports.Attempt{Recipient: "http://h/b", Seq: seq, Dead: true, Error: "410"}); err != nil {
				return err
			}
		}
		return tx.OpenLedger("urn:c", ports.Replica, strings.Repeat("0", 64))
	})
	if err != nil {
		t.Fatal(err)
	}
	return dl
}

func dumped(t *testing.T, dl ports.DataLayer, p *printer) {
	t.Helper()
	if err := dl.View(t.Context(), func(r ports.Reader) error {
		for _, part := range parts {
			if err := part(p, r); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
}

// Every record is printed once, whatever a page holds, in the same order each
// time.
//
// Proves: BA-05-002
func TestADumpHoldsEverything(t *testing.T) {
	dl := full(t)
	var first, second bytes.Buffer
	dumped(t, dl, &printer{out: &first})
	dumped(t, dl, &printer{out: &second})
	if !bytes.Equal(first.Bytes(), second.Bytes()) {
		t.Error("two dumps of one state differ")
	}
	counts, seen := map[string]int{}, map[string]bool{}
	for line := range strings.Lines(first.String()) {
		var r struct {
			Record, ID, ActivityID, Recipient, State string
			Body                                     json.RawMessage
		}
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		key := r.Record + " " + r.ID + r.ActivityID + " " + r.Recipient
		if seen[key] {
			t.Errorf("%s is printed twice", key)
		}
		seen[key] = true
		counts[strings.TrimSpace(r.Record+" "+r.State)]++
		if r.Record == "object" && r.ID == "urn:1" && string(r.Body) != `"not JSON \ufffd"` {
			t.Errorf("a body that is no JSON is shown as %s", r.Body)
		}
	}
	n := 2*page + 1
	want := map[string]int{"object": n, "inbox pending": page + 1, "inbox done": page, "outbox": n, "delivery pending": n,
		"delivery dead": n, "ledger": 1}
	if diff := cmp.Diff(want, counts); diff != "" {
		t.Error(diff)
	}
}

var errFull = errors.New("the disk is full")

type fullDisk struct{ writes int }

func (d *fullDisk) Write([]byte) (int, error) {
	d.writes++
	return 0, errFull
}

func TestADumpThatCannotBeWrittenEnds(t *testing.T) {
	disk := &fullDisk{}
	p := &printer{out: disk}
	dumped(t, full(t), p)
	if !errors.Is(p.err, errFull) || disk.writes != 1 {
		t.Errorf("%v after %d writes", p.err, disk.writes)
	}
}

func TestTimes(t *testing.T) {
	if when(time.Time{}) != nil {
		t.Error("no time is shown as one")
	}
	at := time.Date(2026, 1, 2, 3, 4, 5, 6, time.FixedZone("x", 3600))
	if got := when(at); got == nil || !got.Equal(at) || got.Location() != time.UTC {
		t.Errorf("shown as %v", got)
	}
}
