package as2_test

import (
	"encoding/json"
	"testing"

	"bateleur/adapters/wire/as2"
)

// typical is a message of 1.8 kB: a status with its case-wide part,
// every absent member spelled null as the reference implementation does.
func typical() []byte {
	nulls := `"preview":null,"mediaType":null,"replies":null,"url":null,"generator":null,"tag":null,"inReplyTo":null,` +
		`"duration":null,"startTime":null,"endTime":null,"content":null,"summary":null,"icon":null,"image":null,"to":null,"attachment":null,` +
		`"location":null,"cc":null,"bto":null,"bcc":null,"audience":null,"trackingId":null,"name":"` + vendor + ` in ` + theCase + `",`
	common := `"published":"2026-11-30T22:39:52Z","updated":"2026-11-30T22:39:52Z","attributedTo":"` + vendor +
		`","@context":"https://www.w3.org/ns/activitystreams","context":"` + theCase + `",` + nulls
	raw := `{"id":"urn:uuid:4326b6d1-cf71-4dd1-8a30-5d7b9b5f4c89","type":"Add","name":"` + vendor + ` Add ACCEPTED Vfd",` +
		`"published":"2026-11-30T22:39:52Z","updated":"2026-11-30T22:39:52Z","to":["` + manager + `"],"actor":"` + vendor + `",` +
		`"object":{"id":"urn:uuid:98c1d714-9cf1-486b-b4d7-b3dc5f39d747","type":"ParticipantStatus",` + common +
		`"rmState":"ACCEPTED","vfdState":"Vfd","caseEngagement":true,"embargoAdherence":true,"emConsentState":"SIGNATORY",` +
		`"cvdRole":["VENDOR","CASE_OWNER"],"caseStatus":{"id":"urn:uuid:22ce0a22-0fae-456a-bbd9-d07bd2729dd7","type":"CaseStatus",` +
		common + `"em":{"state":"ACTIVE"},"pxa":{"state":"Pxa"}}},"target":"urn:uuid:4593f243-dda4-4eb2-8694-896561d6e2ef"}`
	return []byte(raw)
}

func BenchmarkDecode(b *testing.B) {
	raw := typical()
	b.Run("as2", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := (as2.Codec{}).Decode(raw); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("encoding-json into a map", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			var m map[string]any
			if err := json.Unmarshal(raw, &m); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkEncode(b *testing.B) {
	a := decoded(b, string(typical()))
	b.Run("as2", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			encoded(b, a)
		}
	})
	b.Run("encoding-json of the model", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := json.Marshal(a); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkReaddress(b *testing.B) {
	raw := encoded(b, decoded(b, string(typical())))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := (as2.Codec{}).Readdress(raw, "urn:uuid:new", vendor); err != nil {
			b.Fatal(err)
		}
	}
}
