// Package received holds one tree for each meaning of a received message.
//
// Every tree reads alike: guards that only read; under the manager's gate the
// commit to the ledger, from which the case's state follows, and what is sent;
// and last the latch. On a replica that hears what only a manager acts on, the
// closed gate says "not mine".
package received

import (
	"bateleur/core/semantics"
	"bateleur/core/usecases/leaf"
)

// Trees gives the tree for each meaning that this package handles.
func Trees() map[semantics.Meaning]*leaf.Tree {
	return map[semantics.Meaning]*leaf.Tree{
		semantics.SubmitReport:                      submitReport,
		semantics.CreateCaseProposal:                createCaseProposal,
		semantics.AcceptCaseProposal:                acceptCaseProposal,
		semantics.RejectCaseProposal:                rejectCaseProposal,
		semantics.CreateCase:                        createCase,
		semantics.AnnounceVulnerabilityCase:         announceCase,
		semantics.AnnounceCaseLedgerEntry:           announceEntry,
		semantics.RejectCaseLedgerEntry:             rejectEntry,
		semantics.ValidateReport:                    validateReport,
		semantics.InvalidateReport:                  invalidateReport,
		semantics.CloseReport:                       closeReport,
		semantics.EngageCase:                        engageCase,
		semantics.DeferCase:                         deferCase,
		semantics.CloseCase:                         closeCase,
		semantics.CreateNote:                        createNote,
		semantics.AddNoteToCase:                     addNote,
		semantics.AddParticipantStatusToParticipant: addParticipantStatus,
		semantics.InviteActorToCase:                 inviteActor,
		semantics.AcceptInviteActorToCase:           acceptInvite,
		semantics.RejectInviteActorToCase:           rejectInvite,
	}
}
