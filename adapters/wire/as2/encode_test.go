package as2_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"bateleur/adapters/wire/as2"
	"bateleur/core/fault"
	"bateleur/core/ledger"
	"bateleur/core/model"
)

const (
	theContext = "https://certcc.github.io/Vultron/ns/context.jsonld"
	vendor     = "https://v.test/actors/v"
	finder     = "https://f.test/actors/f"
	manager    = "https://v.test/actors/case-actor"
	theCase    = "urn:uuid:c1"
)

var now = time.Date(2026, 11, 30, 22, 39, 32, 463054321, time.FixedZone("", -4*3600))

func theReport() *model.Report {
	return &model.Report{ID: "urn:uuid:r1", Type: model.TypeReport, Name: "Heap <overflow> & more", Content: "A\n\u2028😀",
		AttributedTo: finder, Published: now, Updated: now}
}

func theEmbargo() *model.EmbargoEvent {
	return &model.EmbargoEvent{ID: "urn:uuid:e1", Type: model.TypeEmbargo, Context: theCase,
		StartTime: now.Truncate(time.Second), EndTime: now.AddDate(0, 0, 90)}
}

// written are activities and exactly what goes out for them.
var written = []struct {
	name     string
	activity model.Activity
	want     string
}{
	{"a report, the target as URI, times in UTC, nothing escaped for HTML",
		model.Activity{ID: "urn:uuid:a1", Type: model.Offer, Actor: finder, Object: model.Inline(theReport()),
			Target: model.Inline(&model.Actor{ID: vendor, Type: "Organization", Name: "V"}), To: []string{vendor},
			Published: now, Updated: now},
		`{"@context":"$CTX","id":"urn:uuid:a1","type":"Offer","name":"$F Offer Heap <overflow> & more to V","actor":"$F",` +
			`"object":{"id":"urn:uuid:r1","type":"VulnerabilityReport","name":"Heap <overflow> & more","content":"A\n` + "\u2028" + `😀",` +
			`"attributedTo":"$F","published":"2026-12-01T02:39:32Z","updated":"2026-12-01T02:39:32Z"},` +
			`"target":"$V","to":["$V"],"published":"2026-12-01T02:39:32Z","updated":"2026-12-01T02:39:32Z"}`},
	{"blind addressees stay out at every depth",
		model.Activity{ID: "urn:uuid:a2", Type: model.Accept, Name: "n", Actor: vendor, AttributedTo: finder,
			Object: model.Inline(&model.Activity{ID: "urn:uuid:a1", Type: model.Offer, Name: "n", Actor: finder,
				Object: model.Link("urn:uuid:r1"), BTo: []string{"https://x.test/x"}}),
			To: []string{manager}, CC: []string{finder}, BTo: []string{"https://x.test/x"}, BCC: []string{"https://x.test/x"},
			InReplyTo: "urn:uuid:a1", Content: "c", Summary: "s", OfferID: "urn:uuid:a1", OfferActorID: finder},
		`{"@context":"$CTX","id":"urn:uuid:a2","type":"Accept","name":"n","actor":"$V","attributedTo":"$F",` +
			`"object":{"id":"urn:uuid:a1","type":"Offer","name":"n","actor":"$F","object":"urn:uuid:r1"},` +
			`"inReplyTo":"urn:uuid:a1","to":["$M"],"cc":["$F"],"summary":"s","content":"c","offerId":"urn:uuid:a1","offerActorId":"$F"}`},
	{"an invitation keeps the stub of the case, with the embargo",
		model.Activity{ID: "urn:uuid:a3", Type: model.Invite, Actor: manager, Name: "n",
			Object: model.Inline(&model.Actor{ID: finder, Type: "Person", Name: "F"}), Roles: []model.Role{model.RoleVendor},
			Target: model.Inline(&model.VulnerabilityCase{ID: theCase, Type: model.TypeCase, ActiveEmbargo: model.Inline(theEmbargo())}),
			Origin: model.Link("urn:uuid:a0"), To: []string{finder}, CC: []string{manager}, EndTime: now},
		`{"@context":"$CTX","id":"urn:uuid:a3","type":"Invite","name":"n","actor":"$M",` +
			`"object":{"id":"$F","type":"Person","name":"F"},` +
			`"target":{"id":"$C","type":"VulnerabilityCase","activeEmbargo":{"id":"urn:uuid:e1","type":"EmbargoEvent",` +
			`"name":"Embargo for $C start: 2026-12-01T02:39:32Z end: 2027-03-01T02:39:32Z","context":"$C",` +
			`"startTime":"2026-12-01T02:39:32Z","endTime":"2027-03-01T02:39:32.463054Z"}},` +
			`"origin":"urn:uuid:a0","to":["$F"],"cc":["$M"],"roles":["vendor"],"endTime":"2026-12-01T02:39:32.463054Z"}`},
	{"an invitation's target that is more than a stub goes as URI",
		model.Activity{ID: "urn:uuid:a4", Type: model.Invite, Actor: manager, Name: "n", Object: model.Link(finder),
			Target: model.Inline(&model.VulnerabilityCase{ID: theCase, Type: model.TypeCase, AttributedTo: manager})},
		`{"@context":"$CTX","id":"urn:uuid:a4","type":"Invite","name":"n","actor":"$M","object":"$F","target":"$C"}`},
	{"the stub as another activity's target goes as URI",
		model.Activity{ID: "urn:uuid:a5", Type: model.Add, Actor: manager, Name: "n",
			Object: model.Inline(&model.Note{ID: "urn:uuid:n1", Type: model.TypeNote, Name: "Q", Content: "?", Context: theCase,
				AttributedTo: finder, InReplyTo: "urn:uuid:n0"}),
			Target: model.Inline(&model.VulnerabilityCase{ID: theCase, Type: model.TypeCase})},
		`{"@context":"$CTX","id":"urn:uuid:a5","type":"Add","name":"n","actor":"$M",` +
			`"object":{"id":"urn:uuid:n1","type":"Note","name":"Q","content":"?","context":"$C","attributedTo":"$F","inReplyTo":"urn:uuid:n0"},` +
			`"target":"$C"}`},
	{"a proposal carries the report, its offer and the manager's URI",
		model.Activity{ID: "urn:uuid:a6", Type: model.Create, Actor: vendor, Name: "n",
			Object: model.Inline(&model.CaseProposal{ID: "urn:uuid:p1", Type: model.TypeProposal, AttributedTo: vendor,
				Object:  model.Inline(&model.Report{ID: "urn:uuid:r1", Type: model.TypeReport, Content: "c"}),
				Target:  model.Inline(&model.Actor{ID: manager, Type: "Service"}),
				OfferID: "urn:uuid:a1", OfferActorID: finder, Roles: []model.Role{model.RoleVendor}, Summary: "s"})},
		`{"@context":"$CTX","id":"urn:uuid:a6","type":"Create","name":"n","actor":"$V",` +
			`"object":{"id":"urn:uuid:p1","type":"CaseProposal","attributedTo":"$V",` +
			`"object":{"id":"urn:uuid:r1","type":"VulnerabilityReport","content":"c"},"target":"$M",` +
			`"summary":"s","offerId":"urn:uuid:a1","offerActorId":"$F","roles":["vendor"]}}`},
	{"a case whole, names generated, the index sorted",
		model.Activity{ID: "urn:uuid:a7", Type: model.Create, Actor: manager, Name: "n", Context: theCase, InReplyTo: "urn:uuid:a6",
			Object: model.Inline(&model.VulnerabilityCase{ID: theCase, Type: model.TypeCase, AttributedTo: manager, GenesisHash: "00",
				CaseParticipants: []model.Item{model.Link("urn:uuid:q0"), model.Inline(&model.CaseParticipant{ID: "urn:uuid:q1",
					Type: model.TypeParticipant, AttributedTo: vendor, Context: theCase, CaseRoles: []model.Role{model.RoleVendor},
					AcceptedEmbargoIDs: []string{"urn:uuid:e1"}, EmbargoConsentState: model.PECSignatory,
					ParticipantStatuses: []model.Item{model.Inline(&model.ParticipantStatus{ID: "urn:uuid:s1", RMState: model.RMReceived,
						VFDState: model.VFDUnaware, EMConsentState: model.PECNone, CVDRole: []string{"VENDOR"}, CaseEngagement: true,
						TrackingID: "T1", CaseStatus: model.Inline(&model.CaseStatus{ID: "urn:uuid:s2", EMState: model.EMNone, PXAState: model.PXANone})})}})},
				ActorParticipantIndex: map[string]string{vendor: "urn:uuid:q1", finder: "urn:uuid:q0"},
				VulnerabilityReports:  []model.Item{model.Link("urn:uuid:r1")}, Notes: []string{"urn:uuid:n1"},
				ActiveEmbargo: model.Link("urn:uuid:e1"), ProposedEmbargoes: []string{"urn:uuid:e1"}})},
		`{"@context":"$CTX","id":"urn:uuid:a7","type":"Create","name":"n","actor":"$M",` +
			`"object":{"id":"$C","type":"VulnerabilityCase","attributedTo":"$M","caseParticipants":["urn:uuid:q0",` +
			`{"id":"urn:uuid:q1","type":"CaseParticipant","name":"$V","attributedTo":"$V","context":"$C","caseRoles":["vendor"],` +
			`"participantStatuses":[{"id":"urn:uuid:s1","type":"ParticipantStatus","name":"RECEIVED vfd NONE pxa","rmState":"RECEIVED",` +
			`"vfdState":"vfd","emConsentState":"NO_EMBARGO","embargoAdherence":false,"caseEngagement":true,"cvdRole":["VENDOR"],` +
			`"trackingId":"T1","caseStatus":{"id":"urn:uuid:s2","type":"CaseStatus","name":"NONE pxa","emState":"NONE","pxaState":"pxa"}}],` +
			`"acceptedEmbargoIds":["urn:uuid:e1"],"embargoConsentState":"SIGNATORY"}],` +
			`"actorParticipantIndex":{"$F":"urn:uuid:q0","$V":"urn:uuid:q1"},"vulnerabilityReports":["urn:uuid:r1"],` +
			`"notes":["urn:uuid:n1"],"genesisHash":"00","activeEmbargo":"urn:uuid:e1","proposedEmbargoes":["urn:uuid:e1"]},` +
			`"context":"$C","inReplyTo":"urn:uuid:a6"}`},
	{"a refused entry, its snapshot byte for byte, and that nothing is held",
		model.Activity{ID: "urn:uuid:a8", Type: model.Reject, Actor: vendor, Name: "n", HasContext: true,
			Object: model.Inline(&model.LedgerEntry{Entry: ledger.Entry{CaseID: theCase, Disposition: ledger.Rejected, ObjectID: "urn:uuid:n1",
				EventType: "add_note_to_case", Payload: []byte(`{ "n": 1.0, "x":"<\u00e4>" }`), ReceivedAt: "2026-09-01T00:00:00Z"}})},
		`{"@context":"$CTX","id":"urn:uuid:a8","type":"Reject","name":"n","actor":"$V",` +
			`"object":{"id":"$C/log/0","type":"CaseLedgerEntry","caseId":"$C","logIndex":0,"disposition":"rejected",` +
			`"logObjectId":"urn:uuid:n1","eventType":"add_note_to_case","payloadSnapshot":{ "n": 1.0, "x":"<\u00e4>" },` +
			`"receivedAt":"2026-09-01T00:00:00Z"},"context":""}`},
	{"a role, suggested roles, a generated name",
		model.Activity{ID: "urn:uuid:a9", Type: model.Offer, Actor: manager, SuggestedRoles: []model.Role{model.RoleObserver},
			Object: model.Inline(&model.CaseParticipantRole{ID: "urn:uuid:x1", Type: model.TypeParticipantRole, Role: model.RoleObserver}),
			Target: model.Link(finder), Origin: model.Link("urn:uuid:a0")},
		`{"@context":"$CTX","id":"urn:uuid:a9","type":"Offer","name":"$M Offer urn:uuid:x1 from urn:uuid:a0 to $F","actor":"$M",` +
			`"object":{"id":"urn:uuid:x1","type":"CaseParticipantRole","role":"observer"},"target":"$F","origin":"urn:uuid:a0",` +
			`"suggestedRoles":["observer"]}`},
	{"an object of another's vocabulary as it came",
		model.Activity{ID: "urn:uuid:b1", Type: model.Announce, Actor: manager, Name: "n",
			Object: model.Inline(&model.Generic{ID: "urn:x", Type: "Future", Raw: []byte(`{"id":"urn:x", "type":"Future","n":1e400}`)})},
		`{"@context":"$CTX","id":"urn:uuid:b1","type":"Announce","name":"n","actor":"$M","object":{"id":"urn:x", "type":"Future","n":1e400}}`},
	{"an actor's addresses, a question without object",
		model.Activity{ID: "urn:uuid:b2", Type: model.Question, Actor: manager, Name: "n", Context: theCase,
			Target: model.Link(vendor), Object: model.Inline(&model.Actor{ID: vendor, Type: "Group", PreferredUsername: "v", Inbox: vendor + "/inbox/", Outbox: vendor + "/outbox/"})},
		`{"@context":"$CTX","id":"urn:uuid:b2","type":"Question","name":"n","actor":"$M",` +
			`"object":{"id":"$V","type":"Group","preferredUsername":"v","inbox":"$V/inbox/","outbox":"$V/outbox/"},"target":"$V","context":"$C"}`},
}

// Proves: OX-07-001, VM-10-001, AKM-02-002, AKM-02-003, CP-01-002, CP-01-004, CP-01-005, CP-01-007
func TestEncodeWritesOneSpelling(t *testing.T) {
	short := strings.NewReplacer("$CTX", theContext, "$V", vendor, "$F", finder, "$M", manager, "$C", theCase)
	for _, c := range written {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(short.Replace(c.want), string(encoded(t, &c.activity))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestEncodeRefuses(t *testing.T) {
	ok := model.Activity{Type: model.Offer, Actor: vendor}
	cases := []struct {
		name   string
		change func(*model.Activity)
		field  string
	}{
		{"no type", func(a *model.Activity) { a.Type = "" }, "type"},
		{"no actor", func(a *model.Activity) { a.Actor = "" }, "actor"},
		{"text that is not UTF-8", func(a *model.Activity) { a.Content = "\xff" }, "content"},
		{"a name that is not UTF-8", func(a *model.Activity) { a.Object = model.Inline(&model.Note{Name: "\xff"}) }, "name"},
		{"a year that has five digits", func(a *model.Activity) { a.EndTime = time.Unix(math.MaxInt32<<10, 0) }, "endTime"},
		{"an entry without case", func(a *model.Activity) { a.Object = model.Inline(&model.LedgerEntry{}) }, ""},
		{"damaged JSON", func(a *model.Activity) { a.Object = model.Inline(&model.Generic{Raw: []byte(`{"a":}`)}) }, ""},
		{"JSON that is no object", func(a *model.Activity) { a.Object = model.Inline(&model.Generic{Raw: []byte(`1`)}) }, ""},
		{"a type of object that has no form", func(a *model.Activity) { a.Object = model.Inline(stranger{}) }, "object"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			a := ok
			c.change(&a)
			raw, err := as2.Codec{}.Encode(&a)
			if fault.CodeOf(err) != fault.Invalid || c.field != "" && fault.FieldOf(err) != c.field || raw != nil {
				t.Errorf("Encode = %s, %v (field %q)", raw, err, fault.FieldOf(err))
			}
		})
	}
}

type stranger struct{}

func (stranger) ObjectID() string   { return "urn:x" }
func (stranger) ObjectType() string { return "Stranger" }
