package received_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"bateleur/core/cases"
	"bateleur/core/model"
	"bateleur/core/ports"
	"bateleur/core/semantics"
	"bateleur/core/usecases/received"
	"bateleur/core/usecases/trigger"
	"bateleur/test/casework"
)

func stub() *model.VulnerabilityCase {
	return &model.VulnerabilityCase{ID: casework.CaseID, Type: model.TypeCase}
}

func says(typ string, object model.Object) *model.Activity {
	return &model.Activity{ID: "urn:uuid:said", Type: typ, Object: model.Inline(object), To: []string{casework.Manager.URI()}}
}

func note() *model.Activity {
	a := says(model.Add, &model.Note{ID: "urn:uuid:note", Type: model.TypeNote, Content: "x"})
	a.Target = model.Link(casework.CaseID)
	return a
}

func statusOf(who model.ActorID, rm model.RM, vfd model.VFD, world model.PXA) *model.Activity {
	st := &model.ParticipantStatus{ID: "urn:uuid:status", Type: model.TypeParticipantStatus, Context: casework.CaseID,
		AttributedTo: who.URI(), RMState: rm, VFDState: vfd}
	if world != "" {
		st.CaseStatus = model.Inline(&model.CaseStatus{ID: "urn:uuid:world", Type: model.TypeCaseStatus, Context: casework.CaseID, PXAState: world, EMState: model.EMActive})
	}
	a := says(model.Add, st)
	a.Target = model.Link(casework.ParticipantID(who))
	return a
}

// invited lets the owner invite the stranger, and gives the invitation.
func invited(m *casework.Desk) *model.Activity {
	m.Helper()
	t := trigger.All()["invite-actor-to-case"]
	r := m.Decide(t.Tree, m.Given(casework.Owner, t.Name, trigger.InviteActor{CaseID: casework.CaseID, Invitee: casework.Stranger.URI()}))
	if r.State != ports.Done {
		m.Fatalf("the invitation is %s: %+v", r.State, r.Outcome)
	}
	sent := m.Sent()
	invite := sent[0]
	invite.BTo = nil
	return invite
}

func answer(typ string) func(*casework.Desk) *model.Activity {
	return func(m *casework.Desk) *model.Activity { return says(typ, invited(m)) }
}

func always(a *model.Activity) func(*casework.Desk) *model.Activity {
	return func(*casework.Desk) *model.Activity { return a }
}

// assertions has a message for each meaning that a ledger records, and what a
// manager adds to its ledger for it.
var assertions = []struct {
	name    string
	meaning semantics.Meaning
	from    model.ActorID
	say     func(*casework.Desk) *model.Activity
	want    []string
}{
	{"validate", semantics.ValidateReport, casework.Owner, always(says(model.Accept, casework.Offer())), []string{cases.EventValidateReport}},
	{"invalidate", semantics.InvalidateReport, casework.Owner, always(says(model.TentativeReject, casework.Offer())), []string{cases.EventInvalidateReport}},
	{"close the report", semantics.CloseReport, casework.Owner, always(says(model.Reject, casework.Offer())), []string{cases.EventCloseReport}},
	{"engage", semantics.EngageCase, casework.Owner, always(says(model.Join, stub())), []string{cases.EventEngageCase}},
	{"defer", semantics.DeferCase, casework.Reporter, always(says(model.Ignore, stub())), []string{cases.EventDeferCase}},
	{"leave", semantics.CloseCase, casework.Reporter, always(says(model.Leave, stub())), []string{cases.EventCloseCase}},
	{"the owner leaves", semantics.CloseCase, casework.Owner, always(says(model.Leave, stub())), []string{cases.EventCloseCase, cases.EventCaseFullyClosed}},
	{"note", semantics.AddNoteToCase, casework.Reporter, always(note()), []string{cases.EventAddNote}},
	{"status", semantics.AddParticipantStatusToParticipant, casework.Owner, always(statusOf(casework.Owner, model.RMValid, model.VFDAware, "")),
		[]string{cases.EventAddParticipantStatus}},
	{"publication", semantics.AddParticipantStatusToParticipant, casework.Owner, always(statusOf(casework.Owner, model.RMReceived, "", "Pxa")),
		[]string{cases.EventAddParticipantStatus, cases.EventAddCaseStatus, cases.EventRemoveEmbargo}},
	{"accept the invitation", semantics.AcceptInviteActorToCase, casework.Stranger, answer(model.Accept), []string{cases.EventAcceptInvite, cases.EventAddParticipant}},
	{"decline the invitation", semantics.RejectInviteActorToCase, casework.Stranger, answer(model.Reject), []string{cases.EventRejectInvite}},
}

func events(m *casework.Desk, from int) (out []string) {
	for _, e := range m.Entries()[from:] {
		out = append(out, e.EventType)
	}
	return out
}

// Each message that is to be recorded is recorded once by its case's manager: the
// same again is silent; a stranger is refused; and on
// a replica it is not mine. Whatever is not recorded leaves the store as it was,
// so that guards are seen to write nothing.
//
// Proves: CLP-09-003, CLP-07-001, CLP-13-001, ID-04-004, CLP-10-009, BA-10-001, CLP-01-004, BA-03-003, CM-23-003, CM-23-005
func TestEachAssertionIsRecordedOnceAndByTheManagerAlone(t *testing.T) {
	for _, test := range assertions {
		t.Run(test.name, func(t *testing.T) {
			tree := received.Trees()[test.meaning]
			m := casework.New(t, casework.Manager).Begun()
			said := test.say(m)
			if got := semantics.Classify(said); got != test.meaning {
				t.Fatalf("means %s", got)
			}
			before := len(m.Entries())
			replica := casework.New(t, casework.Owner).ReplicaOf(m)

			dump := m.Dump()
			if r := m.Decide(tree, m.Heard(casework.Actor("nobody"), said)); r.State != ports.Refused || m.Dump() != dump {
				t.Errorf("from nobody: %s, %+v", r.State, r.Outcome)
			}
			dump = replica.Dump()
			if r := replica.Decide(tree, replica.Heard(test.from, said)); r.State != ports.Ignored || r.Outcome.Code != "not-mine" || replica.Dump() != dump {
				t.Errorf("on a replica: %s, %+v", r.State, r.Outcome)
			}
			if r := m.Decide(tree, m.Heard(test.from, said)); r.State != ports.Done {
				t.Fatalf("%s, %+v, %v", r.State, r.Outcome, r.Err)
			}
			if diff := cmp.Diff(test.want, events(m, before)); diff != "" {
				t.Error(diff)
			}
			dump = m.Dump()
			if r := m.Decide(tree, m.Heard(test.from, said)); r.State != ports.Refused || m.Dump() != dump {
				t.Errorf("again: %s, %+v", r.State, r.Outcome)
			}
			for _, e := range m.Entries()[before:] {
				replica.Want(replica.Apply(e))
			}
			if diff := cmp.Diff(m.Case(), replica.Case()); diff != "" {
				t.Errorf("the manager's case (-) and the replica's (+):\n%s", diff)
			}
		})
	}
}

// A message about a case that is not here is kept waiting for it, whoever it is
// for, and changes nothing.
//
// Proves: PCR-06-001, PCR-01-003, BA-10-002
func TestAMessageAboutAnAbsentCaseWaits(t *testing.T) {
	for _, test := range assertions {
		t.Run(test.name, func(t *testing.T) {
			m := casework.New(t, casework.Manager).Begun()
			said := test.say(m)
			d := casework.New(t, casework.Manager)
			dump := d.Dump()
			r := d.Decide(received.Trees()[test.meaning], d.Heard(test.from, said))
			if r.State != ports.Deferred || r.Wake == "" || d.Dump() != dump {
				t.Errorf("%s for %q: %+v", r.State, r.Wake, r.Outcome)
			}
		})
	}
}

// A status is judged by each dimension; what goes back, or is not the sender's to
// say, is replaced by what was there, and what says nothing new has no entry.
//
// Proves: RSH-05-001, RSH-05-002, RSH-05-003, CSB-15-001, CSB-15-003, CM-23-001, CM-04-001
func TestAStatusIsJudgedByEachDimension(t *testing.T) {
	type state = []string
	tests := []struct {
		name string
		from model.ActorID
		say  []*model.Activity
		want state // of the sender afterwards
		last string
	}{
		{"forward", casework.Owner, []*model.Activity{statusOf(casework.Owner, model.RMAccepted, model.VFDReady, "")}, state{"ACCEPTED", "VFd", ""}, "ok"},
		{"back in one, forward in another", casework.Owner, []*model.Activity{statusOf(casework.Owner, model.RMStart, model.VFDAware, "")}, state{"RECEIVED", "Vfd", ""}, "ok"},
		{"back in all", casework.Owner, []*model.Activity{statusOf(casework.Owner, model.RMStart, model.VFDUnaware, "")}, state{"RECEIVED", "vfd", ""}, "no-change"},
		{"a fix before engaging", casework.Owner, []*model.Activity{statusOf(casework.Owner, model.RMValid, model.VFDReady, "")}, state{"VALID", "vfd", ""}, "ok"},
		{"a fix of somebody who is no vendor", casework.Reporter, []*model.Activity{statusOf(casework.Reporter, model.RMAccepted, model.VFDReady, "")}, state{"ACCEPTED", "vfd", ""}, "no-change"},
		{"a deployment of somebody who is no deployer", casework.Owner, []*model.Activity{statusOf(casework.Owner, model.RMAccepted, model.VFDDeployed, "")}, state{"ACCEPTED", "vfd", ""}, "ok"},
		{"publication alone", casework.Reporter, []*model.Activity{statusOf(casework.Reporter, model.RMAccepted, model.VFDUnaware, "Pxa")}, state{"ACCEPTED", "vfd", "Pxa"}, "ok"},
		{"closing by a status", casework.Owner, []*model.Activity{statusOf(casework.Owner, model.RMClosed, "", "")}, state{"RECEIVED", "vfd", ""}, "not-allowed"},
		{"of another", casework.Reporter, []*model.Activity{statusOf(casework.Owner, model.RMValid, "", "")}, state{"ACCEPTED", "vfd", ""}, "not-for-sender"},
	}
	tree := received.Trees()[semantics.AddParticipantStatusToParticipant]
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			m := casework.New(t, casework.Manager).Begun()
			before := len(m.Entries())
			code := ""
			for _, said := range test.say {
				code = m.Decide(tree, m.Heard(test.from, said)).Outcome.Code
			}
			p := m.Case().Of(test.from.URI())
			if diff := cmp.Diff(append(test.want, test.last), state{string(p.RM), string(p.VFD), string(p.Seen), code}); diff != "" {
				t.Error(diff)
			}
			if ledgered := len(m.Entries()) > before; ledgered != (test.last == "ok") {
				t.Errorf("ledgered: %v", events(m, before))
			}
		})
	}
}

// policy decides as it is told.
type policy struct {
	ports.DefaultPolicy
	adopt, end bool
}

func (p policy) AdoptStatus(string, model.PXA) bool { return p.adopt }
func (p policy) EndEmbargo(model.PXA) bool          { return p.end }

// What the world is said to know becomes the case's by the owner's word or its
// policy's leave, and ends the embargo only where the policy lets it; what is not
// taken over is recorded as its sender's all the same. The teardown comes after
// the status that is its reason, from the manager, to the participants.
//
// Proves: RSH-01-001, RSH-02-001, EMB-16-001, EMB-19-001, EMB-13-001
func TestWhatTheWorldKnows(t *testing.T) {
	status, world, end := cases.EventAddParticipantStatus, cases.EventAddCaseStatus, cases.EventRemoveEmbargo
	tests := []struct {
		name   string
		from   model.ActorID
		told   model.PXA
		policy policy
		want   []string
		pxa    model.PXA
		em     model.EM
	}{
		{"the owner's word", casework.Owner, "Pxa", policy{end: true}, []string{status, world, end}, "Pxa", model.EMExited},
		{"another's, approved", casework.Reporter, "pxA", policy{adopt: true, end: true}, []string{status, world, end}, "pxA", model.EMExited},
		{"another's, not approved", casework.Reporter, "Pxa", policy{end: true}, []string{status}, "pxa", model.EMActive},
		{"the embargo is kept", casework.Owner, "Pxa", policy{adopt: true}, []string{status, world}, "Pxa", model.EMActive},
		{"an exploit is publication", casework.Owner, "pXa", policy{end: true}, []string{status, world, end}, "PXa", model.EMExited},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			m := casework.New(t, casework.Manager).Begun()
			m.Tools.Policy = test.policy
			before := len(m.Entries())
			m.Decide(received.Trees()[semantics.AddParticipantStatusToParticipant],
				m.Heard(test.from, statusOf(test.from, m.Case().Of(test.from.URI()).RM, "", test.told)))
			if diff := cmp.Diff(test.want, events(m, before)); diff != "" {
				t.Error(diff)
			}
			c := m.Case()
			if c.PXA != test.pxa || c.EM != test.em || c.Of(test.from.URI()).Seen.Union(test.told) != c.Of(test.from.URI()).Seen {
				t.Errorf("the case is %s %s, its participant %+v", c.EM, c.PXA, c.Of(test.from.URI()))
			}
			for _, e := range m.Entries()[before:] {
				if e.EventType != end {
					continue
				}
				a, err := m.Tools.Wire.Decode(e.Payload)
				if err != nil || a.Actor != casework.Manager.URI() || !cmp.Equal(a.To, []string{casework.Owner.URI(), casework.Reporter.URI()}) {
					t.Errorf("the teardown is %+v, %v", a, err)
				}
			}
		})
	}
}

// An answer to an invitation holds for the invitation that was sent: to whom, in
// the ledger, and with the roles that it offered.
//
// Proves: CM-17-005, CM-11-001, BA-03-004, CM-02-001
func TestAnAnswerIsToTheInvitationThatWasSent(t *testing.T) {
	tests := []struct {
		name   string
		from   model.ActorID
		change func(*model.Activity)
		want   string
	}{
		{"as sent", casework.Stranger, func(*model.Activity) {}, "ok"},
		{"by another", casework.Actor("other"), func(*model.Activity) {}, "not-for-sender"},
		{"as manager", casework.Stranger, func(a *model.Activity) { a.Roles = []model.Role{model.RoleCaseManager} }, "not-authentic"},
		{"as owner too", casework.Stranger, func(a *model.Activity) { a.Roles = append(a.Roles, model.RoleCaseOwner) }, "not-authentic"},
		{"as nothing", casework.Stranger, func(a *model.Activity) { a.Roles = nil }, "not-authentic"},
		{"one that was never sent", casework.Stranger, func(a *model.Activity) { a.ID = "urn:uuid:made-up" }, "unknown"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			m := casework.New(t, casework.Manager).Begun()
			invite := invited(m)
			test.change(invite)
			dump := m.Dump()
			r := m.Decide(received.Trees()[semantics.AcceptInviteActorToCase], m.Heard(test.from, says(model.Accept, invite)))
			if r.Outcome.Code != test.want || (m.Dump() == dump) != (test.want != "ok") {
				t.Errorf("%s, %+v", r.State, r.Outcome)
			}
			if p := m.Case().Of(test.from.URI()); (p != nil) != (test.want == "ok") || p != nil && (p.RM != model.RMReceived || !cmp.Equal(p.Roles, []model.Role{model.RoleVendor})) {
				t.Errorf("takes part as %+v", p)
			}
		})
	}
}

// Who has left is heard no more: a note of its is refused, and leaving again, by
// another message, adds nothing.
//
// Proves: CM-04-007, RSH-05-006, CLP-10-009
func TestWhoHasLeftIsHeardNoMore(t *testing.T) {
	m := casework.New(t, casework.Manager).Begun()
	trees := received.Trees()
	if r := m.Decide(trees[semantics.CloseCase], m.Heard(casework.Reporter, says(model.Leave, stub()))); r.State != ports.Done {
		t.Fatalf("%s, %+v", r.State, r.Outcome)
	}
	again := says(model.Leave, stub())
	again.ID = "urn:uuid:again"
	status := statusOf(casework.Reporter, model.RMAccepted, model.VFDUnaware, "Pxa")
	dump := m.Dump()
	for meaning, said := range map[semantics.Meaning]*model.Activity{semantics.AddNoteToCase: note(), semantics.CloseCase: again,
		semantics.AddParticipantStatusToParticipant: status} {
		r := m.Decide(trees[meaning], m.Heard(casework.Reporter, said))
		if r.State != ports.Refused || r.Outcome.Code != "not-for-sender" || m.Dump() != dump {
			t.Errorf("%s: %s, %+v", meaning, r.State, r.Outcome)
		}
	}
}
