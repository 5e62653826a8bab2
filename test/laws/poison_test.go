package laws

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"sync"
	"testing"

	"bateleur/core/cases"
	"bateleur/core/model"
	"bateleur/core/ports"
	"bateleur/node"
	"bateleur/test/simnet"
)

// touchy panics over what one reports of the world, as a defect in a leaf would.
type touchy struct{ ports.DefaultPolicy }

func (touchy) AdoptStatus(_ string, world model.PXA) bool {
	if world == "PXA" {
		panic("a defect in the leaf that judges the world")
	}
	return true
}

// A panic in a leaf undoes its run and is a dead letter with its stack in the
// log; the node, the actor and every other message live on, those in the same
// transaction too.
//
// Proves: BA-10-005, BA-02-003
func TestAPanicIsADeadLetterAndTheNodeLivesOn(t *testing.T) {
	t.Parallel()
	onEveryStore(t, func(t *testing.T, g0 *stage) {
		var log syncBuffer
		g := set(t, setting{manage: "a", stores: g0.set.stores, change: func(_ string, cfg *node.Config) {
			cfg.Policy, cfg.Log = touchy{}, slog.New(slog.NewTextHandler(&log, nil))
		}})
		g.open()
		before := protocolState(g.M)
		poison := g.statusOf(g.F, model.RMAccepted, model.VFDUnaware, "PXA")
		item := g.hear(g.F, g.M, poison)
		if item.State != ports.Dead || item.Outcome.Code != "panic" || item.Outcome.Path == "" {
			t.Errorf("%s: %+v", item.State, item.Outcome)
		}
		if d := diff(before, protocolState(g.M)); d != "" {
			t.Errorf("the run left something:\n%s", d)
		}

		// In one transaction with good ones, before and behind it.
		again := *poison
		again.ID = newID()
		messages := []*model.Activity{g.noteBy(g.F), &again, g.noteBy(g.V), g.noteBy(g.F)}
		g.net.Stop("a")
		if text := log.String(); !strings.Contains(text, "touchy.AdoptStatus") || !strings.Contains(text, "stack=") {
			t.Errorf("the stack is not in the log:\n%s", text)
		}
		for _, a := range messages {
			g.queueFor(g.M, a)
		}
		g.net.Start("a")
		g.net.Settle()
		if n := len(g.M.Items(ports.Dead)); n != 2 {
			t.Errorf("%d dead letters, want 2", n)
		}
		if n := len(g.M.Records(cases.KindNote)); n != 3 {
			t.Errorf("%d notes, want 3", n)
		}
		g.sameLedger(g.V, g.F)
	})
}

// syncBuffer is a log that goroutines write side by side.
type syncBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *syncBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *syncBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

// noteBy adds a participant's note to the case.
func (g *stage) noteBy(p simnet.Party) *model.Activity {
	return &model.Activity{ID: newID(), Type: model.Add, Actor: p.URI(),
		Target: model.Inline(&model.VulnerabilityCase{ID: g.caseID, Type: model.TypeCase}),
		Object: model.Inline(&model.Note{ID: newID(), Type: model.TypeNote, Content: "A note.", Context: g.caseID, AttributedTo: p.URI()})}
}

// queueFor puts a message into a queue behind its node's back.
func (g *stage) queueFor(to simnet.Party, a *model.Activity) {
	g.t.Helper()
	body := encode(g.t, a)
	to.Meddle(func(tx ports.Tx) error {
		_, _, err := tx.InboxAppend(ports.InboxItem{Class: ports.Message, Sender: a.Actor, ActivityID: a.ID,
			Digest: a.ID, Body: body, ReceivedAt: g.net.Clock.Now()})
		return err
	})
}

// Messages that break a rule, each in its way, end where they are with a reason
// and are not tried again; a thousand good ones pass between them.
//
// Proves: SE-04-002, CLP-03-002, BA-10-003
func TestPoisonDelaysNobody(t *testing.T) {
	t.Parallel()
	g := set(t, setting{manage: "a", change: func(_ string, cfg *node.Config) { cfg.Policy = touchy{} }})
	g.open()
	ledger := g.M.Entries(g.caseID)
	stub := model.Inline(&model.VulnerabilityCase{ID: g.caseID, Type: model.TypeCase})
	embargo := &model.EmbargoEvent{ID: newID(), Type: model.TypeEmbargo, Context: g.caseID}
	nowhere := ledger[3]
	nowhere.CaseID = newID()
	poison := map[string]*model.Activity{
		"an answer to an embargo nobody proposed": {Type: model.Accept, Context: g.caseID, Object: model.Inline(
			&model.Activity{ID: newID(), Type: model.Invite, Actor: g.V.URI(), Context: g.caseID, Object: model.Inline(embargo)})},
		"a bare id":               {Type: model.Add, Object: model.Link(newID()), Target: model.Link(newID())},
		"a type without meaning":  {Type: "Flag", Object: stub},
		"a note into nowhere":     {Type: model.Add, Object: model.Inline(&model.Note{Type: model.TypeNote, Content: "x"}), Target: stub},
		"an empty proposal":       {Type: model.Create, Object: model.Inline(&model.CaseProposal{Type: model.TypeProposal})},
		"a status of nobody":      {Type: model.Add, Object: model.Inline(&model.ParticipantStatus{ID: newID(), Type: model.TypeParticipantStatus, Context: g.caseID}), Target: model.Link("urn:x:1")},
		"an entry of nowhere":     {Type: model.Announce, Object: model.Inline(&model.LedgerEntry{Entry: nowhere})},
		"a leaf's defect":         g.statusOf(g.F, model.RMAccepted, model.VFDUnaware, "PXA"),
		"an invitation's answer":  {Type: model.Accept, Object: model.Inline(&model.Activity{ID: newID(), Type: model.Invite, Object: model.Inline(&model.Actor{ID: g.F.URI(), Type: "Person"}), Target: stub})},
		"an offer without report": {Type: model.Offer, Object: model.Inline(&model.Report{Type: model.TypeReport})},
	}
	for name, a := range poison {
		a.ID, a.Actor = newID(), g.F.URI()
		poison[name] = a
	}
	const good = 1000
	for n := range good {
		for name, a := range poison {
			if n == len(name)*7 {
				g.net.Inject(g.F.ID, g.M.ID, a)
			}
		}
		g.net.Inject(g.F.ID, g.M.ID, &model.Activity{ID: newID(), Type: model.Create, Actor: g.F.URI(),
			Object: model.Inline(&model.Note{ID: newID(), Type: model.TypeNote, Content: "Good.", Context: g.caseID, AttributedTo: g.F.URI()})})
	}
	g.net.Settle()

	byID := map[string]ports.InboxItem{}
	done := 0
	for _, item := range g.M.Items() {
		byID[item.ActivityID] = item
		if item.State == ports.Done {
			done++
		}
	}
	if done < good {
		t.Errorf("%d good messages were decided, want %d", done, good)
	}
	for name, a := range poison {
		item := byID[a.ID]
		if item.State == ports.Done || item.State == ports.Pending || item.Outcome.Text == "" || item.Attempts > 2 {
			t.Errorf("%s: %s after %d runs: %+v", name, item.State, item.Attempts, item.Outcome)
		}
		if d := diff(encode(t, a), item.Body); d != "" {
			t.Errorf("%s is kept otherwise than it came:\n%s", name, d)
		}
	}
	if d := diff(ledger, g.M.Entries(g.caseID)); d != "" {
		t.Errorf("the ledger changed:\n%s", d)
	}
	if err := g.M.Node().Ready(context.Background()); err != nil {
		t.Error(err)
	}
}

// A dead letter runs again when it is told to, and is done when what spoiled it
// is gone.
//
// Proves: BA-10-004
func TestADeadLetterRunsAgain(t *testing.T) {
	t.Parallel()
	onEveryStore(t, func(t *testing.T, g0 *stage) {
		g := set(t, setting{manage: "a", stores: g0.set.stores, change: func(_ string, cfg *node.Config) { cfg.Policy = touchy{} }})
		g.open()
		item := g.hear(g.F, g.M, g.statusOf(g.F, model.RMAccepted, model.VFDUnaware, "PXA"))
		cfg := g.net.Configured("a")
		cfg.Policy = ports.DefaultPolicy{}
		g.net.Stop("a")
		g.net.Run(cfg)
		if err := g.M.Node().Retry(t.Context(), g.M.ID, item.Seq); err != nil {
			t.Fatal(err)
		}
		g.net.Settle()
		if got := g.M.Item(item.Seq); got.State != ports.Done {
			t.Errorf("%s: %+v", got.State, got.Outcome)
		}
		if pxa := g.F.Case(g.caseID).PXA; pxa != "PXA" {
			t.Errorf("the world knows %s", pxa)
		}
	})
}
