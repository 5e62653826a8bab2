package model

import (
	"encoding/json"
	"strings"
	"testing"

	"bateleur/core/fault"
)

// One actor has one id, however scheme and host are spelled; the path is
// compared as it is, and what is no actor's URI opens nothing.
//
// Proves: ARCH-13-003, DL-07-002
func TestParseActorID(t *testing.T) {
	cases := []struct{ name, in, want string }{
		{"plain", "http://v.test/actors/vendor", "http://v.test/actors/vendor"},
		{"host in capitals", "HTTPS://V.Test/actors/Vendor", "https://v.test/actors/Vendor"},
		{"default port", "http://v.test:80/a", "http://v.test/a"},
		{"default port of https", "https://v.test:443/a", "https://v.test/a"},
		{"other port", "https://v.test:80/a", "https://v.test:80/a"},
		{"escapes are kept", "http://v.test/a%2Fb/%c3%A9", "http://v.test/a%2Fb/%c3%A9"},
		{"trailing slash is another id", "http://v.test/a/", "http://v.test/a/"},
		{"short id", "vendor", ""},
		{"urn", "urn:uuid:1", ""},
		{"no path", "http://v.test/", ""},
		{"no host", "http:///a", ""},
		{"query", "http://v.test/a?x", ""},
		{"empty query", "http://v.test/a?", ""},
		{"fragment", "http://v.test/a#b", ""},
		{"empty fragment", "http://v.test/a#", ""},
		{"user", "http://u@v.test/a", ""},
		{"blank", "http://v.test/a b", ""},
		{"control", "http://v.test/a\x00", ""},
		{"too long", "http://v.test/" + strings.Repeat("a", MaxURILength), ""},
		{"empty", "", ""},
		{"port of an address", "http://[::1]:80/a", "http://[::1]/a"},
		{"path beyond ASCII", "http://v.test/é", "http://v.test/é"},
		{"port without host", "http://:80/a", ""},
		{"empty port", "http://v.test:/a", ""},
		{"port with a leading zero", "http://v.test:080/a", ""},
		{"zone", "http://[fe80::1%25eth0]/a", ""},
		{"host beyond ASCII", "http://é.test/a", ""},
		{"host that escapes to it", "http://%C3%A9.test/a", ""},
		{"no UTF-8", "http://v.test/\xff", ""},
		{"line separator", "http://v.test/a\u2028b", ""},
		{"another scheme", "ftp://v.test/a", ""},
		{"opaque", "http:v.test/a", ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			id, err := ParseActorID(c.in)
			if c.want == "" {
				if fault.CodeOf(err) != fault.Invalid || !id.IsZero() {
					t.Errorf("got %q, %v", id, err)
				}
				return
			}
			again, err2 := ParseActorID(id.URI())
			if err != nil || err2 != nil || id.URI() != c.want || again != id {
				t.Errorf("got %q, %v, again %q", id, err, again)
			}
		})
	}
}

// Proves: DL-07-006
func TestHostedActorID(t *testing.T) {
	for _, base := range []string{"http://v.test/api/v2", "http://v.test/api/v2/"} {
		id, err := HostedActorID(base, "case-actor")
		if err != nil || id.URI() != "http://v.test/api/v2/actors/case-actor" || id.Segment() != "case-actor" ||
			id.Inbox() != "http://v.test/api/v2/actors/case-actor/inbox/" {
			t.Errorf("%s: %q, %v", base, id, err)
		}
	}
	for _, segment := range []string{"", ".", "..", ".x", "a/b", "a b", "a?b", "é", strings.Repeat("a", 129)} {
		if _, err := HostedActorID("http://v.test", segment); fault.FieldOf(err) != "segment" {
			t.Errorf("%q: %v", segment, err)
		}
	}
}

func FuzzParseActorID(f *testing.F) {
	for _, s := range []string{"http://v.test/actors/vendor", "HTTP://V:80/a", "http://[::1]:7/x", "x", "http://a/%",
		"http://:80/a", "http://[::1%25a]/x", "http://é/x", "http://a/\xff", "https://a:443//"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		id, err := ParseActorID(s)
		if err != nil {
			return
		}
		again, err := ParseActorID(id.URI())
		if err != nil || again != id {
			t.Fatalf("%q gives %q, which gives %q, %v", s, id, again, err)
		}
		raw, err := json.Marshal(id)
		var back ActorID
		if err != nil || json.Unmarshal(raw, &back) != nil || back != id {
			t.Fatalf("%q does not survive JSON", id)
		}
	})
}
