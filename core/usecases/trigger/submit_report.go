package trigger

import (
	"encoding/json"

	"bateleur/core/bt"
	"bateleur/core/cases"
	"bateleur/core/model"
	"bateleur/core/ports"
	"bateleur/core/scope"
	"bateleur/core/usecases/leaf"
)

// submitReport offers a report to a receiver. From then on the actor trusts the
// case that the receiver's manager makes of just this report (CBT-01).
var submitReport = Trigger{Name: "submit-report", Check: check[SubmitReport]("submit-report"),
	Tree: leaf.Compile(bt.LatchLast("submit-report",
		bt.CellLeaf("record the report as accepted", recordSubmitted, bt.Reads(submitted), bt.Latch()),
		bt.CellLeaf("offer the report", offerReport, bt.Writes(submitted))))}

// submitted is the id of the report that the run submits.
var submitted = bt.NewKey[string]("submitted report")

func recordSubmitted(s *scope.Scope, c *bt.Cells) bt.Result {
	id, _ := bt.Get(c, submitted)
	return leaf.Result(cases.Create(s, cases.KindReportStatus, id,
		cases.ReportStatus{ReportID: id, RM: model.RMAccepted}))
}

func offerReport(s *scope.Scope, c *bt.Cells) bt.Result {
	p, err := scope.Params[SubmitReport](s)
	if err != nil {
		return bt.Abort(err)
	}
	to, err := model.ParseActorID(p.Recipient)
	if err != nil {
		return bt.Abort(err)
	}
	if to == s.Executing() {
		return bt.Fail(leaf.NotAllowed, "a report to oneself has no receiver")
	}
	report := &model.Report{ID: s.NewID(), Type: model.TypeReport, Name: p.Name, Content: p.Content,
		AttributedTo: s.Executing().URI(), Published: s.Now(), Updated: s.Now()}
	offer := s.NewActivity(model.Offer, report, to.URI())
	offer.Target = model.Link(to.URI())
	bt.Set(c, submitted, report.ID)
	return leaf.Result(sendOffer(s, offer, report))
}

func sendOffer(s *scope.Scope, offer *model.Activity, report *model.Report) error {
	raw, err := json.Marshal(offer)
	if err != nil {
		return err
	}
	if err := cases.KeepReport(s, report); err != nil {
		return err
	}
	if err := cases.Create(s, cases.KindOffer, offer.ID, cases.OfferRecord{ID: offer.ID,
		Actor: offer.Actor, To: offer.Target.ID(), ReportID: report.ID, Activity: raw},
		ports.Ref{Name: cases.RefReport, Target: report.ID}); err != nil {
		return err
	}
	if err := s.Emit(offer, ports.EmitOptions{}); err != nil {
		return err
	}
	return s.Answer(map[string]any{"offer": offer, "report_id": report.ID})
}
