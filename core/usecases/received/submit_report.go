package received

import (
	"encoding/json"

	"bateleur/core/bt"
	"bateleur/core/cases"
	"bateleur/core/model"
	"bateleur/core/ports"
	"bateleur/core/scope"
	"bateleur/core/usecases/leaf"
)

// submitReport takes in a report that a finder offers, and asks the actor's case
// manager to make a case of it. The actor creates no case itself (CP-09-005).
var submitReport = leaf.Compile(bt.LatchLast("submit_report",
	leaf.Latch("record the report as received", func(s *scope.Scope) error {
		report, _ := model.InlineAs[*model.Report](s.Message().Object)
		return cases.Create(s, cases.KindReportStatus, report.ID,
			cases.ReportStatus{ReportID: report.ID, RM: model.RMReceived})
	}),
	offerIsForMe(),
	reportIsNew(),
	leaf.Do("keep the report", func(s *scope.Scope) error {
		report, _ := model.InlineAs[*model.Report](s.Message().Object)
		return cases.KeepReport(s, report)
	}),
	leaf.Do("keep the offer", keepOffer),
	bt.Selector("case creation",
		leaf.Guard("is left to a person", func(s *scope.Scope) bt.Result {
			if s.Profile().KeepReports {
				return bt.Ok()
			}
			return bt.Fail("automatic", "a case is proposed at once")
		}),
		leaf.Do("propose a case", proposeCase)),
))

func offerIsForMe() leaf.Node {
	return leaf.Guard("offer is for me", func(s *scope.Scope) bt.Result {
		report, ok := model.InlineAs[*model.Report](s.Message().Object)
		target := s.Message().Target.ID()
		switch {
		case !ok || report.ID == "":
			return bt.Fail(leaf.Malformed, "the report must be inline and have an id")
		case target != "" && target != s.Executing().URI():
			return bt.Fail(leaf.NotForSender, "the offer is made to "+target)
		}
		return bt.Ok()
	})
}

func reportIsNew() leaf.Node {
	return leaf.Guard("report is new", func(s *scope.Scope) bt.Result {
		_, known, err := cases.Find[cases.ReportStatus](s, cases.KindReportStatus, s.Message().Object.ID())
		switch {
		case err != nil:
			return bt.Abort(err)
		case known:
			return bt.Fail(leaf.Duplicate, "report "+s.Message().Object.ID()+" was received before")
		}
		return bt.Ok()
	})
}

func keepOffer(s *scope.Scope) error {
	m := s.Message()
	return cases.Create(s, cases.KindOffer, m.ID, cases.OfferRecord{
		ID: m.ID, Actor: s.Sender().URI(), To: s.Executing().URI(), ReportID: m.Object.ID(),
		Activity: json.RawMessage(s.Raw()), Manager: s.Profile().Manager.URI(),
	}, ports.Ref{Name: cases.RefReport, Target: m.Object.ID()})
}

// proposeCase tells the manager what it cannot know otherwise: the report
// itself, and in which offer it came from whom (CP-01-004, CP-01-007).
func proposeCase(s *scope.Scope) error {
	m := s.Message()
	proposal := &model.CaseProposal{ID: s.NewID(), Type: model.TypeProposal,
		AttributedTo: s.Executing().URI(), Object: m.Object, Target: model.Link(s.Profile().Manager.URI()),
		OfferID: m.ID, OfferActorID: s.Sender().URI(), Roles: s.Profile().Roles,
		Published: s.Now(), Updated: s.Now()}
	return s.Emit(s.NewActivity(model.Create, proposal, s.Profile().Manager.URI()), ports.EmitOptions{About: m.ID})
}
