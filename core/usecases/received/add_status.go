package received

import (
	"cmp"

	"bateleur/core/authority"
	"bateleur/core/bt"
	"bateleur/core/cases"
	"bateleur/core/model"
	"bateleur/core/scope"
	"bateleur/core/usecases/leaf"
)

// adjudicated is what the manager takes over of a reported status.
var adjudicated = bt.NewKey[*judgement]("adjudicated")

type judgement struct {
	status  *model.ParticipantStatus
	altered bool
}

// addParticipantStatus judges each dimension of what a participant reports of
// itself alone, ledgers what holds, and draws the consequences for the case:
// what the world knows, and the end of an embargo that this makes pointless
// (RSH-05, CSB-12-001, EMB-16-001).
var addParticipantStatus = leaf.Compile(bt.Sequence("add_participant_status_to_participant",
	leaf.CaseIsHere(),
	leaf.SenderParticipates(),
	statusIsSenders(),
	statusIsNew(),
	leaf.NotLedgered(cases.EventAddParticipantStatus),
	bt.CellLeaf("judge the status", judgeStatus, bt.Writes(adjudicated)),
	leaf.WhenManager(bt.Sequence("commit",
		bt.CellLeaf("ledger the status", ledgerJudged, bt.Reads(adjudicated), bt.Needs(authority.ForCase)),
		bt.Selector("adopt",
			bt.CellLeaf("world is unchanged", worldIsUnchanged, bt.Reads(adjudicated)),
			bt.Sequence("adoption",
				bt.CellLeaf("owner approves", ownerApproves, bt.Reads(adjudicated)),
				bt.CellLeaf("ledger the case status", adoptWorld, bt.Reads(adjudicated), bt.Needs(authority.ForCase)),
				leaf.ForCase("end a pointless embargo", endPointlessEmbargo)),
			leaf.Guard("not adopted", func(*scope.Scope) bt.Result { return bt.Ok() })),
		leaf.ForCase("announce the entries", (*scope.Scope).AnnounceMinted))),
))

func reported(s *scope.Scope) *model.ParticipantStatus {
	st, _ := model.InlineAs[*model.ParticipantStatus](s.Message().Object)
	return st
}

// statusIsSenders lets pass what a participant says of itself (HP-00-001).
func statusIsSenders() leaf.Node {
	return leaf.Guard("status is the sender's", func(s *scope.Scope) bt.Result {
		st := reported(s)
		if st == nil || st.ID == "" {
			return bt.Fail(leaf.Malformed, "the status must be inline and have an id")
		}
		p, err := leaf.SenderIn(s)
		switch {
		case err != nil:
			return bt.Abort(err)
		case st.AttributedTo != s.Sender().URI():
			return bt.Fail(leaf.NotForSender, "the status is "+st.AttributedTo+"'s")
		case s.Message().Target.ID() != p.ID:
			return bt.Fail(leaf.NotForSender, "participant "+s.Message().Target.ID()+" is not the sender's")
		case st.RMState == model.RMClosed:
			return bt.Fail(leaf.NotAllowed, "leaving is the only way to close (CM-23-001)")
		}
		return bt.Ok()
	})
}

// statusIsNew lets a status that is recorded be.
func statusIsNew() leaf.Node {
	return leaf.Guard("status is new", func(s *scope.Scope) bt.Result {
		_, known, err := cases.Find[struct{}](s, cases.KindParticipantStatus, reported(s).ID)
		switch {
		case err != nil:
			return bt.Abort(err)
		case known:
			return bt.Fail(leaf.Duplicate, "status "+reported(s).ID+" is recorded")
		}
		return bt.Ok()
	})
}

// judgeStatus keeps what the participant had where the report goes back, and
// refuses a report of which nothing new remains (RSH-05-001..003).
func judgeStatus(s *scope.Scope, c *bt.Cells) bt.Result {
	p, err := leaf.SenderIn(s)
	if err != nil {
		return bt.Abort(err)
	}
	st := *reported(s)
	j := &judgement{status: &st}
	if !p.RM.AcceptsReported(st.RMState) {
		st.RMState, j.altered = p.RM, true
	}
	if !p.VFD.AcceptsReported(st.VFDState) || progressForbidden(p, &st) {
		st.VFDState, j.altered = p.VFD, true
	}
	worldIsNews := j.judgeWorld(p)
	if st.RMState == p.RM && st.VFDState == p.VFD && !worldIsNews {
		return bt.Fail(leaf.NothingChange, "the status says nothing new")
	}
	bt.Set(c, adjudicated, j)
	return bt.Ok()
}

// judgeWorld keeps every bit that the participant reported before, for none is
// ever cleared, and tells whether there is one more.
func (j *judgement) judgeWorld(p *cases.Participant) (news bool) {
	told := cases.Seen(j.status)
	if told == "" {
		return false
	}
	seen := model.PXANone.Union(cmp.Or(p.Seen, model.PXANone))
	if all := seen.Union(told); all != told {
		world, _ := model.InlineAs[*model.CaseStatus](j.status.CaseStatus)
		own := *world
		own.PXAState, told = all, all
		j.status.CaseStatus, j.altered = model.Inline(&own), true
	}
	return told != seen
}

// progressForbidden tells whether a step on the way to the fix is not the
// participant's to take: fixing needs the role of vendor, deploying that of
// deployer, and both an engaged participant (CSB-15-001, CSB-15-002, CSB-18-001).
func progressForbidden(p *cases.Participant, st *model.ParticipantStatus) bool {
	for _, step := range p.VFD.StepsTo(st.VFDState) {
		if step == model.VFDReady && !p.Has(model.RoleVendor) ||
			step == model.VFDDeployed && !p.Has(model.RoleDeployer) ||
			step != model.VFDAware && !st.RMState.Engaged() {
			return true
		}
	}
	return false
}

func judged(c *bt.Cells) *judgement {
	j, _ := bt.Get(c, adjudicated)
	return j
}

func ledgerJudged(s *scope.Scope, cells *bt.Cells) bt.Result {
	c, err := s.Case()
	if err != nil {
		return bt.Abort(err)
	}
	j := judged(cells)
	a := *s.Message()
	a.Object = model.Inline(j.status)
	a.Target = model.Inline(cases.Brief(c, c.Of(s.Sender().URI())))
	_, err = s.Mint(s.Authority(), scope.Draft{EventType: cases.EventAddParticipantStatus,
		ObjectID: a.ID, Activity: &a, Raw: s.Raw(), Altered: j.altered})
	if err != nil {
		return bt.Abort(err)
	}
	return bt.Ok()
}
