package laws

import (
	"testing"

	"bateleur/core/cases"
	"bateleur/core/ledger"
	"bateleur/core/model"
	"bateleur/core/ports"
	"bateleur/core/semantics"
	"bateleur/test/simnet"
)

// The role decides, not the address or the kind of actor: with CASE_MANAGER held
// by an organization at an ordinary address, on its own node, the same case gives
// the same ledger and the same replicas.
//
// Proves: BA-03-003, CM-02-001, CM-02-002, CBT-01-003
func TestAnyActorMayHoldTheRole(t *testing.T) {
	t.Parallel()
	want := set(t, setting{manage: "a"})
	want.story()
	onEveryStore(t, func(t *testing.T, _ *stage) {
		g := set(t, setting{manage: "a", manager: "cert-desk", managerType: "Organization"})
		g.story()
		if d := diff(transcript(want), transcript(g)); d != "" {
			t.Error(d)
		}
		for _, p := range []simnet.Party{g.M, g.V, g.F} {
			c := p.Case(g.caseID)
			if got := c.Manager(); got != g.M.URI() {
				t.Errorf("%s takes %s for the manager", p.ID.Segment(), got)
			}
			if c.Holder(model.RoleCaseOwner).Actor != g.V.URI() {
				t.Errorf("%s takes %s for the owner", p.ID.Segment(), c.Holder(model.RoleCaseOwner).Actor)
			}
		}
	})
}

// An actor at the customary address of managers that does not hold the role can
// do nothing for the case: what only a manager acts on is not its own, and what
// only a manager may say nobody takes from it.
//
// Proves: BA-03-003, BA-10-001, CLP-01-003, CLP-09-001, CBT-02-002, BT-17-001
func TestTheCustomaryAddressIsNoAuthority(t *testing.T) {
	t.Parallel()
	onEveryStore(t, func(t *testing.T, g0 *stage) {
		g := set(t, setting{manager: "cert-desk", managerType: "Organization", stores: g0.set.stores})
		id := simnet.Actor("x", "case-actor")
		g.host("x", simnet.ManagerProfile(id, "Service"))
		x := g.net.Party(id)
		g.open()
		g.admit(x, "coordinator")
		g.do(g.V, "validate-report", params{"offer_id": g.offerID})
		g.do(g.V, "engage-case", g.inCase())
		g.do(g.V, "add-note-to-case", g.note("A note."))
		g.do(g.V, "notify-published", g.inCase())
		toManager := messagesTo(g, g.M)

		t.Run("what a manager acts on", func(t *testing.T) {
			before := protocolState(x)
			for _, m := range toManager {
				if semantics.Classify(m.Activity) == semantics.CreateCaseProposal {
					continue // refusing one takes no role
				}
				item := g.hear(g.actorOf(m.From), x, m.Activity)
				if item.State == ports.Done && semantics.Classify(m.Activity) != semantics.CreateNote {
					t.Errorf("%s was done: %+v", line(m.Activity), item.Outcome)
				}
			}
			behind := &model.Activity{ID: newID(), Type: model.Reject, Actor: g.F.URI(), HasContext: true,
				Object: model.Inline(&model.LedgerEntry{Entry: g.M.Entries(g.caseID)[3]})}
			if item := g.hear(g.F, x, behind); item.State != ports.Ignored || item.Outcome.Code != "not-mine" {
				t.Errorf("asked to replay: %s %+v", item.State, item.Outcome)
			}
			if d := diff(before, protocolState(x)); d != "" {
				t.Errorf("the store changed:\n%s", d)
			}
		})
		t.Run("what a manager says", func(t *testing.T) {
			for _, victim := range []simnet.Party{g.V, g.F, g.M} {
				before := protocolState(victim)
				for name, a := range claims(t, g, x) {
					if item := g.hear(x, victim, a); item.State == ports.Done || item.State == ports.Deferred {
						t.Errorf("%s took %s: %s %+v", victim.ID.Segment(), name, item.State, item.Outcome)
					}
				}
				if d := diff(before, protocolState(victim)); d != "" {
					t.Errorf("%s changed:\n%s", victim.ID.Segment(), d)
				}
			}
		})
	})
}

// messagesTo are the messages that an actor was sent, each meaning once.
func messagesTo(g *stage, p simnet.Party) (out []simnet.Message) {
	seen := map[semantics.Meaning]bool{}
	for _, m := range g.net.Sent() {
		if meaning := semantics.Classify(m.Activity); m.To() == p.URI() && !seen[meaning] {
			seen[meaning] = true
			out = append(out, m)
		}
	}
	return out
}

// claims are what only a case's manager may say, said by x in every form that
// the protocol has for it.
func claims(t *testing.T, g *stage, x simnet.Party) map[string]*model.Activity {
	t.Helper()
	c := x.Case(g.caseID)
	seed, _ := load[*model.VulnerabilityCase](t, x, cases.KindSeed, g.caseID)
	stub := model.Inline(&model.VulnerabilityCase{ID: g.caseID, Type: model.TypeCase})
	a := func(typ string, object model.Object) *model.Activity {
		return &model.Activity{ID: newID(), Type: typ, Actor: x.URI(), Object: model.Inline(object)}
	}
	with := func(a *model.Activity, target, origin model.Item) *model.Activity {
		a.Target, a.Origin, a.Context = target, origin, g.caseID
		return a
	}
	world := &model.CaseStatus{ID: newID(), Type: model.TypeCaseStatus, Context: g.caseID,
		AttributedTo: x.URI(), EMState: model.EMExited, PXAState: "PXA"}
	embargo := &model.EmbargoEvent{ID: newID(), Type: model.TypeEmbargo, Context: g.caseID}
	return map[string]*model.Activity{
		"Create(case)":         a(model.Create, seed),
		"Announce(case)":       a(model.Announce, seed),
		"Announce(entry)":      a(model.Announce, &model.LedgerEntry{Entry: nextEntry(t, g, x)}),
		"Add(CaseStatus)":      with(a(model.Add, world), stub, model.Item{}),
		"Remove(EmbargoEvent)": with(a(model.Remove, embargo), model.Item{}, model.Link(g.caseID)),
		"Add(CaseParticipant)": with(a(model.Add, cases.Brief(c, &c.Participants[0])), stub, model.Item{}),
	}
}

// nextEntry is a valid entry that would follow the ledger, about a note of x.
func nextEntry(t *testing.T, g *stage, x simnet.Party) ledger.Entry {
	t.Helper()
	entries := g.M.Entries(g.caseID)
	last := entries[len(entries)-1]
	note := &model.Note{ID: newID(), Type: model.TypeNote, Content: "Forged.", Context: g.caseID, AttributedTo: x.URI()}
	a := &model.Activity{ID: newID(), Type: model.Add, Actor: x.URI(), Context: g.caseID, Object: model.Inline(note),
		Target: model.Inline(&model.VulnerabilityCase{ID: g.caseID, Type: model.TypeCase})}
	return chained(t, ledger.Entry{CaseID: g.caseID, Index: last.Index + 1, Disposition: ledger.Recorded, ObjectID: a.ID,
		EventType: cases.EventAddNote, Payload: asJSON(t, a), PrevHash: last.Hash, ReceivedAt: last.ReceivedAt})
}

// chained gives an entry the hash that follows from its content.
func chained(t *testing.T, e ledger.Entry) ledger.Entry {
	t.Helper()
	hash, err := e.ComputeHash()
	if err != nil {
		t.Fatal(err)
	}
	e.Hash = hash
	return e
}

// protocolState is everything in a store but its queue: records, ledgers and
// what it ever sent.
func protocolState(p simnet.Party) []string {
	return keepLines(p.Dump(), "record ", "ledger ", "entry ", "activity ", "delivery ", "queue ")
}

// A case's manager never owns it: a report to the manager itself, which it would
// have to propose to itself, becomes no case.
//
// Proves: BA-03-004, CM-02-010
func TestTheManagerNeverOwnsTheCase(t *testing.T) {
	t.Parallel()
	onEveryStore(t, func(t *testing.T, g *stage) {
		g.do(g.F, "submit-report", params{"report_name": "In the manager", "report_content": "x", "recipient_id": g.M.URI()})
		for _, p := range []simnet.Party{g.M, g.F} {
			if n := len(p.Records(cases.KindCase)); n != 0 {
				t.Errorf("%s has %d cases", p.ID.Segment(), n)
			}
		}
		g.story()
		for _, p := range []simnet.Party{g.M, g.V, g.F} {
			for _, who := range p.Case(g.caseID).Participants {
				if who.Has(model.RoleCaseManager) && who.Has(model.RoleCaseOwner) {
					t.Errorf("%s lets %s manage and own the case", p.ID.Segment(), who.Actor)
				}
			}
		}
	})
}

// A role that decides cannot be claimed: an invitation offers none, and neither
// does a proposal.
//
// Proves: BA-03-004, CM-02-001
func TestRolesThatDecideAreNotHandedOut(t *testing.T) {
	t.Parallel()
	g := set(t, setting{})
	w := g.another("w", "other-vendor")
	g.open()
	for _, role := range []string{"case_manager", "case_owner", "CASE_MANAGER"} {
		if _, err := g.V.Command("invite-actor-to-case", params{"case_id": g.caseID, "invitee_id": w.URI(), "roles": []string{role}}); err == nil {
			t.Errorf("an invitation as %s was sent", role)
		}
	}
	greedy := g.another("y", "greedy")
	report := &model.Report{ID: newID(), Type: model.TypeReport, Name: "Mine", AttributedTo: g.F.URI()}
	g.net.Inject(greedy.ID, g.M.ID, &model.Activity{ID: newID(), Type: model.Create, Actor: greedy.URI(),
		Object: model.Inline(&model.CaseProposal{ID: newID(), Type: model.TypeProposal, AttributedTo: greedy.URI(),
			Object: model.Inline(report), Target: model.Link(g.M.URI()),
			Roles: []model.Role{model.RoleCaseManager, model.RoleVendor}})})
	g.net.Settle()
	c := g.M.Case(g.caseOf(g.M, report.ID))
	if c == nil {
		t.Fatal("no case")
	}
	if d := diff([]model.Role{model.RoleVendor, model.RoleCaseOwner}, c.Of(greedy.URI()).Roles); d != "" {
		t.Error(d)
	}
}
