// Package scope is what a running tree sees: the executing actor, one open unit
// of work over that actor's store, the message or command, the clock, ids, and
// collaborators bound to the unit.
//
// Leaves get a Scope and nothing else. It writes latches only in a tree's latch
// position, the projection of a case only through a minted or a verified ledger
// entry, and acts for a case only with an authority that an open gate yielded.
package scope

import (
	"time"

	"bateleur/core/authority"
	"bateleur/core/cases"
	"bateleur/core/fault"
	"bateleur/core/ledger"
	"bateleur/core/model"
	"bateleur/core/ports"
	"bateleur/core/work"
)

// Tools are a scope's collaborators, those that hold a store already bound to
// the scope's unit.
type Tools struct {
	Wire    ports.Wire
	IDs     ports.IDs
	Policy  ports.Policy
	Emitter ports.Emitter
	Profile ports.Profile
	// Memo remembers cases that were read; it may be nil.
	Memo *cases.Memo
}

// gates is an alias so that no leaf can put other gates in a scope's place.
type gates = authority.Gates

// Scope is one run's view. Its Authority is what the innermost open role gate
// yields, the zero value outside. Not safe for concurrent use.
type Scope struct {
	unit      *work.Unit
	tools     Tools
	executing model.ActorID
	receiving model.ActorID
	in        Input
	now       time.Time

	gates    // which role gates are open
	caseID   string
	latching bool

	minted    []ledger.Entry // yet to be announced
	audience  []string
	listening bool
	verdict   Verdict
	wake      string
	until     time.Time
}

// Input is what a run is about: a received message, or an owner's command.
type Input struct {
	Message    *model.Activity // nil for a command
	Raw        []byte          // the message as received
	Sender     model.ActorID   // the authenticated sender; for a command, on whose behalf
	Command    Command
	ReceivedAt time.Time
}

// New opens a scope over a unit of the executing actor's store. The bridge is
// its only caller outside of tests.
func New(unit *work.Unit, executing, receiving model.ActorID, in Input, now time.Time, tools Tools) *Scope {
	return &Scope{unit: unit, tools: tools, executing: executing, receiving: receiving, in: in, now: now}
}

// Executing is the actor as whom the tree runs.
func (s *Scope) Executing() model.ActorID { return s.executing }

// Receiving is the actor that received the message or command.
func (s *Scope) Receiving() model.ActorID { return s.receiving }

// Owner is the actor whose store the run writes.
func (s *Scope) Owner() model.ActorID { return s.unit.Actor() }

// Sender is who sent the message, or on whose behalf the command was given.
func (s *Scope) Sender() model.ActorID { return s.in.Sender }

// Message is the received activity; nil in a command's tree.
func (s *Scope) Message() *model.Activity { return s.in.Message }

// Now is the run's one instant, in whole seconds as the protocol writes it.
func (s *Scope) Now() time.Time { return s.now.Truncate(time.Second) }

// Instant is the run's one instant with its fraction.
func (s *Scope) Instant() time.Time { return s.now }

// NewID makes an id.
func (s *Scope) NewID() string { return s.tools.IDs.New() }

// Profile is how the executing actor is set up.
func (s *Scope) Profile() ports.Profile { return s.tools.Profile }

// Policy makes the actor's decisions.
func (s *Scope) Policy() ports.Policy { return s.tools.Policy }

// CaseID is the case that the run is about, "" before SetCase.
func (s *Scope) CaseID() string { return s.caseID }

// SetCase says which case the run is about. It may not change once known.
func (s *Scope) SetCase(id string) error {
	if s.caseID != "" && s.caseID != id {
		return fault.New("scope.set-case", id, fault.Inconsistent, "the run is about "+s.caseID)
	}
	s.caseID = id
	return nil
}

// Case reads the run's case in the unit of work; fault.NotFound when the store
// does not hold it. Callers do not change it.
func (s *Scope) Case() (*cases.Case, error) {
	c, err := s.tools.Memo.Case(s.unit, s.caseID)
	return c.Value, err
}

// HasCase tells whether the store holds a case.
func (s *Scope) HasCase(id string) (bool, error) {
	_, err := s.unit.Get(cases.KindCase, id)
	if fault.CodeOf(err) == fault.NotFound {
		return false, nil
	}
	return err == nil, err
}

// RolesOf are an actor's roles in the run's case.
func (s *Scope) RolesOf(actor model.ActorID) ([]model.Role, error) {
	c, err := s.Case()
	if err != nil {
		return nil, err
	}
	if p := c.Of(actor.URI()); p != nil {
		return p.Roles, nil
	}
	return nil, nil
}

// Raw is the message as received.
func (s *Scope) Raw() []byte { return s.in.Raw }
