// Package outbound is how an actor's activities get into its outbox: encoded,
// checked against what a recipient may be assumed to know, and appended to the
// open unit of work.
package outbound

import (
	"fmt"
	"slices"

	"bateleur/core/fault"
	"bateleur/core/model"
	"bateleur/core/ports"
)

// MaxBody bounds a message, in bytes: inboxes take no more (IE-04-001), so one
// that is larger could only end as a dead letter.
const MaxBody = 1 << 20

// Emitter implements ports.Emitter. It holds a store, the unit it is bound to,
// and so must be rebound for every run (DL-07-009).
type Emitter struct {
	wire  ports.Wire
	clock ports.Clock
	unit  ports.Unit
}

// New gives an emitter that is bound to nothing yet.
func New(wire ports.Wire, clock ports.Clock) *Emitter { return &Emitter{wire: wire, clock: clock} }

// ForStore gives the emitter bound to the unit.
func (e *Emitter) ForStore(u ports.Unit) ports.Emitter {
	return &Emitter{wire: e.wire, clock: e.clock, unit: u}
}

// Emit implements ports.Emitter.
func (e *Emitter) Emit(a *model.Activity, o ports.EmitOptions) error {
	const op = "outbox.emit"
	if e.unit == nil {
		return fault.New(op, a.ID, fault.Internal, "the emitter is bound to no unit of work")
	}
	if !slices.Contains(withoutObject, a.Type) && a.Object.Object() == nil {
		return fault.Field(op, a.ID, "object", "must be inline: the recipient may not know it")
	}
	actor, err := model.ParseActorID(a.Actor)
	if err != nil {
		return fault.Wrap(op, a.ID, fault.Invalid, err)
	}
	recipients := o.Recipients
	if len(recipients) == 0 {
		recipients = a.Addressees()
	}
	body, err := e.wire.Encode(e.addressed(a, o))
	if err != nil {
		return fault.Wrap(op, a.ID, fault.CodeOf(err), err)
	}
	if len(body) > MaxBody {
		return fault.New(op, a.ID, fault.TooLarge, fmt.Sprintf("%d bytes, inboxes take %d", len(body), MaxBody))
	}
	return e.unit.OutboxAppend(ports.OutboxItem{
		ActivityID: a.ID, Actor: actor, AttributedTo: a.AttributedTo, Body: body,
		Recipients: recipients, PerRecipient: o.PerRecipient, About: o.About, CreatedAt: e.clock.Now(),
	})
}

// withoutObject are the activities that carry no object (CBT-03-004).
var withoutObject = []string{model.Question}

// addressed drops the addressees of an activity that each recipient gets as its
// own: who else is told is nobody's business.
func (e *Emitter) addressed(a *model.Activity, o ports.EmitOptions) *model.Activity {
	if !o.PerRecipient {
		return a
	}
	alone := *a
	alone.To, alone.CC = nil, nil
	return &alone
}
