package laws

import (
	"testing"

	"bateleur/core/cases"
	"bateleur/core/model"
	"bateleur/core/ports"
	"bateleur/core/semantics"
	"bateleur/test/simnet"
)

// A late participant is told the case by Announce and then its whole ledger, in
// order; it is at RECEIVED and, under an embargo, its signatory. The others learn
// of it by entries. Owner and reporter got their Create; nobody is sent anything
// twice.
//
// Proves: BA-12-001, PCR-02-002, CM-11-001, CBT-01-002, CBT-01-003, CP-09-003, CP-09-004, SYNC-02-002, CLP-04-006
func TestALateParticipantIsToldTheCaseAndThenItsLedger(t *testing.T) {
	t.Parallel()
	onEveryStore(t, func(t *testing.T, g *stage) {
		w := g.another("w", "other-vendor")
		g.open()
		g.do(g.V, "validate-report", params{"offer_id": g.offerID})
		g.do(g.V, "add-note-to-case", g.note("Before it joined."))
		g.admit(w, "vendor")
		tail := len(g.M.Entries(g.caseID))

		g.wantTold(w, semantics.AnnounceVulnerabilityCase, tail)
		g.wantTold(g.V, semantics.CreateCase, tail)
		g.wantTold(g.F, semantics.CreateCase, tail)
		for _, p := range []simnet.Party{g.M, g.V, g.F, w} {
			who := p.Case(g.caseID).Of(w.URI())
			if who == nil || who.RM != model.RMReceived || who.PEC != model.PECSignatory {
				t.Errorf("%s has the newcomer as %+v", p.ID.Segment(), who)
			}
			g.projected(p)
		}
		g.sameLedger(g.V, g.F, w)
		g.sameCase(g.V, g.F, w)
		if d := diff([]string{cases.EventInviteActor, cases.EventAcceptInvite, cases.EventAddParticipant},
			events(g.M.Entries(g.caseID), tail-3)); d != "" {
			t.Error(d)
		}
		once(t, g.net.Sent())
	})
}

// wantTold wants the manager to have told a party the case first, by a message of
// this meaning, and then the entries, each once and in order.
func (g *stage) wantTold(p simnet.Party, first semantics.Meaning, entries int) {
	g.t.Helper()
	next := int64(-1)
	for _, m := range conversation(g.net.Sent(), g.M.URI(), p.URI()) {
		switch semantics.Classify(m.Activity) {
		case semantics.CreateCase, semantics.AnnounceVulnerabilityCase:
			if semantics.Classify(m.Activity) != first || next != -1 {
				g.t.Errorf("%s was told the case by %s, its next entry being %d", p.ID.Segment(), line(m.Activity), next)
			}
			next = 0
		case semantics.AnnounceCaseLedgerEntry:
			e, _ := model.InlineAs[*model.LedgerEntry](m.Activity.Object)
			if e.Entry.Index != next {
				g.t.Errorf("%s was told entry %d, want %d", p.ID.Segment(), e.Entry.Index, next)
			}
			next++
			if d := diff([]string{p.URI()}, m.Activity.Addressees()); d != "" {
				g.t.Error(d)
			}
		}
	}
	if next != int64(entries) {
		g.t.Errorf("%s was told %d entries, want %d", p.ID.Segment(), next, entries)
	}
}

// once wants no message and no entry to have gone to the same inbox twice.
func once(t *testing.T, sent []simnet.Message) {
	t.Helper()
	seen := map[string]bool{}
	for _, m := range sent {
		keys := []string{m.To() + " " + m.Activity.ID}
		if e, ok := model.InlineAs[*model.LedgerEntry](m.Activity.Object); ok && m.Activity.Type == model.Announce {
			keys = append(keys, m.To()+" "+e.Entry.ID())
		}
		for _, k := range keys {
			if seen[k] {
				t.Errorf("sent twice: %s", k)
			}
			seen[k] = true
		}
	}
}

// An invitation shows the embargo and nothing else of the case; until the Accept
// is processed the invitee is no participant, is told nothing and knows nothing.
// A refusal is ledgered and makes no participant.
//
// Proves: CM-17-001, CM-17-005, PCR-01-003
func TestAnInviteeIsNoParticipantBeforeItAccepts(t *testing.T) {
	t.Parallel()
	onEveryStore(t, func(t *testing.T, g *stage) {
		w, y := g.another("w", "other-vendor"), g.another("y", "unwilling")
		g.open()
		invite := g.invite(w, "vendor")
		stub, _ := model.InlineAs[*model.VulnerabilityCase](invitationTo(t, g, w).Target)
		embargo, _ := model.InlineAs[*model.EmbargoEvent](stub.ActiveEmbargo)
		if stub.ID != g.caseID || !stub.IsStub() || stub.Name != "" || embargo == nil || embargo.EndTime.IsZero() {
			t.Errorf("the invitation shows %s", asJSON(t, stub))
		}
		g.do(g.V, "add-note-to-case", g.note("Not for the invitee."))

		g.net.Hold(func(m simnet.Message) bool { return m.From == w.URI() })
		g.do(w, "accept-case-invite", params{"invite_id": invite})
		for _, p := range []simnet.Party{g.M, g.V, g.F} {
			if p.Case(g.caseID).Of(w.URI()) != nil {
				t.Errorf("%s lists the invitee", p.ID.Segment())
			}
		}
		if w.Case(g.caseID) != nil || len(w.Items()) != 2 { // the invitation and the owner's command
			t.Errorf("the invitee knows more than its invitation: %d items", len(w.Items()))
		}
		g.net.Release()
		g.net.Settle()
		if g.rm(w, w) != model.RMReceived {
			t.Errorf("after its acceptance the invitee stands at %s", g.rm(w, w))
		}

		g.do(y, "reject-case-invite", params{"invite_id": g.invite(y)})
		entries := g.M.Entries(g.caseID)
		if got := entries[len(entries)-1].EventType; got != cases.EventRejectInvite {
			t.Errorf("the refusal is ledgered as %s", got)
		}
		if g.M.Case(g.caseID).Of(y.URI()) != nil || y.Case(g.caseID) != nil {
			t.Error("the refusal made a participant")
		}
	})
}

// An invitation is answered by whom it invites, once; another's answer, a second
// one, and one to an invitation that nobody sent change nothing.
//
// Proves: CLP-10-009, CLP-13-001, CM-17-005
func TestOnlyTheInvitedAnswersAndOnlyOnce(t *testing.T) {
	t.Parallel()
	onEveryStore(t, func(t *testing.T, g *stage) {
		w, y := g.another("w", "other-vendor"), g.another("y", "stranger")
		g.open()
		id := g.invite(w)
		invite := invitationTo(t, g, w)
		answer := func(by simnet.Party, to *model.Activity) *model.Activity {
			return &model.Activity{ID: newID(), Type: model.Accept, Actor: by.URI(), Object: model.Inline(to), InReplyTo: to.ID}
		}
		forged := *invite
		forged.ID, forged.Object = newID(), model.Inline(&model.Actor{ID: y.URI(), Type: "Organization"})

		before := g.M.Entries(g.caseID)
		for name, a := range map[string]*model.Activity{"another's": answer(y, invite), "nobody's": answer(y, &forged)} {
			if item := g.hear(y, g.M, a); item.State != ports.Refused {
				t.Errorf("%s answer is %s: %+v", name, item.State, item.Outcome)
			}
		}
		if d := diff(before, g.M.Entries(g.caseID)); d != "" {
			t.Errorf("the ledger changed:\n%s", d)
		}
		g.do(w, "accept-case-invite", params{"invite_id": id})
		after := protocolState(g.M)
		if item := g.hear(w, g.M, answer(w, invite)); item.State != ports.Refused {
			t.Errorf("the second answer is %s: %+v", item.State, item.Outcome)
		}
		if d := diff(after, protocolState(g.M)); d != "" {
			t.Error(d)
		}
	})
}

// Who joins after the embargo ended consents to nothing, and sees the world's
// state and everybody's part as the others do.
//
// Proves: SYNC-08-002, CLP-04-006, EMB-13-001
func TestALatecomerSeesWhatTheOthersSee(t *testing.T) {
	t.Parallel()
	onEveryStore(t, func(t *testing.T, g *stage) {
		w := g.another("w", "other-vendor")
		g.open()
		g.do(g.V, "validate-report", params{"offer_id": g.offerID})
		g.do(g.V, "engage-case", g.inCase())
		g.do(g.V, "defer-case", g.inCase())
		g.do(g.V, "engage-case", g.inCase())
		g.do(g.V, "notify-fix-ready", g.inCase())
		g.do(g.V, "notify-published", g.inCase())
		g.admit(w, "deployer")
		if who := w.Case(g.caseID).Of(w.URI()); who.PEC != model.PECNone {
			t.Errorf("the newcomer consents to an embargo that is over: %s", who.PEC)
		}
		g.sameCase(g.V, g.F, w)
		g.sameLedger(g.V, g.F, w)
		for _, p := range []simnet.Party{g.M, g.V, g.F, w} {
			g.projected(p)
		}
	})
}
