package demo

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"bateleur/adapters/driven/sqlite"
	"bateleur/cmd/bateleur/serve"
	"bateleur/cmd/bateleur/terminal"
	"bateleur/core/ledger"
	"bateleur/core/model"
	"bateleur/core/ports"
)

// ledger shows the case's entries.
func (t *teller) ledger(entries []ledger.Entry) {
	if t.json {
		for _, e := range entries {
			t.event("entry", map[string]any{"index": e.Index, "eventType": e.EventType, "actor": asserter(e),
				"receivedAt": e.ReceivedAt, "hash": e.Hash})
		}
		return
	}
	t.printf("\n%s\n", t.style.Strong("The ledger, as the case manager keeps it"))
	tab := tabwriter.NewWriter(t.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tab, "  #\tEVENT\tWHO\tWHEN\tHASH")
	for _, e := range entries {
		fmt.Fprintf(tab, "  %d\t%s\t%s\t%s\t%.12s\n", e.Index, terminal.Line(e.EventType, 60), short(asserter(e)),
			terminal.Line(e.ReceivedAt, 40), terminal.Line(e.Hash, 64))
	}
	_ = tab.Flush() // printed as far as somebody reads
	t.printf("\n%s\n", t.style.Strong("Verified, each store by the node that holds it"))
}

// verified shows what verifying one store's ledger came to.
func (t *teller) verified(h holding) {
	v := h.verification
	if t.json {
		t.event("verified", map[string]any{"actor": h.who.id, "ok": v.OK, "entries": v.Entries, "standing": v.Standing,
			"tailHash": v.TailHash, "checks": v.Checks})
		return
	}
	var checks []string
	for _, c := range v.Checks {
		checks = append(checks, c.Name)
	}
	result := t.style.Good("holds")
	if !v.OK {
		result = t.style.Bad("DOES NOT HOLD")
	}
	t.printf("  %-10s  %-7s  %2d entries to %.12s  %s: %s\n", h.who.segment, v.Standing, v.Entries, terminal.Line(v.TailHash, 64), result,
		strings.Join(checks, ", "))
}

// counted shows what the work took.
func (t *teller) counted(s *story, held []holding) {
	refused, dead := int64(0), 0
	for _, h := range held {
		refused += h.queue.Inbox[ports.Refused]
		dead += len(h.dead.Inbox) + len(h.dead.Deliveries)
	}
	if t.json {
		t.event("counts", map[string]any{"ms": s.took.Milliseconds(), "entries": len(held[0].entries), "inboxPosts": s.count.Posts,
			"floor": s.floor(held), "inboxBytes": s.count.Bytes, "refused": refused, "deadLetters": dead})
		return
	}
	t.printf("\n%d ms of work, %d entries, %d inbox POSTs (needed: %d) of %d bytes in all; %d refused, %d dead letters\n",
		s.took.Milliseconds(), len(held[0].entries), s.count.Posts, s.floor(held), s.count.Bytes, refused, dead)
}

func (t *teller) invariants(all []Invariant) {
	held := 0
	for _, i := range all {
		if t.json {
			t.event("invariant", map[string]any{"name": i.Name, "ok": i.OK, "text": i.Text})
		}
		if i.OK {
			held++
		}
	}
	if !t.json {
		t.printf("%d of %d invariants hold\n", held, len(all))
	}
}

// ended says how it ended, where the stores lie and what to try next.
func (t *teller) ended(at *place, err error) {
	stores := t.stores()
	if t.json {
		members := map[string]any{"ok": err == nil, "kept": at.keep, "folder": at.folder, "stores": stores}
		if t.told != nil {
			members["case"] = t.told.caseID
		}
		if err != nil {
			members["error"] = err.Error()
		}
		t.event("end", members)
		return
	}
	if err != nil {
		t.printf("\nStores and logs of the nodes are kept in %s\n", at.folder)
		return
	}
	fate := "removed now"
	if at.keep {
		fate = "kept"
	}
	t.printf("\n%s, %s\n", t.style.Strong("The stores, a file an actor"), fate)
	for _, s := range stores {
		t.printf("  %s\n", s.File)
	}
	t.next(at, stores)
}

// next says what to try.
func (t *teller) next(at *place, stores []store) {
	self := invocation()
	t.printf("\n%s\n", t.style.Strong("Try next"))
	if !at.keep {
		t.printf("  %s demo --data demo-data            keep the stores, and look into them\n", self)
		t.printf("  %s demo --report FILE               report a CVE or OSV record, a CSAF advisory or a text of yours\n", self)
		return
	}
	for _, s := range stores {
		t.printf("  %s store verify --data %s --actor %s\n", self, filepath.Dir(s.File), s.Actor)
	}
	last := stores[len(stores)-1]
	t.printf("  %s store dump --data %s --actor %s\n", self, filepath.Dir(last.File), last.Actor)
	t.printf("  %s serve --data %s --base-url %s --actor vendor\n", self, filepath.Dir(last.File), t.told.vendor.node.base)
}

// store is where an actor's lies.
type store struct {
	Actor string `json:"actor"`
	File  string `json:"file"`
}

func (t *teller) stores() (all []store) {
	if t.told == nil {
		return nil
	}
	for _, p := range []*party{t.told.finder, t.told.vendor, t.told.manager} {
		id, err := model.ParseActorID(p.id)
		if err != nil {
			continue
		}
		if file, err := sqlite.Path(serve.DataURL(p.node.data), id); err == nil {
			all = append(all, store{p.id, file})
		}
	}
	return all
}

// invocation is how this program was started: by its name, or by "go run".
func invocation() string {
	self, err := os.Executable()
	if err == nil && strings.Contains(filepath.ToSlash(self), "/go-build") {
		return "go run ./cmd/bateleur"
	}
	return os.Args[0]
}
