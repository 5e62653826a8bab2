package laws

import (
	"encoding/json"
	"testing"

	"bateleur/core/cases"
	"bateleur/core/model"
	"bateleur/core/ports"
	"bateleur/core/semantics"
	"bateleur/test/simnet"
)

// What only the receiver of a report saw travels with its proposal: the whole
// report at every depth, and in which offer it came from whom. The ledger's entry
// about the report says so again, and every replica records it.
//
// Proves: CP-01-002, CP-01-004, CP-01-005, CP-01-007, AKM-02-002, DL-08-001, DL-08-002, CBT-01-002
func TestAProposalCarriesTheReportAndItsProvenance(t *testing.T) {
	t.Parallel()
	onEveryStore(t, func(t *testing.T, g *stage) {
		w := g.another("w", "other-vendor")
		g.open()
		g.admit(w)
		want, _ := load[*model.Report](t, g.F, cases.KindReport, g.reportID)

		for where, a := range map[string]*model.Activity{
			"on the wire":              only(g.net.Sent(), semantics.CreateCaseProposal)[0].Activity,
			"in the proposer's outbox": queued(t, g.V, semantics.CreateCaseProposal),
			"in the manager's inbox":   inboxed(t, g.M, semantics.CreateCaseProposal),
			"in the manager's answer":  queued(t, g.M, semantics.AcceptCaseProposal),
			"in the proposer's inbox":  inboxed(t, g.V, semantics.AcceptCaseProposal),
		} {
			p, ok := model.InlineAs[*model.CaseProposal](a.Object)
			if !ok {
				t.Fatalf("%s the proposal is not inline", where)
			}
			report, _ := model.InlineAs[*model.Report](p.Object)
			if d := diff(want, report); d != "" {
				t.Errorf("%s:\n%s", where, d)
			}
			if p.ID == "" || p.ID == a.ID || p.AttributedTo != g.V.URI() || p.Target.ID() != g.M.URI() {
				t.Errorf("%s: proposal %q of %q to %q", where, p.ID, p.AttributedTo, p.Target.ID())
			}
			if p.OfferID != g.offerID || p.OfferActorID != g.F.URI() {
				t.Errorf("%s: offer %q by %q", where, p.OfferID, p.OfferActorID)
			}
		}
		for _, p := range []simnet.Party{g.M, g.V, g.F, w} {
			g.knowsOffer(p)
		}
	})
}

// knowsOffer wants a party's ledger to tell of the offer, and the party to have
// a record of it.
func (g *stage) knowsOffer(p simnet.Party) {
	g.t.Helper()
	e := p.Entries(g.caseID)[1]
	var snapshot struct {
		OfferID      string `json:"offerId"`
		OfferActorID string `json:"offerActorId"`
	}
	if err := json.Unmarshal(e.Payload, &snapshot); err != nil {
		g.t.Fatal(err)
	}
	if e.EventType != cases.EventAddReport || snapshot.OfferID != g.offerID || snapshot.OfferActorID != g.F.URI() {
		g.t.Errorf("%s: entry %s says %+v", p.ID.Segment(), e.EventType, snapshot)
	}
	offer, known := load[cases.OfferRecord](g.t, p, cases.KindOffer, g.offerID)
	if !known || offer.Actor != g.F.URI() || offer.To != g.V.URI() || offer.ReportID != g.reportID {
		g.t.Errorf("%s knows %+v of the offer", p.ID.Segment(), offer)
	}
}

// queued is what an actor's outbox holds of a meaning.
func queued(t *testing.T, p simnet.Party, meaning semantics.Meaning) *model.Activity {
	t.Helper()
	for _, item := range p.Outbox() {
		if a, err := decode(item.Body); err == nil && semantics.Classify(a) == meaning {
			return a
		}
	}
	t.Fatalf("%s never queued %s", p.ID.Segment(), meaning)
	return nil
}

// inboxed is what an actor's inbox holds of a meaning.
func inboxed(t *testing.T, p simnet.Party, meaning semantics.Meaning) *model.Activity {
	t.Helper()
	for _, item := range p.Items() {
		if a, err := decode(item.Body); item.Class == ports.Message && err == nil && semantics.Classify(a) == meaning {
			return a
		}
	}
	t.Fatalf("%s never received %s", p.ID.Segment(), meaning)
	return nil
}

// An invited actor, which the report was never offered to, validates it under the
// offer's id as soon as it has joined.
//
// Proves: CP-01-007, PCR-05-001, CM-03-001
func TestAnInvitedActorFindsTheOffer(t *testing.T) {
	t.Parallel()
	onEveryStore(t, func(t *testing.T, g *stage) {
		w := g.another("w", "other-vendor")
		g.open()
		g.admit(w, "vendor")
		g.do(w, "validate-report", params{"offer_id": g.offerID})
		for _, p := range []simnet.Party{g.M, g.V, g.F, w} {
			if rm := g.rm(p, w); rm != model.RMValid {
				t.Errorf("%s has the invited at %s", p.ID.Segment(), rm)
			}
			if rm := g.rm(p, g.V); rm != model.RMReceived {
				t.Errorf("%s has the owner at %s", p.ID.Segment(), rm)
			}
		}
		g.sameLedger(g.V, g.F, w)
	})
}
