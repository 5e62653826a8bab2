package demo

import (
	"context"
	"time"

	"bateleur/adapters/wire/advisory"
	"bateleur/core/model"
)

// story is one case from report to closure.
type story struct {
	tell                    *teller
	report                  advisory.Report
	finder, vendor, manager *party

	offerID, caseID string
	took            time.Duration
	count           traffic
}

func newStory(t *teller, report advisory.Report, finder, vendor *node) *story {
	return &story{tell: t, report: report, finder: finder.party("finder"), vendor: vendor.party("vendor"),
		manager: vendor.party("case-actor")}
}

// step is something that a party is told to do, and what comes of it.
type step struct {
	order func(context.Context) error
	// messages is how many are sent because of it, entries of the ledger aside.
	messages int
	lines    []line
}

// line is what is told: who did what, and which states became which.
type line struct {
	who   *party
	did   string
	about string // text from outside
	turns []reading
}

// How long the ledger is at the story's turns.
const (
	firstEntries    = 8  // create_case to the embargo's
	findersEntries  = 19 // up to its own leaving
	managersEntries = 21
)

// steps is the story.
func (s *story) steps() []step {
	all := []*party{s.manager, s.vendor, s.finder}
	staying := []*party{s.manager, s.vendor}
	parties := []*party{s.vendor, s.finder}
	return []step{
		{s.submit, 5, []line{
			{s.finder, "submits the report to the vendor", s.report.Title, []reading{s.reportOf(s.finder, model.RMAccepted)}},
			{s.vendor, "receives it", "", []reading{s.reportOf(s.vendor, model.RMReceived)}},
			{s.vendor, "proposes a case", "", []reading{s.proposedTo(s.vendor, s.manager)}},
			{s.manager, "creates the case in its own store", "", []reading{s.ledger("own", s.manager), s.embargo(model.EMActive, s.manager), s.embargoEnds(s.manager)}},
			{s.manager, "sends Create(VulnerabilityCase) to owner and reporter", "", []reading{s.ledger("replica", parties...), s.entries(firstEntries, all...)}},
		}},
		{s.validate, 1, []line{{s.vendor, "finds the report valid", "", []reading{s.rm(s.vendor, model.RMValid, all...)}}}},
		{s.inCase(s.vendor, "engage-case"), 1, []line{{s.vendor, "engages", "", []reading{s.rm(s.vendor, model.RMAccepted, all...)}}}},
		s.note(s.finder, 1, "Is there a workaround until the fix is out?"),
		s.note(s.vendor, 2, "Yes: do not parse files from untrusted sources."),
		{s.inCase(s.vendor, "notify-fix-ready"), 2, []line{{s.vendor, "has a fix ready", "", []reading{s.vfd(s.vendor, model.VFDReady, all...)}}}},
		{s.inCase(s.vendor, "notify-published"), 1, []line{
			{s.vendor, "publishes", "", []reading{s.world("Pxa", all...)}},
			{s.manager, "tears the embargo down", "", []reading{s.embargo(model.EMExited, all...)}},
		}},
		{s.inCase(s.finder, "notify-published"), 1, []line{{s.finder, "publishes too", "", []reading{s.seen(s.finder, "Pxa", all...)}}}},
		{s.inCase(s.finder, "close-case"), 1, []line{{s.finder, "leaves", "", []reading{s.rm(s.finder, model.RMClosed, all...)}}}},
		{s.inCase(s.vendor, "close-case"), 1, []line{
			{s.vendor, "leaves", "", []reading{s.rm(s.vendor, model.RMClosed, staying...)}},
			{s.manager, "closes the case, which its owner has left", "", []reading{s.state("closed", staying...)}},
		}},
	}
}

func (s *story) submit(ctx context.Context) error {
	var answer struct {
		Offer struct {
			ID string `json:"id"`
		} `json:"offer"`
	}
	err := s.finder.order(ctx, "submit-report", map[string]string{"report_name": s.report.Title,
		"report_content": s.report.Content, "recipient_id": s.vendor.id}, &answer)
	s.offerID = answer.Offer.ID
	return err
}

func (s *story) validate(ctx context.Context) error {
	return s.vendor.order(ctx, "validate-report", map[string]string{"offer_id": s.offerID}, nil)
}

func (s *story) note(by *party, n int, text string) step {
	return step{func(ctx context.Context) error {
		return by.order(ctx, "add-note-to-case", map[string]string{"case_id": s.caseID, "note_content": text}, nil)
	}, 2, []line{{by, "adds a note", text, []reading{s.notes(n, s.manager, s.vendor, s.finder)}}}}
}

// inCase is an order about the case as a whole.
func (s *story) inCase(p *party, trigger string) func(context.Context) error {
	return func(ctx context.Context) error {
		return p.order(ctx, trigger, map[string]string{"case_id": s.caseID}, nil)
	}
}
