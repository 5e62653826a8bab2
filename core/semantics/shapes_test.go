package semantics_test

import (
	"strings"
	"testing"

	"bateleur/core/model"
	"bateleur/core/semantics"
)

// Objects in the sketches of messages: $R is replaced by a report and so on.
var sketches = strings.NewReplacer(
	"$REPORT", `{"id":"urn:r","type":"VulnerabilityReport","name":"n","attributedTo":"https://f.test/f"}`,
	"$PROPOSAL", `{"id":"urn:p","type":"CaseProposal","attributedTo":"https://v.test/v","target":"https://c.test/c",
		"object":{"id":"urn:r","type":"VulnerabilityReport"}}`,
	"$CASE", `{"id":"urn:case:1","type":"VulnerabilityCase"}`,
	"$ORG", `{"id":"https://n.test/n","type":"Organization","name":"N"}`,
	"$PARTICIPANT", `{"id":"https://n.test/n#participant","type":"CaseParticipant","context":"urn:case:1"}`,
	"$ROLE", `{"id":"urn:role","type":"CaseParticipantRole","role":"vendor"}`,
	"$EMBARGO", `{"id":"urn:e","type":"EmbargoEvent","context":"urn:case:1","endTime":"2027-01-01T00:00:00Z"}`,
	"$NOTE", `{"id":"urn:n","type":"Note","content":"c","context":"urn:case:1"}`,
	"$PSTATUS", `{"id":"urn:ps","type":"ParticipantStatus","context":"urn:case:1","rmState":"VALID","vfdState":"vfd"}`,
	"$CSTATUS", `{"id":"urn:cs","type":"CaseStatus","context":"urn:case:1","emState":"NONE","pxaState":"pxa"}`,
	"$ENTRY", `{"id":"urn:case:1/log/0","type":"CaseLedgerEntry","caseId":"urn:case:1","logIndex":0,
		"disposition":"rejected","logObjectId":"urn:x","eventType":"add_note_to_case",
		"payloadSnapshot":{"type":"Add"},"receivedAt":"2026-09-01T00:00:00Z"}`,
)

// offer and the like are activities that others answer.
const (
	offerReport      = `{"id":"urn:o","type":"Offer","actor":"https://f.test/f","object":$REPORT,"target":"https://v.test/v"}`
	offerParticipant = `{"id":"urn:o","type":"Offer","object":$PARTICIPANT,"target":"urn:case:1"}`
	offerRole        = `{"id":"urn:o","type":"Offer","object":$ROLE,"target":"https://n.test/n","context":"urn:case:1"}`
	offerCase        = `{"id":"urn:o","type":"Offer","object":$CASE,"target":"https://n.test/n"}`
	inviteActor      = `{"id":"urn:i","type":"Invite","object":$ORG,"target":"urn:case:1"}`
	inviteEmbargo    = `{"id":"urn:i","type":"Invite","object":$EMBARGO,"context":"urn:case:1"}`
)

// activity reads a sketch in the model's own form.
func activity(t testing.TB, sketch string) *model.Activity {
	t.Helper()
	object, err := model.UnmarshalObject([]byte(sketches.Replace(sketch)))
	if err != nil {
		t.Fatalf("sketch %s: %v", sketch, err)
	}
	a, ok := object.(*model.Activity)
	if !ok {
		t.Fatalf("sketch %s is a %T", sketch, object)
	}
	return a
}

func answer(typ, inner string) string { return `{"type":"` + typ + `","object":` + inner + `}` }

// A message is a shape with what is to be found in it.
type message struct {
	name    string
	sketch  string
	meaning semantics.Meaning
	caseID  string
}

const theCase = "urn:case:1"

// understood has every meaning of the registry at least once.
var understood = []message{
	{"report created", answer("Create", "$REPORT"), semantics.CreateReport, ""},
	{"report offered", offerReport, semantics.SubmitReport, ""},
	{"report acknowledged", answer("Read", offerReport), semantics.AckReport, ""},
	{"report valid", answer("Accept", offerReport), semantics.ValidateReport, ""},
	{"report invalid", answer("TentativeReject", offerReport), semantics.InvalidateReport, ""},
	{"report closed", answer("Reject", offerReport), semantics.CloseReport, ""},
	{"case proposed", answer("Create", "$PROPOSAL"), semantics.CreateCaseProposal, ""},
	{"proposal accepted", answer("Accept", "$PROPOSAL"), semantics.AcceptCaseProposal, ""},
	{"proposal rejected", answer("Reject", "$PROPOSAL"), semantics.RejectCaseProposal, ""},
	{"case created", answer("Create", "$CASE"), semantics.CreateCase, theCase},
	{"case updated", answer("Update", "$CASE"), semantics.UpdateCase, theCase},
	{"case engaged", answer("Join", "$CASE"), semantics.EngageCase, theCase},
	{"case deferred", answer("Ignore", "$CASE"), semantics.DeferCase, theCase},
	{"report added", `{"type":"Add","object":$REPORT,"target":"urn:case:1"}`, semantics.AddReportToCase, theCase},
	{"actor suggested", `{"type":"Offer","object":$ORG,"target":"urn:case:1"}`, semantics.OfferActorToCase, theCase},
	{"participant suggested", offerParticipant, semantics.OfferCaseParticipant, theCase},
	{"suggestion approved", answer("Accept", offerParticipant), semantics.AcceptOfferCaseParticipant, theCase},
	{"suggestion refused", answer("Reject", offerParticipant), semantics.RejectOfferCaseParticipant, theCase},
	{"role offered", offerRole, semantics.OfferCaseParticipantRole, theCase},
	{"role accepted", answer("Accept", offerRole), semantics.AcceptCaseParticipantRole, theCase},
	{"role refused", answer("Reject", offerRole), semantics.RejectCaseParticipantRole, theCase},
	{"ownership offered", offerCase, semantics.OfferCaseOwnershipTransfer, theCase},
	{"ownership accepted", answer("Accept", offerCase), semantics.AcceptCaseOwnershipTransfer, theCase},
	{"ownership refused", answer("Reject", offerCase), semantics.RejectCaseOwnershipTransfer, theCase},
	{"actor invited", inviteActor, semantics.InviteActorToCase, theCase},
	{"actor invited by id", `{"type":"Invite","object":"https://n.test/n","target":"urn:case:1"}`,
		semantics.InviteActorToCase, theCase},
	{"actor invited to a stub", `{"type":"Invite","object":$ORG,"target":$CASE}`, semantics.InviteActorToCase, theCase},
	{"invitation accepted", answer("Accept", inviteActor), semantics.AcceptInviteActorToCase, theCase},
	{"invitation refused", answer("Reject", inviteActor), semantics.RejectInviteActorToCase, theCase},
	{"case announced", answer("Announce", "$CASE"), semantics.AnnounceVulnerabilityCase, theCase},
	{"embargo created", `{"type":"Create","object":$EMBARGO,"context":"urn:case:1"}`, semantics.CreateEmbargoEvent, theCase},
	{"embargo added", `{"type":"Add","object":$EMBARGO,"target":"urn:case:1"}`, semantics.AddEmbargoEventToCase, theCase},
	{"embargo removed", `{"type":"Remove","object":$EMBARGO,"origin":"urn:case:1"}`,
		semantics.RemoveEmbargoEventFromCase, theCase},
	{"embargo announced", `{"type":"Announce","object":$EMBARGO,"context":"urn:case:1"}`,
		semantics.AnnounceEmbargoEventToCase, theCase},
	{"embargo proposed", inviteEmbargo, semantics.InviteToEmbargoOnCase, theCase},
	{"embargo proposed as a plain event", `{"type":"Invite","object":{"id":"urn:e","type":"Event"},"context":"urn:case:1"}`,
		semantics.InviteToEmbargoOnCase, theCase},
	{"embargo accepted", answer("Accept", inviteEmbargo), semantics.AcceptInviteToEmbargoOnCase, theCase},
	{"embargo refused", answer("Reject", inviteEmbargo), semantics.RejectInviteToEmbargoOnCase, theCase},
	{"case left", answer("Leave", "$CASE"), semantics.CloseCase, theCase},
	{"entry announced", answer("Announce", "$ENTRY"), semantics.AnnounceCaseLedgerEntry, theCase},
	{"entry refused", `{"type":"Reject","object":$ENTRY,"context":"deadbeef:"}`, semantics.RejectCaseLedgerEntry, theCase},
	{"participant created", `{"type":"Create","object":$PARTICIPANT,"context":"urn:case:1"}`,
		semantics.CreateCaseParticipant, theCase},
	{"participant added", `{"type":"Add","object":$PARTICIPANT,"target":"urn:case:1"}`,
		semantics.AddCaseParticipantToCase, theCase},
	{"participant removed", `{"type":"Remove","object":$PARTICIPANT,"target":"urn:case:1","origin":"urn:case:1"}`,
		semantics.RemoveCaseParticipantFromCase, theCase},
	{"note created", answer("Create", "$NOTE"), semantics.CreateNote, theCase},
	{"note added", `{"type":"Add","object":$NOTE,"target":"urn:case:1"}`, semantics.AddNoteToCase, theCase},
	{"note removed", `{"type":"Remove","object":$NOTE,"target":"urn:case:1"}`, semantics.RemoveNoteFromCase, theCase},
	{"case status created", `{"type":"Create","object":$CSTATUS,"context":"urn:case:1"}`, semantics.CreateCaseStatus, theCase},
	{"case status added", `{"type":"Add","object":$CSTATUS,"target":"urn:case:1"}`, semantics.AddCaseStatusToCase, theCase},
	{"participant status created", answer("Create", "$PSTATUS"), semantics.CreateParticipantStatus, theCase},
	{"participant status added", `{"type":"Add","object":$PSTATUS,"target":"urn:participant"}`,
		semantics.AddParticipantStatusToParticipant, theCase},
}
