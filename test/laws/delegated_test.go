package laws

import (
	"encoding/json"
	"testing"

	"bateleur/core/cases"
	"bateleur/core/fault"
	"bateleur/core/model"
	"bateleur/core/ports"
	"bateleur/core/semantics"
	"bateleur/test/simnet"
)

// A delegated emit is one activity in one store, the manager's: made, queued,
// ledgered and delivered there, with the requester named in attributedTo. The
// requester's store is the same byte for byte.
//
// Proves: CM-24-001, CM-24-002, CM-24-004, PCR-08-007, CLP-07-002, BT-05-005, OX-01-001
func TestADelegatedEmitLivesInTheManagersStoreAlone(t *testing.T) {
	t.Parallel()
	onEveryStore(t, func(t *testing.T, g *stage) {
		w := g.another("w", "other-vendor")
		g.open()
		before, tail := g.V.Dump(), len(g.M.Entries(g.caseID))
		g.net.Hold(func(m simnet.Message) bool { return m.To() == g.V.URI() }) // what the owner is told comes later

		id := g.invite(w)

		if d := diff(before, g.V.Dump()); d != "" {
			t.Errorf("the requester's store changed:\n%s", d)
		}
		g.wantInvitationInOutbox(id, w)
		wantInvitation(t, "on the wire", invitationTo(t, g, w), g, w)
		if kept, known := load[cases.Invite](t, w, cases.KindInvite, id); !known || kept.Manager != g.M.URI() {
			t.Errorf("the invitee knows %+v of the invitation", kept)
		}

		entries := g.M.Entries(g.caseID)[tail:]
		if d := diff([]string{cases.EventInviteActor}, events(entries, 0)); d != "" {
			t.Fatalf("ledgered (-want +got):\n%s", d)
		}
		a, err := read(entries[0])
		if err != nil {
			t.Fatal(err)
		}
		wantInvitation(t, "in the ledger", a, g, w)
		for _, m := range g.net.Sent() {
			if m.From == g.M.URI() && m.To() == g.M.URI() {
				t.Errorf("the manager tells itself %s", line(m.Activity))
			}
		}

		g.net.Release()
		g.net.Settle()
		g.sameLedger(g.V, g.F)
	})
}

func (g *stage) wantInvitationInOutbox(id string, invitee simnet.Party) {
	g.t.Helper()
	var item ports.OutboxItem
	g.M.View(func(r ports.Reader) (err error) {
		item, err = r.OutboxItem(id)
		return err
	})
	if item.Actor != g.M.ID || item.AttributedTo != g.V.URI() {
		g.t.Errorf("queued as of %s for %q", item.Actor, item.AttributedTo)
	}
	if d := diff([]string{invitee.URI()}, item.Recipients); d != "" {
		g.t.Errorf("queued for (-want +got):\n%s", d)
	}
	a, err := decode(item.Body)
	if err != nil {
		g.t.Fatal(err)
	}
	wantInvitation(g.t, "in the outbox", a, g, invitee)
}

func invitationTo(t *testing.T, g *stage, invitee simnet.Party) *model.Activity {
	t.Helper()
	told := conversation(g.net.Sent(), g.M.URI(), invitee.URI())
	if len(told) != 1 || semantics.Classify(told[0].Activity) != semantics.InviteActorToCase {
		t.Fatalf("the invitee was sent %d messages, want its invitation alone", len(told))
	}
	return told[0].Activity
}

func wantInvitation(t *testing.T, where string, a *model.Activity, g *stage, invitee simnet.Party) {
	t.Helper()
	if a.Actor != g.M.URI() || a.AttributedTo != g.V.URI() || a.Object.ID() != invitee.URI() || a.Target.ID() != g.caseID {
		t.Errorf("%s: %s", where, asJSON(t, a))
	}
}

// The manager's own store decides whether a requester may: a participant that
// does not own the case, and a stranger, are refused, and nothing is left.
//
// Proves: CM-24-004, CM-02-005, BA-10-001
func TestTheManagersStoreDecidesWhoMayDelegate(t *testing.T) {
	t.Parallel()
	onEveryStore(t, func(t *testing.T, g *stage) {
		w := g.another("w", "other-vendor")
		g.open()
		// A participant that lives on the manager's node, and so could give it commands.
		neighbour := g.neighbour("neighbour")
		g.admit(neighbour, "vendor")

		for _, who := range []simnet.Party{neighbour, g.neighbour("stranger")} {
			ledger, outbox := g.M.Entries(g.caseID), g.M.Outbox()
			st, err := who.Command("invite-actor-to-case", params{"case_id": g.caseID, "invitee_id": w.URI()})
			if err == nil && st.State != ports.Refused {
				t.Errorf("%s: %s %+v", who.ID.Segment(), st.State, st.Outcome)
			}
			g.net.Settle()
			if d := diff(ledger, g.M.Entries(g.caseID)); d != "" {
				t.Errorf("%s wrote the ledger:\n%s", who.ID.Segment(), d)
			}
			if d := diff(len(outbox), len(g.M.Outbox())); d != "" {
				t.Errorf("%s made the manager speak:\n%s", who.ID.Segment(), d)
			}
		}
		if n := len(w.Items()); n != 0 {
			t.Errorf("%d messages came to the one not invited", n)
		}
	})
}

// Where the manager lives elsewhere a delegated command ends with an error that
// says so, and nothing is queued anywhere.
//
// Proves: BT-05-005, PCR-08-011
func TestADelegatedEmitNeedsItsManagerHere(t *testing.T) {
	t.Parallel()
	g := set(t, setting{manage: "a"})
	w := g.another("w", "other-vendor")
	g.open()
	owner, manager := g.V.Dump(), g.M.Dump()
	_, err := g.V.Command("invite-actor-to-case", params{"case_id": g.caseID, "invitee_id": w.URI()})
	if got := fault.CodeOf(err); got != fault.NotHosted {
		t.Errorf("error %v, want %s", err, fault.NotHosted)
	}
	g.net.Settle()
	if owner != g.V.Dump() || manager != g.M.Dump() {
		t.Error("the command left something")
	}
}

// A node runs nothing as an actor that it does not host, whoever asks.
//
// Proves: BT-05-005
func TestANodeActsOnlyAsWhomItHosts(t *testing.T) {
	t.Parallel()
	g := set(t, setting{})
	g.open()
	body, err := json.Marshal(g.inCase())
	if err != nil {
		t.Fatal(err)
	}
	nd := g.V.Node()
	if _, err := nd.Command(t.Context(), g.F.ID, command("close-case", body)); fault.CodeOf(err) != fault.NotHosted {
		t.Errorf("command: %v", err)
	}
	if _, err := nd.Receive(t.Context(), g.F.ID, g.M.ID, &model.Activity{ID: "urn:x:1", Type: model.Create}, []byte("{}")); fault.CodeOf(err) != fault.NotHosted {
		t.Errorf("message: %v", err)
	}
	if err := nd.View(t.Context(), g.F.ID, func(ports.Reader) error { return nil }); fault.CodeOf(err) != fault.NotHosted {
		t.Errorf("reading: %v", err)
	}
}
