package cases

import (
	"bateleur/core/fault"
	"bateleur/core/ledger"
	"bateleur/core/model"
	"bateleur/core/ports"
)

// Seed writes a case as it was told whole: participants, statuses, reports and
// embargo, and keeps what was told so that the projection can be rebuilt. The
// case must be new to the store: a conflict is an error, never "already there".
//
// fault.Invalid names the member that is missing or does not fit: a stub, a bare
// id where an inline object is due (CBT-01-007), a genesis hash that does not
// follow from the case (CLP-08-003).
func Seed(s Store, vc *model.VulnerabilityCase) (*Case, error) {
	c, err := read(vc)
	if err != nil {
		return nil, err
	}
	if err := Create(s, KindCase, c.ID, c); err != nil {
		return nil, err
	}
	if err := Create(s, KindSeed, c.ID, vc); err != nil {
		return nil, err
	}
	return c, seedObjects(s, c, vc)
}

func seedObjects(s Store, c *Case, vc *model.VulnerabilityCase) error {
	for _, item := range vc.CaseParticipants {
		p, _ := model.InlineAs[*model.CaseParticipant](item)
		for _, st := range p.ParticipantStatuses {
			if status, ok := model.InlineAs[*model.ParticipantStatus](st); ok {
				if err := keepStatus(s, c.ID, p.ID, status); err != nil {
					return err
				}
			}
		}
	}
	for _, item := range vc.CaseStatuses {
		if status, ok := model.InlineAs[*model.CaseStatus](item); ok {
			if err := keep(s, KindCaseStatus, status.ID, status, ports.Ref{Name: RefCase, Target: c.ID}); err != nil {
				return err
			}
		}
	}
	if embargo, ok := model.InlineAs[*model.EmbargoEvent](vc.ActiveEmbargo); ok {
		if err := keep(s, KindEmbargo, embargo.ID, embargo, ports.Ref{Name: RefCase, Target: c.ID}); err != nil {
			return err
		}
	}
	for _, item := range vc.VulnerabilityReports {
		if report, ok := model.InlineAs[*model.Report](item); ok {
			if err := KeepReport(s, report); err != nil {
				return err
			}
		}
	}
	return nil
}

// KeepReport stores a report unless the store has it: a report never changes.
func KeepReport(s Store, r *model.Report) error { return keep(s, KindReport, r.ID, r) }

// keep creates a record whose object never changes once it has an id.
func keep[T any](s Store, kind ports.Kind, id string, v T, refs ...ports.Ref) error {
	_, found, err := Find[struct{}](s, kind, id)
	if err != nil || found {
		return err
	}
	return Create(s, kind, id, v, refs...)
}

func keepStatus(s Store, caseID, participantID string, status *model.ParticipantStatus) error {
	return keep(s, KindParticipantStatus, status.ID, status,
		ports.Ref{Name: RefCase, Target: caseID}, ports.Ref{Name: RefParticipant, Target: participantID})
}

// read turns the protocol's case into this package's.
func read(vc *model.VulnerabilityCase) (*Case, error) {
	bad := func(field, why string) (*Case, error) {
		return nil, fault.Field("cases.seed", vc.ID, "object."+field, why)
	}
	switch {
	case vc.ID == "":
		return bad("id", "missing")
	case vc.AttributedTo == "":
		return bad("attributedTo", "missing: the genesis hash rests on it")
	case vc.Published.IsZero():
		return bad("published", "missing: the genesis hash rests on it")
	}
	c := &Case{ID: vc.ID, Name: vc.Name, Founder: vc.AttributedTo, Published: vc.Published,
		Genesis: ledger.Genesis(vc.ID, vc.Published, vc.AttributedTo),
		EM:      model.EMNone, PXA: model.PXANone,
		Embargo: vc.ActiveEmbargo.ID(), Proposed: vc.ProposedEmbargoes}
	if vc.GenesisHash != "" && vc.GenesisHash != c.Genesis {
		return bad("genesisHash", "does not follow from id, published and attributedTo")
	}
	for _, item := range vc.VulnerabilityReports {
		c.Reports = append(c.Reports, item.ID())
	}
	for _, item := range vc.CaseStatuses {
		if status, ok := model.InlineAs[*model.CaseStatus](item); ok {
			c.EM, c.PXA = orDefault(status.EMState, c.EM), orDefault(status.PXAState, c.PXA)
		}
	}
	for _, item := range vc.CaseParticipants {
		p, ok := model.InlineAs[*model.CaseParticipant](item)
		if !ok || p.AttributedTo == "" {
			return bad("caseParticipants", "each participant must be inline and name its actor")
		}
		if c.Of(p.AttributedTo) != nil {
			return bad("caseParticipants", "an actor participates twice")
		}
		who := participant(p)
		if who.Has(model.RoleCaseManager) && c.Manager() != "" {
			return bad("caseParticipants", "two participants manage the case")
		}
		if !who.RM.Known() || !who.VFD.Known() || !who.PEC.Known() {
			return bad("caseParticipants", "unknown state of "+who.Actor)
		}
		c.Participants = append(c.Participants, who)
	}
	manager := c.Holder(model.RoleCaseManager)
	c.Closed = manager != nil && manager.RM == model.RMClosed // it closes with the case, and in no other way
	if len(vc.CaseStatuses) == 0 && c.Embargo != "" {
		c.EM = model.EMActive
	}
	if !c.EM.Known() || !c.PXA.Known() {
		return bad("caseStatuses", "unknown state")
	}
	return c, nil
}

// participant reads a participant's present state off its last status.
func participant(p *model.CaseParticipant) Participant {
	out := Participant{ID: p.ID, Actor: p.AttributedTo, Name: p.Name, Roles: p.CaseRoles,
		RM: model.RMStart, VFD: model.VFDUnaware, PEC: orDefault(p.EmbargoConsentState, model.PECNone),
		Accepted: p.AcceptedEmbargoIDs}
	for _, item := range p.ParticipantStatuses {
		if st, ok := model.InlineAs[*model.ParticipantStatus](item); ok {
			out.RM, out.VFD = orDefault(st.RMState, out.RM), orDefault(st.VFDState, out.VFD)
			out.sees(Seen(st))
		}
	}
	return out
}

func orDefault[T ~string](v, fallback T) T {
	if v == "" {
		return fallback
	}
	return v
}

// AdoptEmbargo puts a case that nobody was told of yet under an embargo, with
// the consent of every participant, and makes that part of its seed. The caller
// answers for the authority and for the case being new.
func AdoptEmbargo(s Store, caseID string, e *model.EmbargoEvent) error {
	stored, err := Load[Case](s, KindCase, caseID)
	if err != nil {
		return err
	}
	c := stored.Value.clone()
	c.EM, c.Embargo, c.Proposed = model.EMActive, e.ID, []string{e.ID}
	for i := range c.Participants {
		c.Participants[i].PEC, c.Participants[i].Accepted = model.PECSignatory, []string{e.ID}
	}
	stored.Value = *c
	if err := Save(s, KindCase, caseID, &stored); err != nil {
		return err
	}
	if err := keep(s, KindEmbargo, e.ID, e, ports.Ref{Name: RefCase, Target: caseID}); err != nil {
		return err
	}
	return reseed(s, c)
}

// reseed keeps the case as it stands as that from which a rebuild starts.
func reseed(s Store, c *Case) error {
	vc, err := Whole(s, c)
	if err != nil {
		return err
	}
	old, err := Load[*model.VulnerabilityCase](s, KindSeed, c.ID)
	if err != nil {
		return err
	}
	old.Value = vc
	return Save(s, KindSeed, c.ID, &old)
}
