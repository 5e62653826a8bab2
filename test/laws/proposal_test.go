package laws

import (
	"slices"
	"testing"

	"bateleur/core/cases"
	"bateleur/core/model"
	"bateleur/core/ports"
	"bateleur/core/semantics"
	"bateleur/node"
	"bateleur/test/simnet"
)

// proposing is a proposal of the vendor to its manager, as it should be.
func (g *stage) proposing() (*model.Activity, *model.CaseProposal) {
	report := &model.Report{ID: newID(), Type: model.TypeReport, Name: "A bug", AttributedTo: g.F.URI()}
	p := &model.CaseProposal{ID: newID(), Type: model.TypeProposal, AttributedTo: g.V.URI(), Object: model.Inline(report),
		Target: model.Link(g.M.URI()), OfferID: newID(), OfferActorID: g.F.URI()}
	return &model.Activity{ID: newID(), Type: model.Create, Actor: g.V.URI(), Object: model.Inline(p)}, p
}

// A proposal that is malformed, is another's or made to another, or that the
// manager's policy does not want is answered by a Reject that carries it and says
// why; no case comes of it. The answer is given once.
//
// Proves: CP-05-002, CP-05-004, ID-04-004
func TestARefusedProposalIsAnsweredWithItsReason(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		change func(*stage, *model.Activity, *model.CaseProposal)
	}{
		{"without its report", func(_ *stage, _ *model.Activity, p *model.CaseProposal) { p.Object = model.Item{} }},
		{"its report a bare id", func(_ *stage, _ *model.Activity, p *model.CaseProposal) { p.Object = model.Link(newID()) }},
		{"its report without an id", func(_ *stage, _ *model.Activity, p *model.CaseProposal) {
			p.Object = model.Inline(&model.Report{Type: model.TypeReport, Name: "A bug"})
		}},
		{"nobody's report", func(_ *stage, _ *model.Activity, p *model.CaseProposal) {
			p.OfferActorID = ""
			p.Object = model.Inline(&model.Report{ID: newID(), Type: model.TypeReport, AttributedTo: "nobody"})
		}},
		{"another's", func(g *stage, _ *model.Activity, p *model.CaseProposal) { p.AttributedTo = g.F.URI() }},
		{"to another manager", func(g *stage, _ *model.Activity, p *model.CaseProposal) { p.Target = model.Link(g.F.URI()) }},
		{"of a report that another owner's case has", func(g *stage, _ *model.Activity, p *model.CaseProposal) {
			other := g.another("y", "first-owner")
			first, mine := g.proposing()
			first.Actor, mine.AttributedTo, mine.Object = other.URI(), other.URI(), p.Object
			first.Object = model.Inline(mine)
			g.hear(other, g.M, first)
		}},
		{"unwanted", func(_ *stage, _ *model.Activity, p *model.CaseProposal) {
			r, _ := model.InlineAs[*model.Report](p.Object)
			r.Name = "unwanted"
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := set(t, setting{manage: "a", change: func(_ string, cfg *node.Config) { cfg.Policy = choosy{} }})
			a, p := g.proposing()
			c.change(g, a, p)
			a.Object = model.Inline(p)
			before := len(g.M.Records(cases.KindCase))

			item := g.hear(g.V, g.M, a)
			a.ID = newID()
			g.hear(g.V, g.M, a) // and once more

			if item.State != ports.Refused || item.Outcome.Text == "" {
				t.Errorf("%s: %+v", item.State, item.Outcome)
			}
			answers := conversation(g.net.Sent(), g.M.URI(), g.V.URI())
			if len(answers) != 1 || semantics.Classify(answers[0].Activity) != semantics.RejectCaseProposal {
				t.Fatalf("%d answers", len(answers))
			}
			if got := answers[0].Activity; got.Summary != item.Outcome.Text || got.Object.ID() != p.ID || got.Object.Object() == nil {
				t.Errorf("the answer is %s", asJSON(t, got))
			}
			if n := len(g.M.Records(cases.KindCase)) - before; n > 1 || n == 1 && c.name != "of a report that another owner's case has" {
				t.Errorf("%d cases", n)
			}
		})
	}
}

// choosy refuses reports of one name.
type choosy struct{ ports.DefaultPolicy }

func (choosy) AcceptProposal(r *model.Report) string {
	if r.Name == "unwanted" {
		return "not our product"
	}
	return ""
}

// The proposer records the refusal of its own proposal, from the manager that it
// asked, and has no case; another's refusal is nothing to it.
//
// Proves: CP-05-004, CP-09-005
func TestTheProposerLearnsOfARefusal(t *testing.T) {
	t.Parallel()
	onEveryStore(t, func(t *testing.T, g0 *stage) {
		g := set(t, setting{manage: "a", stores: g0.set.stores, change: func(_ string, cfg *node.Config) { cfg.Policy = choosy{} }})
		x := stranger(g)
		g.host("x", simnet.Profile(x.ID, "Organization", x.ID))
		g.net.Hold(g.toldByManager(g.V))
		g.do(g.F, "submit-report", params{"report_name": "unwanted", "report_content": "x", "recipient_id": g.V.URI()})
		refusal := g.net.Held()[0].Activity

		forged := *refusal
		forged.ID, forged.Actor = newID(), x.URI()
		if item := g.hear(x, g.V, &forged); item.State != ports.Refused {
			t.Errorf("another's refusal is %s", item.State)
		}
		if _, known := load[cases.Proposal](t, g.V, cases.KindProposal, refusal.Object.ID()); known {
			t.Error("it was recorded")
		}
		g.net.Release()
		g.net.Settle()
		got, _ := load[cases.Proposal](t, g.V, cases.KindProposal, refusal.Object.ID())
		if got.State != cases.ProposalRejected || got.Reason != "not our product" {
			t.Errorf("recorded %+v", got)
		}
		for _, p := range []simnet.Party{g.V, g.M, g.F} {
			if n := len(p.Records(cases.KindCase)); n != 0 {
				t.Errorf("%s has %d cases", p.ID.Segment(), n)
			}
		}
	})
}

// A second proposal of a report by its owner tells the owner the case again, and
// makes no second case, participant or entry.
//
// Proves: CP-05-003, CP-05-006, CP-09-001, CLP-07-004
func TestASecondProposalMakesNoSecondCase(t *testing.T) {
	t.Parallel()
	onEveryStore(t, func(t *testing.T, g *stage) {
		g.open()
		first := only(g.net.Sent(), semantics.CreateCaseProposal)[0]
		a := again(t, first.Body)
		p, _ := model.InlineAs[*model.CaseProposal](a.Object)
		p.ID = newID()
		a.Object = model.Inline(p)
		before := knowledgeOfCases(g.M)
		sent := len(g.net.Sent())

		g.hear(g.V, g.M, a)

		if d := diff(before, knowledgeOfCases(g.M)); d != "" {
			t.Error(d)
		}
		var answers []semantics.Meaning
		for _, m := range g.net.Sent()[sent:] {
			if m.To() != g.V.URI() {
				t.Errorf("%s was told %s", m.To(), line(m.Activity))
			}
			answers = append(answers, semantics.Classify(m.Activity))
		}
		if d := diff([]semantics.Meaning{semantics.AcceptCaseProposal, semantics.CreateCase}, answers); d != "" {
			t.Error(d)
		}
		g.sameCase(g.V, g.F)
	})
}

// knowledgeOfCases is what a store knows of cases besides proposals.
func knowledgeOfCases(p simnet.Party) []string {
	return slices.DeleteFunc(knowledge(p), func(l string) bool { return len(l) > 21 && l[:21] == `record "CaseProposal"` })
}

// The reporter in a case is who submitted the report, be it another's report that
// it passes on.
//
// Proves: CBT-01-004, CP-01-007
func TestTheReporterIsWhoSubmitted(t *testing.T) {
	t.Parallel()
	onEveryStore(t, func(t *testing.T, g *stage) {
		a, p := g.proposing()
		p.Object = model.Inline(&model.Report{ID: newID(), Type: model.TypeReport, AttributedTo: "https://else.test/actors/finder"})
		a.Object = model.Inline(p)
		g.hear(g.V, g.M, a)
		c := g.M.Case(g.caseOf(g.M, p.Object.ID()))
		if got := c.Holder(model.RoleReporter); got == nil || got.Actor != g.F.URI() {
			t.Errorf("the reporter is %+v", got)
		}
	})
}
