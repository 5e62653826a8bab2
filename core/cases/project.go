package cases

import (
	"slices"
	"time"

	"bateleur/core/fault"
	"bateleur/core/ledger"
	"bateleur/core/model"
	"bateleur/core/ports"
)

// Event types of ledger entries. Others may come from peers; they are stored
// and change nothing (Appendix C of the protocol treats the set as open).
const (
	EventCreateCase           = "create_case"
	EventAddReport            = "add_report_to_case"
	EventAddParticipantStatus = "add_participant_status_to_participant"
	EventAddCaseStatus        = "add_case_status_to_case"
	EventValidateReport       = "validate_report"
	EventInvalidateReport     = "invalidate_report"
	EventCloseReport          = "close_report"
	EventEngageCase           = "engage_case"
	EventDeferCase            = "defer_case"
	EventAddNote              = "add_note_to_case"
	EventInviteActor          = "invite_actor_to_case"
	EventAcceptInvite         = "accept_invite_actor_to_case"
	EventRejectInvite         = "reject_invite_actor_to_case"
	EventAddParticipant       = "add_case_participant"
	EventRemoveEmbargo        = "remove_embargo_event_from_case"
	EventCloseCase            = "close_case"
	EventCaseFullyClosed      = "case_fully_closed"
)

// projection is one entry on its way into a case.
type projection struct {
	store Store
	c     *Case
	entry ledger.Entry
	act   *model.Activity
}

// effect is what an event type does. besideCase tells that it leaves the case's
// own record as it is, which then need not be written again.
type effect struct {
	apply      func(*projection) error
	besideCase bool
}

// effects say what each event type does to a case. Each is deterministic and,
// since an entry may tell again what the seed told, idempotent (SYNC-08-002).
var effects = map[string]effect{
	EventAddReport:            {apply: (*projection).addReport},
	EventAddParticipantStatus: {apply: (*projection).addParticipantStatus},
	EventAddCaseStatus:        {apply: (*projection).addCaseStatus},
	EventValidateReport:       {apply: moveRM(model.RMValid)},
	EventInvalidateReport:     {apply: moveRM(model.RMInvalid)},
	EventCloseReport:          {apply: moveRM(model.RMClosed)},
	EventEngageCase:           {apply: moveRM(model.RMAccepted)},
	EventDeferCase:            {apply: moveRM(model.RMDeferred)},
	EventCloseCase:            {apply: moveRM(model.RMClosed)},
	EventAddNote:              {apply: (*projection).addNote, besideCase: true},
	EventAcceptInvite:         {apply: (*projection).acceptInvite},
	EventAddParticipant:       {apply: (*projection).addParticipant},
	EventRemoveEmbargo:        {apply: (*projection).removeEmbargo},
	EventCaseFullyClosed:      {apply: (*projection).closeFully},
}

// Project applies a ledger entry to the case it belongs to. The activity is the
// entry's snapshot, read; memo may be nil. fault.NotFound when the case is not
// here.
func Project(s Store, memo *Memo, e ledger.Entry, a *model.Activity) error {
	effect, known := effects[e.EventType]
	if !known {
		return nil
	}
	stored, err := memo.Case(s, e.CaseID)
	if err != nil {
		return err
	}
	p := &projection{store: s, c: stored.Value, entry: e, act: a}
	if !effect.besideCase {
		p.c = stored.Value.clone()
	}
	if err := effect.apply(p); err != nil {
		return fault.Wrap("cases.project", e.ID(), fault.CodeOf(err), err)
	}
	if effect.besideCase {
		return nil
	}
	stored.Value = p.c
	return Save(s, KindCase, e.CaseID, &stored)
}

func (p *projection) inCase() ports.Ref { return ports.Ref{Name: RefCase, Target: p.c.ID} }

// actor is the participant that asserted the entry, nil for a stranger: a
// participant's events are about itself alone (HP-00-001).
func (p *projection) actor() *Participant { return p.c.Of(p.act.Actor) }

func moveRM(to model.RM) func(*projection) error {
	return func(p *projection) error { return p.move(p.actor(), to) }
}

// move lets a participant reach a state and keeps the step in its history,
// under an id that every replica derives alike.
func (p *projection) move(who *Participant, to model.RM) error {
	if who == nil || who.RM == to || !who.RM.AcceptsReported(to) {
		return nil
	}
	who.RM = to
	return keepStatus(p.store, p.c.ID, who.ID, p.status(who))
}

// status is a participant's present state as a status that the entry brought
// about; one entry may bring about one for each participant.
func (p *projection) status(who *Participant) *model.ParticipantStatus {
	at, _ := time.Parse(time.RFC3339, p.entry.ReceivedAt)
	return Status(p.c, who, p.entry.ID()+"#"+model.LastSegment(who.ID), at.UTC())
}

func (p *projection) addReport() error {
	report, ok := model.InlineAs[*model.Report](p.act.Object)
	if !ok {
		return nil
	}
	if !slices.Contains(p.c.Reports, report.ID) {
		p.c.Reports = append(p.c.Reports, report.ID)
	}
	if err := KeepReport(p.store, report); err != nil || p.act.OfferID == "" {
		return err
	}
	to := ""
	if owner := p.c.Holder(model.RoleCaseOwner); owner != nil {
		to = owner.Actor
	}
	return keep(p.store, KindOffer, p.act.OfferID,
		OfferRecord{ID: p.act.OfferID, Actor: p.act.OfferActorID, To: to, ReportID: report.ID},
		ports.Ref{Name: RefReport, Target: report.ID})
}

func (p *projection) addParticipantStatus() error {
	status, ok := model.InlineAs[*model.ParticipantStatus](p.act.Object)
	if !ok {
		return nil
	}
	who := p.c.Of(status.AttributedTo)
	if who == nil {
		return nil
	}
	_, known, err := Find[struct{}](p.store, KindParticipantStatus, status.ID)
	if err != nil || known {
		return err
	}
	if who.RM.AcceptsReported(status.RMState) {
		who.RM = status.RMState
	}
	if who.VFD.AcceptsReported(status.VFDState) {
		who.VFD = status.VFDState
	}
	who.sees(Seen(status))
	return keepStatus(p.store, p.c.ID, who.ID, status)
}

func (p *projection) addCaseStatus() error {
	status, ok := model.InlineAs[*model.CaseStatus](p.act.Object)
	if !ok {
		return nil
	}
	if status.PXAState.Known() {
		p.c.PXA = p.c.PXA.Union(status.PXAState)
	}
	return keep(p.store, KindCaseStatus, status.ID, status, p.inCase())
}

func (p *projection) addNote() error {
	note, ok := model.InlineAs[*model.Note](p.act.Object)
	if !ok {
		return nil
	}
	return keep(p.store, KindNote, note.ID, note, p.inCase())
}

func (p *projection) removeEmbargo() error {
	if p.act.Object.ID() != p.c.Embargo {
		return nil
	}
	if next, err := p.c.EM.Next("terminate"); err == nil { // a second removal changes nothing
		p.c.EM, p.c.Embargo = next, ""
		for i := range p.c.Participants {
			p.c.Participants[i].PEC = model.PECNone
		}
	}
	return nil
}

// closeFully closes the case for everybody, its manager included (CM-23-005).
func (p *projection) closeFully() error {
	p.c.Closed = true
	for i := range p.c.Participants {
		if err := p.move(&p.c.Participants[i], model.RMClosed); err != nil {
			return err
		}
	}
	return nil
}
