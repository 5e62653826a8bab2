package semantics_test

import (
	"testing"

	"bateleur/core/model"
	"bateleur/core/semantics"
)

// Proves: SE-01-003
func TestClassifyFindsEveryMeaning(t *testing.T) {
	missing := map[semantics.Meaning]bool{}
	for _, p := range semantics.Registry() {
		missing[p.Meaning] = true
	}
	for _, m := range understood {
		t.Run(m.name, func(t *testing.T) {
			a := activity(t, m.sketch)
			if got := semantics.Classify(a); got != m.meaning {
				t.Errorf("Classify = %q, want %q", got, m.meaning)
			}
			if !m.meaning.Understood() {
				t.Errorf("%q counts as not understood", m.meaning)
			}
		})
		delete(missing, m.meaning)
	}
	if len(missing) > 0 {
		t.Errorf("no message of the table has the meanings %v", missing)
	}
}

// Shapes that stand in documents or were seen on the wire and that no pattern
// fits.
//
// Proves: SE-01-003
func TestClassifyLeavesTheRestUnknown(t *testing.T) {
	const bare = semantics.UnknownUnresolvableObject
	cases := []message{
		{"a report read without its offer", answer("Read", "$REPORT"), semantics.Unknown, ""},
		{"answer to a recommender", answer("Accept", `{"type":"Offer","object":$ORG,"target":"urn:case:1"}`), semantics.Unknown, ""},
		{"participant removed without target", `{"type":"Remove","object":$PARTICIPANT,"origin":"urn:case:1"}`, semantics.Unknown, ""},
		{"undo of a deferral", answer("Undo", answer("Ignore", "$CASE")), semantics.Unknown, ""},
		{"question among embargoes", `{"type":"Question","context":"urn:case:1","content":"which?"}`, semantics.Unknown, ""},
		{"embargo proposed without context", answer("Invite", "$EMBARGO"), semantics.Unknown, ""},
		{"actor invited to nothing", answer("Invite", "$ORG"), semantics.Unknown, ""},
		{"actor invited to a report", `{"type":"Invite","object":$ORG,"target":$REPORT}`, semantics.Unknown, ""},
		{"entry joined", answer("Join", "$ENTRY"), semantics.Unknown, ""},
		{"no object at all", `{"type":"Accept"}`, semantics.Unknown, ""},
		{"an unknown object", answer("Create", `{"id":"urn:x","type":"Future"}`), semantics.Unknown, ""},
		{"an offer deeper than the pattern", answer("Accept", answer("Accept", offerReport)), semantics.Unknown, ""},
		{"an activity without meaning, bare", `{"type":"Like","object":"urn:x"}`, semantics.Unknown, ""},
		{"accept of a bare id", `{"type":"Accept","object":"urn:i"}`, bare, ""},
		{"reject of a bare id", `{"type":"Reject","object":"urn:i"}`, semantics.RejectCaseLedgerEntry, ""},
		{"tentative reject of a bare id", `{"type":"TentativeReject","object":"urn:i"}`, bare, ""},
		{"read of a bare id", `{"type":"Read","object":"urn:o"}`, bare, ""},
		{"note removed by id, without target", `{"type":"Remove","object":"urn:x"}`, semantics.RemoveEmbargoEventFromCase, ""},
		{"addition of a bare id to nothing", `{"type":"Add","object":"urn:x"}`, bare, ""},
		{"invitation of a bare id to nothing", `{"type":"Invite","object":"urn:x"}`, bare, ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := semantics.Classify(activity(t, c.sketch)); got != c.meaning {
				t.Errorf("Classify = %q, want %q", got, c.meaning)
			}
		})
	}
	if got := semantics.Classify(nil); got != semantics.Unknown {
		t.Errorf("Classify(nil) = %q", got)
	}
}

// A bare id means what the first fitting pattern of its activity says.
//
// Proves: SE-01-003
func TestClassifyOfBareIDs(t *testing.T) {
	cases := []struct {
		name     string
		activity model.Activity
		want     semantics.Meaning
	}{
		{"create", model.Activity{Type: model.Create}, semantics.CreateReport},
		{"offer", model.Activity{Type: model.Offer}, semantics.SubmitReport},
		{"update", model.Activity{Type: model.Update}, semantics.UpdateCase},
		{"join", model.Activity{Type: model.Join}, semantics.EngageCase},
		{"ignore", model.Activity{Type: model.Ignore}, semantics.DeferCase},
		{"leave", model.Activity{Type: model.Leave}, semantics.CloseCase},
		{"announce", model.Activity{Type: model.Announce}, semantics.AnnounceVulnerabilityCase},
		{"add with target", model.Activity{Type: model.Add, Target: model.Link("urn:t")}, semantics.AddReportToCase},
		{"invite with target", model.Activity{Type: model.Invite, Target: model.Link("urn:t")}, semantics.InviteActorToCase},
		{"invite with context", model.Activity{Type: model.Invite, Context: "urn:c"}, semantics.InviteToEmbargoOnCase},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			c.activity.Object = model.Link("urn:x")
			if got := semantics.Classify(&c.activity); got != c.want {
				t.Errorf("Classify = %q, want %q", got, c.want)
			}
		})
	}
}

// Every type of actor may be suggested and invited.
func TestClassifyKnowsEveryTypeOfActor(t *testing.T) {
	for _, typ := range append([]string{"Actor", "CoreActor"}, model.ActorTypes...) {
		a := activity(t, `{"type":"Invite","object":{"id":"https://n.test/n","type":"`+typ+`"},"target":"urn:case:1"}`)
		if got := semantics.Classify(a); got != semantics.InviteActorToCase {
			t.Errorf("%s: Classify = %q", typ, got)
		}
	}
}

func TestClassifyAllocatesNothing(t *testing.T) {
	a := activity(t, answer("Reject", "$ENTRY"))
	if n := testing.AllocsPerRun(100, func() { semantics.CaseOf(a, semantics.Classify(a)) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkClassify(b *testing.B) {
	for _, m := range []message{
		{"first pattern", answer("Create", "$REPORT"), "", ""},
		{"nested", answer("Accept", inviteEmbargo), "", ""},
		{"last of many", `{"type":"Add","object":$PSTATUS,"target":"urn:participant"}`, "", ""},
		{"unknown", `{"type":"Accept","object":{"id":"urn:x","type":"Future"}}`, "", ""},
	} {
		a := activity(b, m.sketch)
		b.Run(m.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				semantics.Classify(a)
			}
		})
	}
}
