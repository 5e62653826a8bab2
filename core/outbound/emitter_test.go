package outbound_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"bateleur/adapters/wire/as2"
	"bateleur/core/fault"
	"bateleur/core/model"
	"bateleur/core/outbound"
	"bateleur/core/ports"
	"bateleur/core/work"
	"bateleur/test/casework"
)

func note() model.Item {
	return model.Inline(&model.Note{ID: "urn:n", Type: model.TypeNote, Content: "x"})
}

// What a recipient might not know does not leave by its id alone, nor does
// anything without a recipient or as another actor.
//
// Proves: AKM-03-001, AKM-03-002, MV-09-002, OX-08-001, OX-07-001, PCR-08-015, DL-04-004
func TestEmit(t *testing.T) {
	me, to := casework.Owner.URI(), casework.Reporter.URI()
	tests := []struct {
		name string
		a    model.Activity
		o    ports.EmitOptions
		want fault.Code
		got  []string // recipients
	}{
		{"inline", model.Activity{ID: "urn:a", Type: model.Create, Actor: me, Object: note(), To: []string{to}, CC: []string{"urn:c", to}}, ports.EmitOptions{}, "", []string{to, "urn:c"}},
		{"to others than named", model.Activity{ID: "urn:a", Type: model.Create, Actor: me, Object: note(), To: []string{to}}, ports.EmitOptions{Recipients: []string{"urn:r"}}, "", []string{"urn:r"}},
		{"by id", model.Activity{ID: "urn:a", Type: model.Create, Actor: me, Object: model.Link("urn:n"), To: []string{to}}, ports.EmitOptions{}, fault.Invalid, nil},
		{"about nothing", model.Activity{ID: "urn:a", Type: model.Create, Actor: me, To: []string{to}}, ports.EmitOptions{}, fault.Invalid, nil},
		{"question", model.Activity{ID: "urn:a", Type: model.Question, Actor: me, Content: "where?", To: []string{to}}, ports.EmitOptions{}, "", []string{to}},
		{"to nobody", model.Activity{ID: "urn:a", Type: model.Create, Actor: me, Object: note()}, ports.EmitOptions{}, fault.Invalid, nil},
		{"to an empty address", model.Activity{ID: "urn:a", Type: model.Create, Actor: me, Object: note(), To: []string{""}}, ports.EmitOptions{}, fault.Invalid, nil},
		{"without an id", model.Activity{Type: model.Create, Actor: me, Object: note(), To: []string{to}}, ports.EmitOptions{}, fault.Invalid, nil},
		{"of nobody", model.Activity{ID: "urn:a", Type: model.Create, Object: note(), To: []string{to}}, ports.EmitOptions{}, fault.Invalid, nil},
		{"of another", model.Activity{ID: "urn:a", Type: model.Create, Actor: to, Object: note(), To: []string{to}}, ports.EmitOptions{}, fault.OwnerMismatch, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			d := casework.New(t, casework.Owner)
			var err error
			d.Update(func(tx ports.Tx) error {
				unit := work.New(tx, casework.Owner)
				err = outbound.New(as2.Codec{}, d.Clock).ForStore(unit).Emit(&test.a, test.o)
				return unit.Commit()
			})
			casework.Code(t, err, test.want)
			d.View(func(r ports.Reader) error {
				items, err := r.OutboxItems(0, 0)
				var got []string
				for _, item := range items {
					got = append(got, item.Recipients...)
				}
				if diff := cmp.Diff(test.got, got); diff != "" {
					t.Error(diff)
				}
				return err
			})
		})
	}
}

// The row holds the activity itself, for whom it is said and what it is about; an
// activity that each recipient gets as its own names no recipient.
//
// Proves: CM-24-002, DL-04-004
func TestTheRowIsTheActivity(t *testing.T) {
	d := casework.New(t, casework.Owner)
	a := &model.Activity{ID: "urn:a", Type: model.Create, Actor: casework.Owner.URI(), AttributedTo: casework.Reporter.URI(), Object: note(),
		To: []string{"urn:x"}, CC: []string{"urn:y"}}
	d.Update(func(tx ports.Tx) error {
		unit := work.New(tx, casework.Owner)
		if err := outbound.New(as2.Codec{}, d.Clock).ForStore(unit).Emit(a, ports.EmitOptions{PerRecipient: true, About: "urn:about"}); err != nil {
			return err
		}
		return unit.Commit()
	})
	d.View(func(r ports.Reader) error {
		item, err := r.OutboxItem("urn:a")
		if err != nil {
			return err
		}
		sent, err := as2.Codec{}.Decode(item.Body)
		if err != nil || len(sent.Addressees()) > 0 || sent.AttributedTo != a.AttributedTo || !cmp.Equal(item.Recipients, []string{"urn:x", "urn:y"}) ||
			item.AttributedTo != a.AttributedTo || item.About != "urn:about" || !item.PerRecipient || !item.CreatedAt.Equal(casework.Begin) {
			t.Errorf("%+v\n%+v, %v", item, sent, err)
		}
		return nil
	})
	if len(a.To) != 1 {
		t.Error("the caller's activity was changed")
	}
}

// An emitter that is bound to no unit emits nothing, and binding one leaves the
// other as it was.
//
// Proves: DL-07-009
func TestAnEmitterIsBoundToAUnit(t *testing.T) {
	d := casework.New(t, casework.Owner)
	unbound := outbound.New(as2.Codec{}, d.Clock)
	a := &model.Activity{ID: "urn:a", Type: model.Create, Actor: casework.Owner.URI(), Object: note(), To: []string{"urn:x"}}
	d.Update(func(tx ports.Tx) error {
		unbound.ForStore(work.New(tx, casework.Owner))
		casework.Code(t, unbound.Emit(a, ports.EmitOptions{}), fault.Internal)
		return nil
	})
}
