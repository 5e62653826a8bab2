package as2_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"bateleur/adapters/wire/as2"
	"bateleur/core/model"
)

// A message about one thing in many spellings.
func decoded(t failer, raw string) *model.Activity {
	t.Helper()
	a, err := as2.Codec{}.Decode([]byte(raw))
	if err != nil {
		t.Fatalf("%v\n%s", err, raw)
	}
	return a
}

// around puts members beside the least that a message needs.
func around(members string) string {
	return `{"type":"Offer","actor":"https://f.test/f",` + members + `}`
}

// Whatever the spelling, the activity is the same.
func TestDecodeReadsEverySpelling(t *testing.T) {
	const f, v, w = "https://f.test/f", "https://v.test/v", "https://w.test/w"
	cases := []struct {
		name string
		raw  string
		want model.Activity
	}{
		{"type with namespace prefix", `{"type":"as:Offer","actor":"` + f + `"}`, model.Activity{}},
		{"type as IRI", `{"type":"https://www.w3.org/ns/activitystreams#Offer","actor":"` + f + `"}`, model.Activity{}},
		{"type as IRI of the old scheme", `{"type":"http://www.w3.org/ns/activitystreams#Offer","actor":"` + f + `"}`, model.Activity{}},
		{"type among others", `{"type":["vultron:RmSubmit","Offer"],"actor":"` + f + `"}`, model.Activity{}},
		{"type twice the same", `{"type":["Offer","as:Offer"],"actor":"` + f + `"}`, model.Activity{}},
		{"asType", `{"asType":"Offer","actor":"` + f + `"}`, model.Activity{}},
		{"Python's underscores", `{"type_":"Offer","actor":"` + f + `","id_":"urn:a","object_":"urn:o"}`,
			model.Activity{ID: "urn:a", Object: model.Link("urn:o")}},
		{"escaped names and values", `{"t\u0079pe":"Off\u0065r","\u0061ctor":"https:\/\/f.test\/f"}`, model.Activity{}},
		{"actor inline", `{"type":"Offer","actor":{"type":"Person","id":"` + f + `","name":"F"}}`, model.Activity{}},
		{"actor in a list", `{"type":"Offer","actor":[{"id":"` + f + `"}]}`, model.Activity{}},
		{"actor's host in capitals and the default port", `{"type":"Offer","actor":"HTTPS://F.Test:443/f"}`, model.Activity{}},
		{"null is absent", around(`"id":null,"object":null,"to":null,"context":null,"name":null,"endTime":null,"roles":null`),
			model.Activity{}},
		{"empty is absent", around(`"id":"","object":"","to":[],"cc":"","name":"","endTime":"","roles":[]`), model.Activity{}},
		{"members that are not known", around(`"instrument":{"x":[1,2,{}]},"xyz":7`), model.Activity{}},
		{"snake_case", around(`"attributed_to":"` + v + `","in_reply_to":"urn:q","suggested_roles":["VENDOR"],"end_time":"2027-01-01T00:00:00Z"`),
			model.Activity{AttributedTo: v, InReplyTo: "urn:q", SuggestedRoles: []model.Role{model.RoleVendor},
				EndTime: time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)}},
		{"both spellings that agree", around(`"attributed_to":"` + v + `","attributedTo":"` + v + `"`), model.Activity{AttributedTo: v}},
		{"both spellings, one null", around(`"attributed_to":null,"attributedTo":"` + v + `"`), model.Activity{AttributedTo: v}},
		{"addressees as string", around(`"to":"` + v + `","cc":"` + w + `"`), model.Activity{To: []string{v}, CC: []string{w}}},
		{"addressees mixed, empty ones dropped, in order",
			around(`"to":["` + w + `","",null,{"type":"Person","id":"` + v + `"},{"name":"nobody"}],"bto":["` + f + `"],"bcc":"` + v + `"`),
			model.Activity{To: []string{w, v}, BTo: []string{f}, BCC: []string{v}}},
		{"attributedTo a list", around(`"attributedTo":[{"id":"` + v + `"},"` + w + `"]`), model.Activity{AttributedTo: v}},
		{"object in a list of one", around(`"object":["urn:o"]`), model.Activity{Object: model.Link("urn:o")}},
		{"object that is only an id", around(`"object":{"id":"urn:o"}`), model.Activity{Object: model.Link("urn:o")}},
		{"context as object", around(`"context":{"type":"VulnerabilityCase","id":"urn:c:1"}`),
			model.Activity{Context: "urn:c:1", HasContext: true}},
		{"context empty", around(`"context":""`), model.Activity{HasContext: true}},
		{"name by language", around(`"nameMap":{"de":"Angebot","en":"offer"},"contentMap":{"fr":"b","de":"a"},"summaryMap":{}`),
			model.Activity{Name: "offer", Content: "a"}},
		{"name plain and by language", around(`"nameMap":{"en":"map"},"name":"plain"`), model.Activity{Name: "plain"}},
		{"role alone, in capitals", around(`"roles":"COORDINATOR"`), model.Activity{Roles: []model.Role{model.RoleCoordinator}}},
		{"a role of the future", around(`"roles":["Auditor"]`), model.Activity{Roles: []model.Role{"auditor"}}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			c.want.Type, c.want.Actor = model.Offer, f
			if diff := cmp.Diff(&c.want, decoded(t, c.raw), exact); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// An activity of an unknown type is read as far as it goes, so that it can be
// recorded as not understood.
func TestDecodeReadsActivitiesOfUnknownType(t *testing.T) {
	cases := []struct{ name, typ, want string }{
		{"plain", `"Flog"`, "Flog"},
		{"with a prefix", `"vultron:Future"`, "vultron:Future"},
		{"a list", `["x:One","x:Two"]`, "x:One"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			a := decoded(t, `{"id":"urn:a","type":`+c.typ+`,"actor":"https://f.test/f","object":{"id":"urn:x","type":"Future","n":1e400}}`)
			object, ok := model.InlineAs[*model.Generic](a.Object)
			if a.ID != "urn:a" || a.Type != c.want || !ok || object.Type != "Future" {
				t.Errorf("read as %+v", a)
			}
			if string(object.Raw) != `{"id":"urn:x","type":"Future","n":1e400}` {
				t.Errorf("kept %s", object.Raw)
			}
		})
	}
}

func TestDecodeReadsStatusesFlatAndNested(t *testing.T) {
	want := &model.ParticipantStatus{ID: "urn:s", Type: model.TypeParticipantStatus, Context: "urn:c:1",
		RMState: model.RMValid, VFDState: model.VFDAware, EMConsentState: model.PECSignatory,
		EmbargoAdherence: true, CaseEngagement: true, CVDRole: []string{"VENDOR"},
		CaseStatus: model.Inline(&model.CaseStatus{ID: "urn:w", Type: model.TypeCaseStatus,
			EMState: model.EMActive, PXAState: "Pxa"})}
	head := `{"id":"urn:s","type":"ParticipantStatus","context":"urn:c:1",`
	cases := []struct{ name, raw string }{
		{"flat", head + `"rmState":"VALID","vfdState":"Vfd","emConsentState":"SIGNATORY","cvdRole":["VENDOR"],
			"caseStatus":{"id":"urn:w","type":"CaseStatus","emState":"ACTIVE","pxaState":"Pxa"}}`},
		{"nested", head + `"rm":{"state":"VALID"},"vfd":{"state":"Vfd"},"consent":{"state":"SIGNATORY"},"cvd_role":["vendor"],
			"case_status":{"id":"urn:w","type":"CaseStatus","em":{"state":"ACTIVE"},"pxa":{"state":"Pxa"}}}`},
		{"mixed", head + `"rm_state":"VALID","vfd":{"state":"Vfd"},"emConsentState":"SIGNATORY","cvdRole":"Vendor",
			"caseStatus":{"id":"urn:w","type":"CaseStatus","emState":"ACTIVE","pxa":{"state":"Pxa"}}}`},
		{"both, in agreement", head + `"rmState":"VALID","rm":{"state":"VALID"},"vfdState":"Vfd","consent":{"state":"SIGNATORY"},
			"emConsentState":null,"cvdRole":["VENDOR"],"caseEngagement":true,
			"caseStatus":{"id":"urn:w","type":"CaseStatus","emState":"ACTIVE","pxaState":"Pxa","em":{"state":null}}}`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got, err := as2.DecodeObject([]byte(c.raw))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(model.Object(want), got, exact); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestDecodeReadsTimes(t *testing.T) {
	noon := time.Date(2027, 3, 28, 12, 0, 0, 0, time.UTC)
	cases := []struct {
		name, text string
		want       time.Time
	}{
		{"Z", "2027-03-28T12:00:00Z", noon},
		{"offset zero", "2027-03-28T12:00:00+00:00", noon},
		{"another offset", "2027-03-28T08:00:00-04:00", noon},
		{"one digit of a second", "2027-03-28T12:00:00.5Z", noon.Add(500 * time.Millisecond)},
		{"nine digits", "2027-03-28T12:00:00.000000001Z", noon.Add(1)},
		{"at the turn of an offset's day", "2027-03-28T00:00:00+12:00", noon.AddDate(0, 0, -1)},
		{"without seconds", "2027-03-28T12:00Z", noon},
		{"no zone", "2027-03-28T12:00:00", noon},
		{"no zone, a fraction", "2027-03-28T12:00:00.25", noon.Add(250 * time.Millisecond)},
		{"the zero time is none", "0001-01-01T00:00:00Z", time.Time{}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got := decoded(t, around(`"published":"`+c.text+`"`)).Published
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// Actors come with collections of what they have seen; none of it is kept.
func TestDecodeReadsActors(t *testing.T) {
	cases := []struct {
		name, raw string
		want      model.Actor
	}{
		{"with URLs", `{"id":"https://n.test/n","type":"Organization","inbox":"https://n.test/n/inbox/","outbox":"https://n.test/n/outbox/",
			"preferred_username":"n"}`,
			model.Actor{ID: "https://n.test/n", Type: "Organization", Inbox: "https://n.test/n/inbox/",
				Outbox: "https://n.test/n/outbox/", PreferredUsername: "n"}},
		{"with collections", `{"id":"https://n.test/n","type":"Service","name":"N","inbox":{"id":"urn:1","type":"OrderedCollection",
			"items":["urn:secret"]},"outbox":{"type":"OrderedCollection"}}`,
			model.Actor{ID: "https://n.test/n", Type: "Service", Name: "N"}},
		{"of the reference implementation's own type", `{"id":"https://n.test/n","type":"CoreActor","inbox":null}`,
			model.Actor{ID: "https://n.test/n", Type: "CoreActor"}},
		{"of a prefixed type", `{"id":"https://n.test/n","type":"as:Person"}`, model.Actor{ID: "https://n.test/n", Type: "Person"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			a := decoded(t, around(`"object":`+c.raw))
			if diff := cmp.Diff(model.Inline(&c.want), a.Object, exact); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// A proposal names itself, its proposer and its manager, and carries the whole
// report; the manager comes as URI or inline.
//
// Proves: CP-01-002, CP-01-004, CP-01-005, CP-01-007
func TestDecodeReadsProposals(t *testing.T) {
	const manager = "https://c.test/actors/case-actor"
	report := &model.Report{ID: "urn:r", Type: model.TypeReport, Name: "Heap overflow", AttributedTo: "https://f.test/f"}
	for name, target := range map[string]string{
		"manager as URI":  `"` + manager + `"`,
		"manager inline":  `{"id":"` + manager + `","type":"Service","name":"CaseActor","inbox":{"type":"OrderedCollection"}}`,
		"manager by id":   `{"id":"` + manager + `"}`,
		"manager in list": `["` + manager + `"]`,
	} {
		t.Run(name, func(t *testing.T) {
			a := decoded(t, `{"type":"Create","actor":"https://v.test/v","object":{"id":"urn:p","type":"CaseProposal",
				"attributedTo":"https://v.test/v","target":`+target+`,"offer_id":"urn:o","offerActorId":"https://f.test/f",
				"object":{"id":"urn:r","type":"VulnerabilityReport","name":"Heap overflow","attributed_to":"https://f.test/f"}}}`)
			p, _ := model.InlineAs[*model.CaseProposal](a.Object)
			if p == nil || p.Target.ID() != manager {
				t.Fatalf("read as %+v", p)
			}
			p.Target = model.Item{}
			want := &model.CaseProposal{ID: "urn:p", Type: model.TypeProposal, AttributedTo: "https://v.test/v",
				Object: model.Inline(report), OfferID: "urn:o", OfferActorID: "https://f.test/f"}
			if diff := cmp.Diff(want, p, exact); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// A case of which only the id is told is a stub, by whichever name.
//
// Proves: MV-10-004
func TestDecodeKnowsStubs(t *testing.T) {
	cases := []struct {
		name, raw string
		stub      bool
	}{
		{"id and summary", `{"@context":"https://www.w3.org/ns/activitystreams","id":"urn:c:1","type":"VulnerabilityCase","summary":"s"}`, true},
		{"by the context's name", `{"id":"urn:c:1","type":"vultron:VulnerabilityCaseStub"}`, true},
		{"with empty lists", `{"id":"urn:c:1","type":"VulnerabilityCase","caseParticipants":[],"case_statuses":null,"genesisHash":""}`, true},
		{"with the terms of the embargo", `{"id":"urn:c:1","type":"VulnerabilityCase",
			"activeEmbargo":{"id":"urn:e","type":"EmbargoEvent","endTime":"2027-01-01T00:00:00Z"}}`, true},
		{"with a participant", `{"id":"urn:c:1","type":"VulnerabilityCase","case_participants":["urn:p"]}`, false},
		{"with a founder", `{"id":"urn:c:1","type":"VulnerabilityCase","attributed_to":"https://c.test/c"}`, false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			a := decoded(t, strings.Replace(around(`"target":$`), "$", c.raw, 1))
			got, ok := model.InlineAs[*model.VulnerabilityCase](a.Target)
			if !ok || got.IsStub() != c.stub || got.ID != "urn:c:1" || got.Type != model.TypeCase {
				t.Errorf("read as %+v", got)
			}
		})
	}
}

func TestDecodeAcceptsAnyContextThatLeavesCoreTermsAlone(t *testing.T) {
	for name, context := range map[string]string{
		"null":              `null`,
		"string":            `"https://www.w3.org/ns/activitystreams"`,
		"one that is gone":  `"https://gone.example/ctx"`,
		"list":              `["https://www.w3.org/ns/activitystreams",{"gr":"http://purl.org/goodrelations/v1#"},null]`,
		"a language":        `{"@language":"en","@vocab":"https://x.test/"}`,
		"terms as they are": `{"id":"@id","type":"@type","actor":"as:actor","to":{"@id":"https://www.w3.org/ns/activitystreams#to","@type":"@id"}}`,
		"our types":         `{"CaseProposal":"vultron:CaseProposal","vultron":"https://certcc.github.io/Vultron/ns#"}`,
		"the usual prefix":  `{"as":"https://www.w3.org/ns/activitystreams#"}`,
		"terms not read":    `{"inbox":"ldp:inbox","sensitive":"as:sensitive","role":"https://x.test/role"}`,
		"two hundred":       `[` + strings.Repeat(`"https://x.test/c",`, 199) + `"https://x.test/c"]`,
		"an empty one":      `[]`,
	} {
		t.Run(name, func(t *testing.T) { decoded(t, around(`"@context":`+context)) })
	}
}
