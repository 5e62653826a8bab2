package as2

import (
	"maps"
	"strings"
	"unicode"
)

// A key is a member that means something here, however a peer spells its name.
type key uint8

const (
	keyNone key = iota

	keyContextDoc // "@context"
	keyID
	keyType
	keyName
	keyNameMap
	keySummary
	keySummaryMap
	keyContent
	keyContentMap
	keyActor
	keyAttributedTo
	keyObject
	keyTarget
	keyOrigin
	keyContext
	keyInReplyTo
	keyTo
	keyCC
	keyBTo
	keyBCC
	keyRoles
	keySuggestedRoles
	keyOfferID
	keyOfferActorID
	keyStartTime
	keyEndTime
	keyPublished
	keyUpdated

	keyCaseParticipants
	keyActorParticipantIndex
	keyVulnerabilityReports
	keyCaseStatuses
	keyNotes
	keyGenesisHash
	keyActiveEmbargo
	keyProposedEmbargoes

	keyCaseRoles
	keyParticipantStatuses
	keyAcceptedEmbargoIDs
	keyEmbargoConsentState

	keyRMState
	keyVFDState
	keyEMConsentState
	keyEMState
	keyPXAState
	keyEmbargoAdherence
	keyCaseEngagement
	keyCVDRole
	keyTrackingID
	keyCaseStatus

	keyRole
	keyPreferredUsername
	keyInbox
	keyOutbox

	keyCount
)

// names are the spellings on the wire, as this package writes them.
var names = [keyCount]string{
	keyContextDoc: "@context", keyID: "id", keyType: "type",
	keyName: "name", keyNameMap: "nameMap", keySummary: "summary", keySummaryMap: "summaryMap",
	keyContent: "content", keyContentMap: "contentMap",
	keyActor: "actor", keyAttributedTo: "attributedTo", keyObject: "object", keyTarget: "target", keyOrigin: "origin",
	keyContext: "context", keyInReplyTo: "inReplyTo", keyTo: "to", keyCC: "cc", keyBTo: "bto", keyBCC: "bcc",
	keyRoles: "roles", keySuggestedRoles: "suggestedRoles", keyOfferID: "offerId", keyOfferActorID: "offerActorId",
	keyStartTime: "startTime", keyEndTime: "endTime", keyPublished: "published", keyUpdated: "updated",
	keyCaseParticipants: "caseParticipants", keyActorParticipantIndex: "actorParticipantIndex",
	keyVulnerabilityReports: "vulnerabilityReports", keyCaseStatuses: "caseStatuses", keyNotes: "notes",
	keyGenesisHash: "genesisHash", keyActiveEmbargo: "activeEmbargo", keyProposedEmbargoes: "proposedEmbargoes",
	keyCaseRoles: "caseRoles", keyParticipantStatuses: "participantStatuses",
	keyAcceptedEmbargoIDs: "acceptedEmbargoIds", keyEmbargoConsentState: "embargoConsentState",
	keyRMState: "rmState", keyVFDState: "vfdState", keyEMConsentState: "emConsentState",
	keyEMState: "emState", keyPXAState: "pxaState",
	keyEmbargoAdherence: "embargoAdherence", keyCaseEngagement: "caseEngagement", keyCVDRole: "cvdRole",
	keyTrackingID: "trackingId", keyCaseStatus: "caseStatus",
	keyRole: "role", keyPreferredUsername: "preferredUsername", keyInbox: "inbox", keyOutbox: "outbox",
}

// otherNames are spellings that no rule gives: the nested form of a status's
// dimensions, and what the reference implementation's documentation writes.
var otherNames = map[string]key{
	"rm": keyRMState, "vfd": keyVFDState, "consent": keyEMConsentState, "em": keyEMState, "pxa": keyPXAState,
	"asType": keyType, "as_type": keyType,
	"participantStatus": keyParticipantStatuses, "participant_status": keyParticipantStatuses,
}

// keys finds a key by any of its spellings: camelCase, snake_case, and both
// with the underscore that Python appends to its own words.
var keys = func() map[string]key {
	out := make(map[string]key)
	for k := keyNone + 1; k < keyCount; k++ {
		for _, spelling := range []string{names[k], snakeCase(names[k])} {
			out[spelling], out[spelling+"_"] = k, k
		}
	}
	maps.Copy(out, otherNames)
	return out
}()

func snakeCase(camel string) string {
	var b strings.Builder
	for _, r := range camel {
		if unicode.IsUpper(r) {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}
