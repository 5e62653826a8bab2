package query_test

import (
	"encoding/json"
	"strconv"
	"testing"
	"time"

	"bateleur/adapters/driven/memory"
	"bateleur/core/cases"
	"bateleur/core/ledger"
	"bateleur/core/model"
	"bateleur/core/ports"
)

const (
	manager = "http://127.0.0.1:1/actors/manager"
	owner   = "http://127.0.0.1:1/actors/owner"
	caseID  = "urn:uuid:case"
)

var began = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

// open gives the owner's store, empty.
func open(t *testing.T) ports.DataLayer {
	t.Helper()
	id, err := model.ParseActorID(owner)
	if err != nil {
		t.Fatal(err)
	}
	store, err := memory.New().Create(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	return store
}

func update(t *testing.T, store ports.DataLayer, f func(ports.Tx) error) {
	t.Helper()
	if err := store.Update(t.Context(), f); err != nil {
		t.Fatal(err)
	}
}

func view(t *testing.T, store ports.DataLayer, f func(ports.Reader) error) {
	t.Helper()
	if err := store.View(t.Context(), f); err != nil {
		t.Fatal(err)
	}
}

// seed is a case of two participants under an embargo.
func seed() *model.VulnerabilityCase {
	part := func(segment, actor string, role model.Role) model.Item {
		return model.Inline(&model.CaseParticipant{ID: caseID + "/participants/" + segment, Type: model.TypeParticipant,
			Name: segment, AttributedTo: actor, Context: caseID, CaseRoles: []model.Role{role}, EmbargoConsentState: model.PECSignatory})
	}
	return &model.VulnerabilityCase{ID: caseID, Type: model.TypeCase, Name: "Overflow", AttributedTo: manager, Published: began,
		CaseParticipants: []model.Item{part("manager", manager, model.RoleCaseManager), part("owner", owner, model.RoleCaseOwner)},
		ActiveEmbargo: model.Inline(&model.EmbargoEvent{ID: "urn:uuid:embargo", Type: model.TypeEmbargo, StartTime: began,
			EndTime: began.In(time.FixedZone("", 3600)).Add(24 * time.Hour)})}
}

// replica puts the case and a ledger of so many steps into the owner's store.
func replica(t *testing.T, steps int) ports.DataLayer {
	t.Helper()
	store := open(t)
	update(t, store, func(tx ports.Tx) error {
		c, err := cases.Seed(tx, seed())
		if err != nil {
			return err
		}
		if err := tx.OpenLedger(caseID, ports.Replica, c.Genesis); err != nil {
			return err
		}
		tail := c.Genesis
		for i := range steps {
			e, a := entry(t, int64(i), tail)
			if err := tx.Apply(e); err != nil {
				return err
			}
			if err := cases.Project(tx, nil, e, a); err != nil {
				return err
			}
			tail = e.Hash
		}
		return nil
	})
	return store
}

// entry is a step of the owner's: engaged and deferred by turns, a note between.
func entry(t *testing.T, index int64, tail string) (ledger.Entry, *model.Activity) {
	t.Helper()
	id := strconv.FormatInt(index, 10)
	a := &model.Activity{ID: "urn:uuid:a" + id, Type: model.Join, Actor: owner, Object: model.Link(caseID)}
	event := []string{cases.EventEngageCase, cases.EventAddNote, cases.EventDeferCase}[index%3]
	if event == cases.EventAddNote {
		a.Type = model.Add
		a.Object = model.Inline(&model.Note{ID: "urn:uuid:n" + id, Type: model.TypeNote, Content: "note " + id, AttributedTo: owner})
	}
	payload, err := json.Marshal(a)
	if err != nil {
		t.Fatal(err)
	}
	e := ledger.Entry{CaseID: caseID, Index: index, Disposition: ledger.Recorded, ObjectID: a.ID, EventType: event,
		Payload: payload, PrevHash: tail, ReceivedAt: began.Add(time.Duration(index) * time.Second).Format(time.RFC3339)}
	if e.Hash, err = e.ComputeHash(); err != nil {
		t.Fatal(err)
	}
	return e, a
}

// decode reads a snapshot in the model's own JSON.
func decode(raw []byte) (*model.Activity, error) {
	var a model.Activity
	return &a, json.Unmarshal(raw, &a)
}
