package outbound_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"bateleur/core/fault"
	"bateleur/core/model"
	"bateleur/core/outbound"
	"bateleur/core/ports"
)

const (
	actor = "https://v.test/actors/vendor"
	other = "https://f.test/actors/finder"
)

var noon = time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)

type (
	clock  struct{ ports.Clock }
	wire   struct{ ports.Wire }
	outbox struct {
		ports.Unit
		items []ports.OutboxItem
	}
)

func (clock) Now() time.Time { return noon }

func (wire) Encode(a *model.Activity) ([]byte, error) {
	note, _ := model.InlineAs[*model.Note](a.Object)
	return json.Marshal(map[string]any{"to": a.To, "cc": a.CC, "content": note.Content})
}

func (o *outbox) OutboxAppend(i ports.OutboxItem) error {
	o.items = append(o.items, i)
	return nil
}

func noteOf(content string) *model.Activity {
	return &model.Activity{ID: "urn:a", Type: model.Create, Actor: actor, To: []string{other},
		Object: model.Inline(&model.Note{ID: "urn:n", Content: content})}
}

// Proves: OX-07-001, OX-07-002
func TestEmit(t *testing.T) {
	whole := outbound.MaxBody - len(`{"cc":null,"content":"","to":["`+other+`"]}`)
	for _, tc := range []struct {
		name    string
		change  func(*model.Activity)
		options ports.EmitOptions
		content string
		want    fault.Code
		body    string
		to      []string
	}{
		{name: "to its addressees", content: "x", body: `{"cc":null,"content":"x","to":["` + other + `"]}`, to: []string{other}},
		{name: "to each alone", content: "x", options: ports.EmitOptions{PerRecipient: true},
			body: `{"cc":null,"content":"x","to":null}`, to: []string{other}},
		{name: "to recipients named", content: "x", options: ports.EmitOptions{Recipients: []string{actor}},
			body: `{"cc":null,"content":"x","to":["` + other + `"]}`, to: []string{actor}},
		{name: "as large as inboxes take", content: strings.Repeat("x", whole), to: []string{other}},
		{name: "larger", content: strings.Repeat("x", whole+1), want: fault.TooLarge},
		{name: "an object by its id", change: func(a *model.Activity) { a.Object = model.Link("urn:n") }, want: fault.Invalid},
		{name: "an actor that is none", change: func(a *model.Activity) { a.Actor = "urn:x" }, want: fault.Invalid},
	} {
		t.Run(tc.name, func(t *testing.T) {
			box, a := &outbox{}, noteOf(tc.content)
			if tc.change != nil {
				tc.change(a)
			}
			err := outbound.New(wire{}, clock{}).ForStore(box).Emit(a, tc.options)
			if tc.want != "" {
				if fault.CodeOf(err) != tc.want || len(box.items) != 0 {
					t.Fatalf("%v, and %d items queued; want %s", err, len(box.items), tc.want)
				}
				return
			}
			if err != nil || len(box.items) != 1 {
				t.Fatalf("%v, %d items", err, len(box.items))
			}
			item := box.items[0]
			if diff := cmp.Diff(tc.to, item.Recipients); diff != "" {
				t.Errorf("recipients (-want +got):\n%s", diff)
			}
			if tc.body != "" && string(item.Body) != tc.body {
				t.Errorf("body %s, want %s", item.Body, tc.body)
			}
			if item.ActivityID != a.ID || item.Actor.URI() != actor || !item.CreatedAt.Equal(noon) {
				t.Errorf("item %+v", item)
			}
		})
	}
}

// Proves: DL-07-009
func TestAnEmitterThatIsBoundToNothing(t *testing.T) {
	if err := outbound.New(wire{}, clock{}).Emit(noteOf("x"), ports.EmitOptions{}); fault.CodeOf(err) != fault.Internal {
		t.Error(err)
	}
}
