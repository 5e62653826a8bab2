// Package authority makes "may act for the case" a value. An open role gate
// yields a Case for one actor and one case; nothing else can make one, and it
// is worthless as soon as its gate has closed. Minting ledger entries, emitting
// as the case manager and writing an embargo take it as an argument, so a leaf
// outside a gate has nothing to do them with.
//
// Authority is a role held in the case, whoever holds it: no id is compared
// with a computed one, and any type of actor may hold the role.
package authority

import (
	"bateleur/core/fault"
	"bateleur/core/model"
)

// Case is the authority of one actor over one case while a gate is open. The
// zero Case is no authority.
type Case struct{ seal *seal }

// seal is shared by every copy of a Case, so that closing the gate ends all of
// them, those that a leaf kept included.
type seal struct {
	actor  model.ActorID
	caseID string
	role   model.Role
	open   bool
	outer  *seal
}

// Check refuses with fault.Forbidden unless c was yielded by a gate that is
// still open, for just this actor and this case, and that asked for the one role
// that acts for a case: CASE_MANAGER.
func (c Case) Check(actor model.ActorID, caseID string) error {
	var why string
	switch {
	case c.seal == nil:
		why = "no authority: not inside an open role gate"
	case !c.seal.open:
		why = "the gate that gave this authority has closed"
	case c.seal.role != model.RoleCaseManager:
		why = "the role " + string(c.seal.role) + " does not act for the case"
	case c.seal.actor != actor:
		why = "authority of " + c.seal.actor.URI() + " used by " + actor.URI()
	case c.seal.caseID != caseID:
		why = "authority over " + c.seal.caseID
	default:
		return nil
	}
	return fault.New("authority.check", caseID, fault.Forbidden, why)
}
