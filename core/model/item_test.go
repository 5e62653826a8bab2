package model

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"bateleur/core/fault"
	"bateleur/core/ledger"
)

var (
	anID   = rapid.StringMatching(`urn:uuid:[0-9a-f]{8}`)
	aURI   = rapid.StringMatching(`https://[a-z]{1,6}\.test/actors/[a-z]{1,6}`)
	aText  = rapid.String().Filter(func(s string) bool { return s == strings.ToValidUTF8(s, "") })
	anHour = rapid.Map(rapid.Int64Range(0, 4e9), func(s int64) time.Time { return time.Unix(s, 0).UTC() })
)

// anItem is absent, an id, or an object that carries more to a depth.
func anItem(depth int) *rapid.Generator[Item] {
	link := rapid.Map(anID, Link)
	if depth == 0 {
		return rapid.OneOf(rapid.Just(Item{}), link)
	}
	return rapid.OneOf(rapid.Just(Item{}), link, rapid.Map(anObject(depth), Inline))
}

func anObject(depth int) *rapid.Generator[Object] {
	return rapid.Custom(func(t *rapid.T) Object {
		item := func(name string) Item { return anItem(depth-1).Draw(t, name) }
		id, who, at, text := anID.Draw(t, "id"), aURI.Draw(t, "who"), anHour.Draw(t, "at"), aText.Draw(t, "text")
		switch rapid.IntRange(0, 11).Draw(t, "type") {
		case 0:
			return &Report{ID: id, Type: TypeReport, Name: text, Content: text, AttributedTo: who, Published: at, Updated: at}
		case 1:
			return &VulnerabilityCase{ID: id, Type: TypeCase, AttributedTo: who, Published: at,
				CaseParticipants: []Item{item("participant"), Link(id)}, CaseStatuses: []Item{item("status")},
				ActorParticipantIndex: map[string]string{who: id}, ActiveEmbargo: item("embargo")}
		case 2:
			return &CaseParticipant{ID: id, Type: TypeParticipant, AttributedTo: who, CaseRoles: []Role{RoleVendor},
				ParticipantStatuses: []Item{item("status")}, EmbargoConsentState: PECSignatory}
		case 3:
			return &ParticipantStatus{ID: id, Type: TypeParticipantStatus, RMState: RMValid, VFDState: VFDAware,
				CaseStatus: item("world"), EmbargoAdherence: true}
		case 4:
			return &CaseStatus{ID: id, Type: TypeCaseStatus, EMState: EMActive, PXAState: "Pxa", Updated: at}
		case 5:
			return &EmbargoEvent{ID: id, Type: rapid.SampledFrom([]string{TypeEmbargo, TypeEvent}).Draw(t, "event"), EndTime: at}
		case 6:
			return &CaseProposal{ID: id, Type: TypeProposal, Object: item("report"), Target: item("manager"), OfferID: id}
		case 7:
			return &CaseParticipantRole{ID: id, Type: TypeParticipantRole, Role: RoleCoordinator}
		case 8:
			return &Note{ID: id, Type: TypeNote, Content: text, Context: id, AttributedTo: who}
		case 9:
			return &Actor{ID: who, Type: rapid.SampledFrom(ActorTypes).Draw(t, "actor"), Name: text, Inbox: who + "/inbox/"}
		case 10:
			return &Generic{ID: id, Type: "Place", Raw: json.RawMessage(`{"id":"` + id + `","type":"Place","radius":1.50}`)}
		}
		return &Activity{ID: id, Type: rapid.SampledFrom([]string{Create, Offer, Accept, Leave}).Draw(t, "activity"),
			Actor: who, AttributedTo: who, Object: item("object"), Target: item("target"), Origin: item("origin"),
			To: []string{who}, Roles: []Role{RoleVendor}, Content: text, Published: at}
	})
}

// What is inline is inline when it is read back, to every depth and of every
// type; an id stays an id, and what is absent stays absent.
//
// Proves: DL-08-001, DL-08-002
func TestItemsComeBackAtEveryDepth(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		type carrier struct {
			Member Item `json:"member,omitzero"`
		}
		want := carrier{anItem(4).Draw(t, "item")}
		raw, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		var got carrier
		if err := json.Unmarshal(raw, &got); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(Item{})); diff != "" {
			t.Fatal(diff)
		}
	})
}

func TestItem(t *testing.T) {
	note := &Note{ID: "urn:n", Type: TypeNote}
	cases := []struct {
		name           string
		item           Item
		id, typ        string
		isZero, isLink bool
	}{
		{"absent", Item{}, "", "", true, false},
		{"link", Link("urn:n"), "urn:n", "", false, true},
		{"inline", Inline(note), "urn:n", TypeNote, false, false},
		{"inline without an id", Inline(&Note{}), "", TypeNote, false, false},
		{"nothing inline", Inline(nil), "", "", true, false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got := []any{c.item.ID(), c.item.Type(), c.item.IsZero(), c.item.IsLink()}
			if diff := cmp.Diff([]any{c.id, c.typ, c.isZero, c.isLink}, got); diff != "" {
				t.Error(diff)
			}
		})
	}
	if got, ok := InlineAs[*Note](Inline(note)); !ok || got != note {
		t.Error("the note is not there")
	}
	if _, ok := InlineAs[*Report](Inline(note)); ok {
		t.Error("a note was taken for a report")
	}
	if _, ok := InlineAs[*Note](Link("urn:n")); ok {
		t.Error("an id was taken for a note")
	}
}

// A type name gives the Go type that stands for it, and the object says the name
// again; what has no type here is kept as it is.
func TestEveryTypeNameHasItsObject(t *testing.T) {
	want := map[string]Object{
		TypeReport: &Report{}, TypeCase: &VulnerabilityCase{}, TypeParticipant: &CaseParticipant{},
		TypeParticipantStatus: &ParticipantStatus{}, TypeCaseStatus: &CaseStatus{},
		TypeEmbargo: &EmbargoEvent{}, TypeEvent: &EmbargoEvent{}, TypeProposal: &CaseProposal{},
		TypeParticipantRole: &CaseParticipantRole{}, TypeNote: &Note{},
		Create: &Activity{}, "Travel": &Activity{}, "Group": &Actor{}, "CoreActor": &Actor{}, "Place": &Generic{}, "": &Generic{},
	}
	for typ, object := range want {
		raw := fmt.Sprintf(`{"id":"urn:x","type":%q}`, typ)
		got, err := UnmarshalObject([]byte(raw))
		if err != nil || fmt.Sprintf("%T", got) != fmt.Sprintf("%T", object) || got.ObjectID() != "urn:x" || got.ObjectType() != typ {
			t.Errorf("%s gives %T %v, %v", raw, got, got, err)
		}
	}
	if got := (&EmbargoEvent{}).ObjectType(); got != TypeEmbargo {
		t.Errorf("an embargo without a type is %s", got)
	}
	if raw, err := json.Marshal(&Generic{ID: "urn:x", Type: "Place"}); err != nil || string(raw) != `{"id":"urn:x","type":"Place"}` {
		t.Errorf("a made object is %s, %v", raw, err)
	}
}

func TestWhatIsNoItemIsRefused(t *testing.T) {
	for _, raw := range []string{`1`, `true`, `[]`, `["urn:x"]`, `{"type":1}`, `{"type":"Note","content":1}`,
		`{"type":"Create","object":[]}`, `{"type":"Note"`, `{"type":"Place","id":1}`, `{"type":"CaseLedgerEntry"}`} {
		var i Item
		err := json.Unmarshal([]byte(raw), &i)
		if err == nil || !i.IsZero() {
			t.Errorf("%s gives %+v, %v", raw, i, err)
		}
		if _, err := UnmarshalObject([]byte(raw)); err == nil || fault.CodeOf(err) != fault.Invalid {
			t.Errorf("%s: code %s", raw, fault.CodeOf(err))
		}
	}
	i := Link("urn:before")
	if err := json.Unmarshal([]byte(`null`), &i); err != nil || !i.IsZero() {
		t.Errorf("null gives %+v, %v", i, err)
	}
}

// A ledger entry inside an activity keeps its snapshot's spelling of numbers, so
// that it verifies where it arrives.
//
// Proves: DL-08-001
func TestALedgerEntryInlineStillVerifies(t *testing.T) {
	e := ledger.Entry{CaseID: "urn:c", Disposition: ledger.Recorded, ObjectID: "urn:o", EventType: "add_note_to_case",
		Payload:  []byte(`{"type":"Add","actor":"https://a.test/actors/x","n":1.50,"context":"urn:c"}`),
		PrevHash: strings.Repeat("0", 64), ReceivedAt: "2026-09-01T00:00:00Z"}
	var err error
	if e.Hash, err = e.ComputeHash(); err != nil {
		t.Fatal(err)
	}
	raw, err := json.Marshal(&Activity{ID: "urn:a", Type: Announce, Object: Inline(&LedgerEntry{Entry: e})})
	if err != nil {
		t.Fatal(err)
	}
	var a Activity
	if err := json.Unmarshal(raw, &a); err != nil {
		t.Fatal(err)
	}
	got, ok := InlineAs[*LedgerEntry](a.Object)
	if !ok || got.ObjectID() != "urn:c/log/0" || got.ObjectType() != TypeLedgerEntry {
		t.Fatalf("got %+v", a.Object)
	}
	if verdict, err := ledger.Verify(got.Entry); verdict != ledger.VerdictExact {
		t.Error(err)
	}
}

func FuzzUnmarshalObject(f *testing.F) {
	for _, s := range []string{`{"type":"Note","id":"urn:n"}`, `{"type":"Create","object":{"type":"Note"}}`, `{"type":"Create","object":"urn:x"}`,
		`{"type":"Place","x":[1,{"y":null}]}`, `null`, `{"type":"Event"}`, `{"type":"VulnerabilityCase","caseParticipants":["urn:x",null]}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		o, err := UnmarshalObject(raw)
		if err != nil {
			return
		}
		once, err := json.Marshal(o)
		if err != nil {
			t.Fatal(err)
		}
		again, err := UnmarshalObject(once)
		if err != nil {
			t.Fatalf("%s: %v", once, err)
		}
		twice, err := json.Marshal(again)
		if err != nil || string(once) != string(twice) {
			t.Fatalf("%s, then %s, %v", once, twice, err)
		}
	})
}
