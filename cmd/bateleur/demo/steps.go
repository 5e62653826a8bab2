package demo

import (
	"bateleur/core/model"
	"bateleur/core/usecases/query"
)

func (s *story) submit() error {
	var answer struct {
		Offer    struct{ ID string }
		ReportID string `json:"report_id"`
	}
	err := s.finder.do(s.ctx, "submit-report", map[string]string{"report_name": s.report.Title,
		"report_content": s.report.Content, "recipient_id": s.vendor.id}, &answer)
	s.offerID, s.reportID = answer.Offer.ID, answer.ReportID
	if err == nil {
		s.tell.step("finder", "submits the report to the vendor", "report: START -> ACCEPTED", s.report.Title)
	}
	return err
}

func (s *story) received() error {
	err := s.until("the vendor has the report", func() (bool, error) {
		var offers []query.Offer
		err := get(s.ctx, s.vendor.id+"/offers", &offers)
		return len(offers) == 1 && offers[0].ID == s.offerID, err
	})
	if err == nil {
		s.tell.step("vendor", "receives it and proposes a case to its case manager", "report: START -> RECEIVED", "")
	}
	return err
}

func (s *story) created() error {
	err := s.until("the case manager has a case", func() (bool, error) {
		var list []query.Case
		err := get(s.ctx, s.manager.id+"/cases", &list)
		if len(list) == 1 {
			s.caseID = list[0].ID
		}
		return s.caseID != "", err
	})
	if err != nil {
		return err
	}
	c, err := s.manager.show(s.ctx, s.caseID)
	if err == nil {
		s.tell.step("case manager", "creates the case in its own store", "embargo: NONE -> "+string(c.EM)+until(c), s.caseID)
	}
	return err
}

func until(c query.Case) string {
	if c.Embargo == nil {
		return ""
	}
	return " until " + c.Embargo.End.UTC().Format("2006-01-02 15:04 UTC")
}

func (s *story) replicated() error {
	for _, p := range []*party{s.vendor, s.finder} {
		err := s.until("the "+p.segment+" has a replica of the first entries", func() (bool, error) {
			var list []query.Case
			err := get(s.ctx, p.id+"/cases", &list)
			return len(list) == 1 && list[0].Ledger != nil && list[0].Ledger.Entries >= beginning, err
		})
		if err != nil {
			return err
		}
	}
	s.tell.step("case manager", "tells owner and reporter by Create(VulnerabilityCase)", "replicas: absent -> here", "")
	return nil
}

// beginning is how many entries a case starts with.
const beginning = 8

func (s *story) validate() error {
	return s.moves(s.vendor, "validate-report", map[string]string{"offer_id": s.offerID},
		"finds the report valid", "vendor: RECEIVED -> VALID", func(c query.Case) bool { return rm(c, s.vendor) == model.RMValid })
}

func (s *story) engage() error {
	return s.moves(s.vendor, "engage-case", s.inCase(),
		"takes the case on", "vendor: VALID -> ACCEPTED", func(c query.Case) bool { return rm(c, s.vendor) == model.RMAccepted })
}

// moves gives a command and waits until everybody's store shows what it asserts.
func (s *story) moves(p *party, trigger string, params any, does, change string, shows func(query.Case) bool) error {
	if err := p.do(s.ctx, trigger, params, nil); err != nil {
		return err
	}
	if err := s.all(change, shows); err != nil {
		return err
	}
	s.tell.step(p.segment, does, change, "")
	return nil
}

func (s *story) notes() error {
	said := []struct {
		who  *party
		text string
	}{
		{s.finder, "Is there a workaround until the fix is out?"},
		{s.vendor, "Yes: do not parse files from untrusted sources. The fix is being tested."},
	}
	for i, n := range said {
		params := map[string]string{"case_id": s.caseID, "note_content": n.text}
		if err := n.who.do(s.ctx, "add-note-to-case", params, nil); err != nil {
			return err
		}
		for _, p := range []*party{s.manager, s.vendor, s.finder} {
			if err := s.until(p.segment+" has the note", func() (bool, error) {
				var notes []query.Note
				err := get(s.ctx, p.id+"/cases/"+escaped(s.caseID)+"/notes", &notes)
				return len(notes) == i+1, err
			}); err != nil {
				return err
			}
		}
		s.tell.step(n.who.segment, "adds a note", "notes: "+itoa(i)+" -> "+itoa(i+1), n.text)
	}
	return nil
}

func (s *story) fixReady() error {
	return s.moves(s.vendor, "notify-fix-ready", s.inCase(), "has a fix ready", "vendor: vfd -> VFd",
		func(c query.Case) bool { return part(c, s.vendor).VFD == model.VFDReady })
}

func (s *story) published() error {
	return s.moves(s.vendor, "notify-published", s.inCase(), "publishes", "world: pxa -> Pxa",
		func(c query.Case) bool { return c.PXA == "Pxa" })
}

func (s *story) tornDown() error {
	if err := s.all("the embargo is over", func(c query.Case) bool { return c.EM == model.EMExited && c.Embargo == nil }); err != nil {
		return err
	}
	s.tell.step("case manager", "tears the embargo down", "embargo: ACTIVE -> EXITED", "")
	return s.moves(s.finder, "notify-published", s.inCase(), "publishes too", "finder says: pxa -> Pxa",
		func(c query.Case) bool { return part(c, s.finder).Seen == "Pxa" })
}

func (s *story) leave() error {
	return s.moves(s.finder, "close-case", s.inCase(), "leaves", "finder: ACCEPTED -> CLOSED",
		func(c query.Case) bool { return rm(c, s.finder) == model.RMClosed })
}

func (s *story) closed() error {
	if err := s.vendor.do(s.ctx, "close-case", s.inCase(), nil); err != nil {
		return err
	}
	for _, p := range []*party{s.manager, s.vendor} {
		if err := s.sees(p, "the case is closed", func(c query.Case) bool { return c.Closed }); err != nil {
			return err
		}
	}
	s.tell.step("vendor", "leaves, and as its owner closes the case", "case: open -> closed", "")
	return nil
}
