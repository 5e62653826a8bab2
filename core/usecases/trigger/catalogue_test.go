package trigger_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bateleur/core/authority"
	"bateleur/core/bt"
	"bateleur/core/cases"
	"bateleur/core/model"
	"bateleur/core/ports"
	"bateleur/core/scope"
	"bateleur/core/usecases/leaf"
	"bateleur/core/usecases/trigger"
	"bateleur/test/casework"
)

// A command acts for a case only as its manager, which the gate requires; only a
// delegated one does so at all. Evidence is written last.
//
// Proves: BT-17-001, CLP-09-002, BA-10-001, ID-04-005, CM-24-004
func TestShapesOfTheTrees(t *testing.T) {
	for name, tr := range trigger.All() {
		t.Run(name, func(t *testing.T) {
			all := slices.Collect(tr.Tree.Nodes())
			gates := 0
			for _, n := range all {
				switch n.Kind {
				case bt.KindWhenRole:
					t.Errorf("%s: a command cannot be not mine", n.Path)
				case bt.KindRequireRole:
					gates++
				}
				below := n.Parent >= 0 && slices.ContainsFunc(all[:n.Index], func(g bt.NodeInfo) bool { return g.Kind == bt.KindRequireRole && n.Index < g.End })
				if slices.Contains(n.Needs, authority.ForCase) && !below {
					t.Errorf("%s acts outside a gate", n.Path)
				}
				if n.Latch && (all[n.Parent].Kind != bt.KindLatchLast || n.End != all[n.Parent].End) {
					t.Errorf("%s is not the last of a latch-last", n.Path)
				}
			}
			if (gates == 1) != tr.Delegated || !tr.Tree.SingleShot() {
				t.Errorf("%d gates, delegated %v", gates, tr.Delegated)
			}
		})
	}
}

type params map[string]any

// commands of a participant of a case: who gives it from which state of its own.
var commands = []struct {
	name   string
	by     model.ActorID
	at     model.RM
	params params
	to     int // how many activities go to the manager
}{
	{"validate-report", casework.Owner, model.RMReceived, params{"offer_id": casework.OfferID}, 1},
	{"invalidate-report", casework.Owner, model.RMReceived, params{"offer_id": casework.OfferID}, 1},
	{"close-report", casework.Owner, model.RMInvalid, params{"offer_id": casework.OfferID}, 1},
	{"engage-case", casework.Owner, model.RMValid, params{"case_id": casework.CaseID}, 1},
	{"defer-case", casework.Owner, model.RMValid, params{"case_id": casework.CaseID}, 1},
	{"close-case", casework.Reporter, model.RMAccepted, params{"case_id": casework.CaseID}, 1},
	{"add-note-to-case", casework.Reporter, model.RMAccepted, params{"case_id": casework.CaseID, "note_content": "x"}, 2},
	{"notify-fix-ready", casework.Owner, model.RMAccepted, params{"case_id": casework.CaseID}, 2},
	{"notify-published", casework.Reporter, model.RMAccepted, params{"case_id": casework.CaseID}, 1},
}

// replica is a participant's store with the case, itself at a state.
func replica(t *testing.T, who model.ActorID, at model.RM) *casework.Desk {
	t.Helper()
	m := casework.New(t, casework.Manager).Begun()
	d := casework.New(t, who).ReplicaOf(m)
	rewrite(d, func(c *cases.Case) { c.Of(who.URI()).RM = at })
	return d
}

// rewrite changes the case behind the back of everything.
func rewrite(d *casework.Desk, change func(*cases.Case)) {
	d.Helper()
	d.Update(func(tx ports.Tx) error {
		c, err := cases.Load[cases.Case](tx, cases.KindCase, casework.CaseID)
		if err != nil {
			return err
		}
		change(&c.Value)
		return cases.Save(tx, cases.KindCase, casework.CaseID, &c)
	})
}

// A command asserts something to the case's manager and to nobody else, and
// remembers it apart from the case, which moves when the entry comes back.
//
// Proves: CLP-10-001, CLP-06-006, PCR-08-001, PCR-03-002, CLP-01-004, CSB-15-003, ID-01-001
func TestACommandGoesToTheManager(t *testing.T) {
	for _, c := range commands {
		t.Run(c.name, func(t *testing.T) {
			d := replica(t, c.by, c.at)
			tr := trigger.All()[c.name]
			before := d.Case()
			r := d.Decide(tr.Tree, d.Given(c.by, c.name, c.params))
			if r.State != ports.Done || len(r.Outcome.Result) == 0 {
				t.Fatalf("%s, %+v, %v", r.State, r.Outcome, r.Err)
			}
			sent, ids := d.Sent(), map[string]bool{}
			for _, a := range sent {
				ids[a.ID] = true
				if diff := cmp.Diff([]string{casework.Manager.URI()}, a.BTo); diff != "" || a.Actor != c.by.URI() || a.Object.Object() == nil {
					t.Errorf("sent %+v\n%s", a, diff)
				}
			}
			if len(sent) != c.to || len(ids) != c.to {
				t.Errorf("%d activities with %d ids", len(sent), len(ids))
			}
			d.View(func(rd ports.Reader) error {
				pending, err := cases.All[cases.Pending](rd, cases.KindPending, ports.Ref{Name: cases.RefCase, Target: casework.CaseID})
				if len(pending) == 0 {
					t.Error("nothing is pending")
				}
				return err
			})
			if diff := cmp.Diff(before, d.Case()); diff != "" {
				t.Errorf("the case moved:\n%s", diff)
			}
		})
	}
}

// Without a manager to be found nothing at all is written, and neither is it when
// the step is not the actor's to take or the case is not here.
//
// Proves: BT-19-001, PCR-08-011, CM-04-002, BA-15-001, RMB-10-002, CSB-15-001
func TestACommandThatCannotBeDoneChangesNothing(t *testing.T) {
	type trial struct {
		name    string
		desk    *casework.Desk
		command string
		by      model.ActorID
		params  params
		state   ports.InboxState
		code    string
	}
	var trials []trial
	for _, c := range commands {
		orphan := replica(t, c.by, c.at)
		rewrite(orphan, func(k *cases.Case) {
			k.Participants = slices.DeleteFunc(k.Participants, func(p cases.Participant) bool { return p.Has(model.RoleCaseManager) })
		})
		trials = append(trials, trial{c.name + " without a manager", orphan, c.name, c.by, c.params, ports.Refused, leaf.Unknown})

		gone := replica(t, c.by, model.RMClosed)
		trials = append(trials, trial{c.name + " after leaving", gone, c.name, c.by, c.params, ports.Refused, leaf.NotAllowed})

		outsider := replica(t, c.by, c.at)
		rewrite(outsider, func(k *cases.Case) {
			k.Participants = slices.DeleteFunc(k.Participants, func(p cases.Participant) bool { return p.Actor == c.by.URI() })
		})
		trials = append(trials, trial{c.name + " without a part", outsider, c.name, c.by, c.params, ports.Refused, leaf.NotAllowed})

		trials = append(trials, trial{c.name + " without a case that is due", casework.New(t, c.by), c.name, c.by, c.params, ports.Refused, leaf.Unknown})
	}
	waiting := casework.New(t, casework.Owner)
	waiting.Update(func(tx ports.Tx) error {
		return cases.Create(tx, cases.KindOffer, casework.OfferID, cases.OfferRecord{ID: casework.OfferID, ReportID: casework.Report().ID})
	})
	offered, named := params{"offer_id": casework.OfferID}, params{"case_id": casework.CaseID}
	for _, c := range commands {
		trials = append(trials, trial{c.name + " before the case", waiting, c.name, casework.Owner, c.params, ports.Deferred, leaf.Absent})
	}
	illegal := map[string][]model.RM{
		"validate-report": {model.RMValid, model.RMAccepted, model.RMDeferred}, "invalidate-report": {model.RMInvalid, model.RMValid},
		"close-report": {model.RMReceived, model.RMValid}, "engage-case": {model.RMReceived, model.RMAccepted, model.RMInvalid},
		"defer-case": {model.RMReceived, model.RMDeferred}, "close-case": {model.RMReceived, model.RMValid},
	}
	for name, states := range illegal {
		with := named
		if name[len(name)-6:] == "report" {
			with = offered
		}
		for _, rm := range states {
			trials = append(trials, trial{name + " from " + string(rm), replica(t, casework.Owner, rm), name, casework.Owner, with, ports.Refused, leaf.NotAllowed})
		}
	}
	trials = append(trials,
		trial{"a fix that is not a vendor's", replica(t, casework.Reporter, model.RMAccepted), "notify-fix-ready", casework.Reporter, named, ports.Refused, leaf.NotAllowed},
		trial{"a fix before engaging", replica(t, casework.Owner, model.RMValid), "notify-fix-ready", casework.Owner, named, ports.Refused, leaf.NotAllowed},
		trial{"a deployment that is not a deployer's", replica(t, casework.Owner, model.RMAccepted), "notify-fix-deployed", casework.Owner, named, ports.Refused, leaf.NotAllowed})
	for _, c := range trials {
		t.Run(c.name, func(t *testing.T) {
			dump := c.desk.Dump()
			r := c.desk.Decide(trigger.All()[c.command].Tree, c.desk.Given(c.by, c.command, c.params))
			if r.State != c.state || r.Outcome.Code != c.code || (r.Wake != "") != (c.state == ports.Deferred) {
				t.Errorf("%s for %q, %+v, %v", r.State, r.Wake, r.Outcome, r.Err)
			}
			if diff := cmp.Diff(dump, c.desk.Dump()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// An assertion that is under way counts for the actor's own next step: it is not
// made twice, and what builds on it may follow.
//
// Proves: CLP-06-006, ID-04-004
func TestPendingAssertionsCount(t *testing.T) {
	d := replica(t, casework.Owner, model.RMReceived)
	give := func(name string, with params) string {
		return d.Decide(trigger.All()[name].Tree, d.Given(casework.Owner, name, with)).Outcome.Code
	}
	offered, named := params{"offer_id": casework.OfferID}, params{"case_id": casework.CaseID}
	got := []string{give("validate-report", offered), give("validate-report", offered), give("engage-case", named), give("engage-case", named),
		give("notify-fix-ready", named), give("notify-fix-ready", named), give("notify-published", named), give("notify-published", named)}
	want := []string{"ok", leaf.NotAllowed, "ok", leaf.NotAllowed, "ok", leaf.NothingChange, "ok", leaf.NothingChange}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// The manager invites for the owner and for nobody else: as itself, in its own
// store, with the owner named in attributedTo, once in the ledger.
//
// Proves: CM-24-001, CM-24-002, CM-24-004, PCR-08-007, CM-02-005, CM-17-001, CLP-07-002, SYNC-09-002
func TestInvite(t *testing.T) {
	name := "invite-actor-to-case"
	ask := params{"case_id": casework.CaseID, "invitee_id": "HTTPS://Node.test/actors/case-actor"}
	tests := []struct {
		name  string
		by    model.ActorID
		with  params
		rm    model.RM
		state ports.InboxState
		code  string
	}{
		{"owner", casework.Owner, ask, model.RMReceived, ports.Done, "ok"},
		{"reporter", casework.Reporter, ask, model.RMReceived, ports.Refused, leaf.NotAllowed},
		{"manager", casework.Manager, ask, model.RMReceived, ports.Refused, leaf.NotAllowed},
		{"stranger", casework.Stranger, ask, model.RMReceived, ports.Refused, leaf.NotAllowed},
		{"owner that has left", casework.Owner, ask, model.RMClosed, ports.Refused, leaf.NotAllowed},
		{"who takes part", casework.Owner, params{"case_id": casework.CaseID, "invitee_id": casework.Reporter.URI()}, model.RMReceived, ports.Refused, leaf.Duplicate},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			m := casework.New(t, casework.Manager).Begun()
			rewrite(m, func(c *cases.Case) { c.Of(casework.Owner.URI()).RM = test.rm })
			before, dump := len(m.Entries()), m.Dump()
			r := m.Decide(trigger.All()[name].Tree, m.Given(test.by, name, test.with))
			if r.State != test.state || r.Outcome.Code != test.code {
				t.Fatalf("%s, %+v, %v", r.State, r.Outcome, r.Err)
			}
			if test.state != ports.Done {
				if diff := cmp.Diff(dump, m.Dump()); diff != "" {
					t.Error(diff)
				}
				return
			}
			sent := m.Sent()
			entries := m.Entries()[before:]
			if len(entries) != 1 || entries[0].EventType != cases.EventInviteActor || entries[0].ObjectID != sent[0].ID {
				t.Fatalf("ledgered %+v", entries)
			}
			snapshot, err := m.Tools.Wire.Decode(entries[0].Payload)
			for _, a := range []*model.Activity{sent[0], snapshot} {
				if err != nil || a.Actor != casework.Manager.URI() || a.AttributedTo != casework.Owner.URI() || a.Object.ID() != casework.Stranger.URI() ||
					!cmp.Equal(a.Roles, []model.Role{model.RoleVendor}) {
					t.Errorf("the invitation is %+v, %v", a, err)
				}
			}
			if !cmp.Equal(sent[0].BTo, []string{casework.Stranger.URI()}) || m.Case().Of(casework.Stranger.URI()) != nil {
				t.Errorf("sent to %v", sent[0].BTo)
			}
		})
	}
	d := casework.New(t, casework.Owner).ReplicaOf(casework.New(t, casework.Manager).Begun())
	dump := d.Dump()
	if r := d.Decide(trigger.All()[name].Tree, d.Given(casework.Owner, name, ask)); r.State != ports.Dead || r.Outcome.Code != "forbidden" || d.Dump() != dump {
		t.Errorf("run by the owner itself: %s, %+v", r.State, r.Outcome)
	}
}

// A peer is kept in the actor's own address book under its canonical id, and is
// the same when it is told again.
//
// Proves: DL-07-008
func TestRegisterPeer(t *testing.T) {
	d := casework.New(t, casework.Owner)
	give := func(with params) {
		if r := d.Decide(trigger.All()["register-peer"].Tree, d.Given(casework.Owner, "register-peer", with)); r.State != ports.Done {
			t.Fatalf("%s, %+v", r.State, r.Outcome)
		}
	}
	give(params{"id": "HTTPS://Peer.test:443/actors/p"})
	dump := d.Dump()
	give(params{"id": "https://peer.test/actors/p"})
	if diff := cmp.Diff(dump, d.Dump()); diff != "" {
		t.Errorf("told again:\n%s", diff)
	}
	give(params{"id": "https://peer.test/actors/p", "type": "Person", "name": "P"})
	var peers []model.Actor
	d.View(func(r ports.Reader) (err error) {
		peers, err = cases.All[model.Actor](r, cases.KindAddress, ports.Ref{})
		return err
	})
	if diff := cmp.Diff([]model.Actor{{ID: "https://peer.test/actors/p", Type: "Person", Name: "P", Inbox: "https://peer.test/actors/p/inbox/"}}, peers); diff != "" {
		t.Error(diff)
	}
}

// An invitation is answered once; what was answered is what a later telling of
// the case is trusted by.
//
// Proves: ID-04-005
func TestAnInvitationIsAnsweredOnce(t *testing.T) {
	d := casework.New(t, casework.Stranger)
	invite := &model.Activity{ID: "urn:uuid:invite", Type: model.Invite, Actor: casework.Manager.URI(), Roles: []model.Role{model.RoleVendor},
		Object: model.Inline(&model.Actor{ID: casework.Stranger.URI(), Type: "Organization"}),
		Target: model.Inline(&model.VulnerabilityCase{ID: casework.CaseID, Type: model.TypeCase})}
	raw, err := d.Tools.Wire.Encode(invite)
	if err != nil {
		t.Fatal(err)
	}
	d.Want(d.Run(scope.Input{}, leaf.Do("keep", func(s *scope.Scope) error {
		return cases.Create(s, cases.KindInvite, invite.ID, cases.Invite{ID: invite.ID, CaseID: casework.CaseID, Manager: casework.Manager.URI(), Activity: raw})
	})))
	give := func(name, id string) string {
		return d.Decide(trigger.All()[name].Tree, d.Given(casework.Stranger, name, params{"invite_id": id})).Outcome.Code
	}
	got := []string{give("accept-case-invite", "urn:uuid:unknown"), give("accept-case-invite", invite.ID), give("accept-case-invite", invite.ID), give("reject-case-invite", invite.ID)}
	if diff := cmp.Diff([]string{leaf.Unknown, "ok", leaf.Duplicate, leaf.Duplicate}, got); diff != "" {
		t.Error(diff)
	}
	sent := d.Sent()
	if len(sent) != 1 || sent[0].Type != model.Accept || sent[0].ObjectActivity() == nil || !cmp.Equal(sent[0].BTo, []string{casework.Manager.URI()}) {
		t.Errorf("sent %+v", sent)
	}
	d.View(func(r ports.Reader) error {
		answer, err := cases.Load[cases.Answer](r, cases.KindConsent, casework.CaseID)
		if !answer.Value.Accepted || answer.Value.Manager != casework.Manager.URI() {
			t.Errorf("recorded %+v", answer)
		}
		return err
	})
}
