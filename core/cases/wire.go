package cases

import (
	"bateleur/core/model"
	"bateleur/core/ports"
)

// Whole assembles the case as the protocol carries it to a new replica: every
// participant with its statuses, the reports and the embargo inline (CBT-01-002,
// AKM-02-001).
func Whole(s Source, c *Case) (*model.VulnerabilityCase, error) {
	vc := &model.VulnerabilityCase{
		ID: c.ID, Type: model.TypeCase, Name: c.Name, AttributedTo: c.Founder,
		Published: c.Published, Updated: c.Published, GenesisHash: c.Genesis,
		ProposedEmbargoes: c.Proposed, ActorParticipantIndex: map[string]string{},
	}
	for i := range c.Participants {
		p := &c.Participants[i]
		wire, err := WholeParticipant(s, c, p)
		if err != nil {
			return nil, err
		}
		vc.CaseParticipants = append(vc.CaseParticipants, model.Inline(wire))
		vc.ActorParticipantIndex[p.Actor] = p.ID
	}
	return vc, fillObjects(s, c, vc)
}

func fillObjects(s Source, c *Case, vc *model.VulnerabilityCase) error {
	statuses, err := All[*model.CaseStatus](s, KindCaseStatus, ports.Ref{Name: RefCase, Target: c.ID})
	if err != nil {
		return err
	}
	for i, st := range statuses {
		if i == len(statuses)-1 { // the last one is what readers take for the present
			now := *st
			now.EMState, now.PXAState = c.EM, c.PXA
			st = &now
		}
		vc.CaseStatuses = append(vc.CaseStatuses, model.Inline(st))
	}
	for _, id := range c.Reports {
		report, err := Load[*model.Report](s, KindReport, id)
		if err != nil {
			return err
		}
		vc.VulnerabilityReports = append(vc.VulnerabilityReports, model.Inline(report.Value))
	}
	notes, err := s.List(ports.ListParams{Kind: KindNote, Ref: ports.Ref{Name: RefCase, Target: c.ID}})
	if err != nil {
		return err
	}
	for _, n := range notes {
		vc.Notes = append(vc.Notes, n.ID)
	}
	if c.Embargo == "" {
		return nil
	}
	vc.ActiveEmbargo, err = embargoOf(s, c)
	return err
}

// WholeParticipant assembles a participant with its statuses inline.
func WholeParticipant(s Source, c *Case, p *Participant) (*model.CaseParticipant, error) {
	statuses, err := All[*model.ParticipantStatus](s, KindParticipantStatus,
		ports.Ref{Name: RefParticipant, Target: p.ID})
	if err != nil {
		return nil, err
	}
	out := Brief(c, p)
	out.AcceptedEmbargoIDs, out.EmbargoConsentState = p.Accepted, p.PEC
	out.Published, out.Updated = c.Published, c.Published
	for i, st := range statuses {
		if i == len(statuses)-1 { // the last one is what readers take for the present
			now := *st
			now.RMState, now.VFDState = p.RM, p.VFD
			st = &now
		}
		out.ParticipantStatuses = append(out.ParticipantStatuses, model.Inline(st))
	}
	return out, nil
}

// Brief names a participant and its roles: the inline target of a ledger
// snapshot, without anyone's history.
func Brief(c *Case, p *Participant) *model.CaseParticipant {
	return &model.CaseParticipant{ID: p.ID, Type: model.TypeParticipant, Name: p.Name,
		AttributedTo: p.Actor, Context: c.ID, CaseRoles: p.Roles}
}

// Stub names a case, and in an invitation the embargo its reader would consent
// to (CM-17-002).
func Stub(c *Case) *model.VulnerabilityCase {
	return &model.VulnerabilityCase{ID: c.ID, Type: model.TypeCase}
}

// InvitationStub is the stub that an invitation carries: enough to see to which
// embargo an acceptance consents, and nothing of the case's content.
func InvitationStub(s Source, c *Case) (*model.VulnerabilityCase, error) {
	stub := Stub(c)
	if c.Embargo == "" {
		return stub, nil
	}
	var err error
	stub.ActiveEmbargo, err = embargoOf(s, c)
	return stub, err
}

func embargoOf(s Source, c *Case) (model.Item, error) {
	embargo, err := Load[*model.EmbargoEvent](s, KindEmbargo, c.Embargo)
	if err != nil {
		return model.Item{}, err
	}
	return model.Inline(embargo.Value), nil
}
