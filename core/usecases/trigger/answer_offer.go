package trigger

import (
	"bateleur/core/bt"
	"bateleur/core/cases"
	"bateleur/core/fault"
	"bateleur/core/model"
	"bateleur/core/scope"
	"bateleur/core/usecases/leaf"
)

// The answers to a report's offer: the owner's own step of report management,
// asserted to the manager of the report's case.
var (
	validateReport   = answerOffer("validate-report", cases.EventValidateReport, model.Accept, "validate", model.RMValid)
	invalidateReport = answerOffer("invalidate-report", cases.EventInvalidateReport, model.TentativeReject, "invalidate", model.RMInvalid)
	rejectReport     = answerOffer("close-report", cases.EventCloseReport, model.Reject, "close", model.RMClosed)
)

// answerOffer makes such a command. Its gate is causal: the report's case must
// have arrived in this actor's own store, and until then the command waits and
// nothing at all is written. The report's own state is the evidence that later
// guards read, so it is written last (ID-04-005).
func answerOffer(name, event, verb, step string, to model.RM) Trigger {
	return Trigger{Name: name, Check: check[AnswerOffer](name), Tree: leaf.Compile(bt.LatchLast(name,
		leaf.Latch("record the report as "+string(to), func(s *scope.Scope) error { return recordReport(s, to) }),
		offerIsKnown(),
		leaf.CaseOfReportIsHere(reportOfOffer),
		managerIsKnown(),
		mayStep(step),
		leaf.Do("assert it to the manager", func(s *scope.Scope) error {
			offer, err := offered(s)
			if err != nil {
				return err
			}
			p, err := scope.Params[AnswerOffer](s)
			if err != nil {
				return err
			}
			a := s.NewActivity(verb, offer)
			a.Content, a.InReplyTo = p.Note, offer.ID
			return assert(s, a, cases.Pending{EventType: event, ObjectID: a.ID, RM: to})
		})))}
}

func offerIsKnown() leaf.Node {
	return leaf.Guard("offer is known", func(s *scope.Scope) bt.Result {
		_, err := offerRecord(s)
		if fault.CodeOf(err) == fault.NotFound {
			return bt.Fail(leaf.Unknown, "no such offer here")
		}
		if err != nil {
			return bt.Abort(err)
		}
		return bt.Ok()
	})
}

func offerRecord(s *scope.Scope) (cases.OfferRecord, error) {
	p, err := scope.Params[AnswerOffer](s)
	if err != nil {
		return cases.OfferRecord{}, err
	}
	o, err := cases.Load[cases.OfferRecord](s, cases.KindOffer, p.OfferID)
	return o.Value, err
}

func reportOfOffer(s *scope.Scope) (string, error) {
	o, err := offerRecord(s)
	return o.ReportID, err
}

// offered is the offer with its report inline, as the answer must carry it. One
// that was learned from a ledger is put together from what the ledger said.
func offered(s *scope.Scope) (*model.Activity, error) {
	o, err := offerRecord(s)
	if err != nil {
		return nil, err
	}
	if len(o.Activity) > 0 {
		return s.ReadActivity(o.Activity)
	}
	report, err := cases.Load[*model.Report](s, cases.KindReport, o.ReportID)
	if err != nil {
		return nil, err
	}
	return &model.Activity{ID: o.ID, Type: model.Offer, Actor: o.Actor, To: []string{o.To},
		Object: model.Inline(report.Value), Target: model.Link(o.To)}, nil
}

func recordReport(s *scope.Scope, to model.RM) error {
	o, err := offerRecord(s)
	if err != nil {
		return err
	}
	st, _, err := cases.Find[cases.ReportStatus](s, cases.KindReportStatus, o.ReportID)
	if err != nil {
		return err
	}
	st.Value = cases.ReportStatus{ReportID: o.ReportID, RM: to}
	return cases.Save(s, cases.KindReportStatus, o.ReportID, &st)
}
