package as2_test

import (
	"reflect"
	"slices"
	"testing"
	"time"
	"unicode"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"bateleur/core/ledger"
	"bateleur/core/model"
)

// An activity reads as it was written, except for what the wire does not carry:
// blind addressees, the content of targets and origins, fractions of a second
// where nothing ends, and names left out.
//
// Proves: OX-07-001, CP-01-004
func TestWhatIsWrittenIsRead(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := draw[*model.Activity](t, 3)
		a.Type, a.Actor = rapid.SampledFrom(activityTypes).Draw(t, "type"), "https://f.test/actors/f"
		raw := encoded(t, a)
		if diff := cmp.Diff(a, decoded(t, string(raw)), exact); diff != "" {
			t.Fatalf("%s\n%s", raw, diff)
		}
	})
}

var activityTypes = []string{model.Offer, model.Accept, model.Invite, model.Create, model.Question, "Like"}

// objectTypes has a type name for each Go type that an object can have.
var objectTypes = []string{model.TypeReport, model.TypeCase, model.TypeParticipant, model.TypeParticipantStatus,
	model.TypeCaseStatus, model.TypeEmbargo, model.TypeEvent, model.TypeProposal, model.TypeParticipantRole,
	model.TypeLedgerEntry, model.TypeNote, "Organization", "CoreActor", "Offer", "Future"}

// draw makes an object with every member of its Go type drawn, so that a member
// added to the model and forgotten on the wire is found.
func draw[O model.Object](t *rapid.T, depth int) O {
	o := reflect.New(reflect.TypeFor[O]().Elem())
	drawMembers(t, o.Elem(), depth)
	return o.Interface().(O)
}

func drawMembers(t *rapid.T, o reflect.Value, depth int) {
	for field, v := range o.Fields() {
		switch field.Name {
		case "Type", "BTo", "BCC":
		case "Target", "Origin":
			v.Set(reflect.ValueOf(model.Link(drawText(t, field.Name))))
		case "Name":
			v.SetString(drawText(t, field.Name) + "!") // an empty one would be generated
		default:
			v.Set(reflect.ValueOf(drawValue(t, field, depth)).Convert(v.Type()))
		}
	}
	if has := o.FieldByName("HasContext"); has.IsValid() && o.FieldByName("Context").String() != "" {
		has.SetBool(true)
	}
}

func drawValue(t *rapid.T, field reflect.StructField, depth int) any {
	name := field.Name
	switch reflect.Zero(field.Type).Interface().(type) {
	case bool:
		return rapid.Bool().Draw(t, name)
	case time.Time:
		return drawTime(t, name)
	case model.Item:
		return drawItem(t, name, depth)
	case []model.Item:
		return drawList(t, name, func() model.Item { return drawItem(t, name, depth) }, model.Item.IsZero)
	case model.Role:
		return rapid.SampledFrom([]model.Role{"", model.RoleVendor, "auditor"}).Draw(t, name)
	case []model.Role:
		return rapid.SampledFrom([][]model.Role{nil, {model.RoleVendor, model.RoleCaseOwner}, {"auditor"}}).Draw(t, name)
	case map[string]string:
		return rapid.SampledFrom([]map[string]string{nil, {"https://f.test/f": "urn:1", "<&>": "urn:2"}}).Draw(t, name)
	case []string:
		if name == "CVDRole" {
			return rapid.SampledFrom([][]string{nil, {"VENDOR", "CASE_OWNER"}}).Draw(t, name)
		}
		return drawList(t, name, func() string { return drawText(t, name) }, func(s string) bool { return s == "" })
	}
	return drawText(t, name)
}

func drawList[E any](t *rapid.T, name string, draw func() E, isZero func(E) bool) (out []E) {
	for range rapid.IntRange(0, 2).Draw(t, name) {
		if e := draw(); !isZero(e) {
			out = append(out, e)
		}
	}
	return out
}

// drawText draws text of any kind, and ids without control characters.
func drawText(t *rapid.T, name string) string {
	if slices.Contains([]string{"Name", "Content", "Summary"}, name) {
		return rapid.StringN(0, 12, -1).Draw(t, name)
	}
	in := rapid.Rune().Filter(func(c rune) bool { return !unicode.IsControl(c) })
	return rapid.StringOfN(in, 0, 12, -1).Draw(t, name)
}

func drawTime(t *rapid.T, name string) time.Time {
	seconds := rapid.Int64Range(-1, 1<<32).Draw(t, name)
	if seconds < 0 {
		return time.Time{}
	}
	at := time.Unix(seconds, 0).UTC()
	if name == "StartTime" || name == "EndTime" {
		at = at.Add(time.Duration(rapid.IntRange(0, 999_999).Draw(t, name)) * time.Microsecond)
	}
	return at
}

func drawItem(t *rapid.T, name string, depth int) model.Item {
	if depth == 0 || rapid.Bool().Draw(t, name) {
		return model.Link(drawText(t, name))
	}
	typ := rapid.SampledFrom(objectTypes).Draw(t, name)
	switch o := model.NewObject(typ).(type) {
	case *model.LedgerEntry:
		o.Entry = ledger.Entry{CaseID: "urn:c:1", Disposition: ledger.Rejected, ObjectID: "urn:x", EventType: "close_case",
			Payload: []byte(`{"b":1, "a":"<\u00e4>"}`), ReceivedAt: "2026-09-01T00:00:00Z"}
		return model.Inline(o)
	case *model.Generic:
		o.ID, o.Type, o.Raw = "urn:x", typ, []byte(`{"type":"Future", "id":"urn:x","bto":["urn:y"]}`)
		return model.Inline(o)
	default:
		v := reflect.ValueOf(o).Elem()
		drawMembers(t, v, depth-1)
		v.FieldByName("Type").SetString(typ)
		return model.Inline(o)
	}
}
