// Package trigger holds one tree for each command that an actor's owner gives.
//
// A command changes nothing of a case directly: it asserts something to the
// case's manager and remembers, apart from the case, what it asserted. The case
// moves when the manager's entry comes back (PCR-03-006).
package trigger

import (
	"bateleur/core/usecases/leaf"
)

// Trigger is a command: its parameters' check and its tree.
type Trigger struct {
	Name string
	// Tree runs as the actor whose owner gave the command, or as the case's
	// manager when Delegated.
	Tree *leaf.Tree
	// Delegated commands are carried out by the case's manager in its own store,
	// on behalf of the actor (CM-24-001).
	Delegated bool
	// Check refuses parameters that cannot be right before the command is queued.
	Check func(params []byte) error
	// CaseID reads which case a Delegated command is about.
	CaseID func(params []byte) string
}

// All lists every trigger by its name.
func All() map[string]Trigger {
	out := map[string]Trigger{}
	for _, t := range []Trigger{
		submitReport, validateReport, invalidateReport, rejectReport,
		engageCase, deferCase, closeCase, addNote,
		notifyFixReady, notifyFixDeployed, notifyPublished,
		inviteActor, acceptInvite, rejectInvite,
		registerPeer,
	} {
		out[t.Name] = t
	}
	return out
}
