package model

import (
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"bateleur/core/fault"
)

// ActorID is the canonical URI of an actor: the one key under which a store is
// opened (DL-07-002, ARCH-13-003). Its field is unexported, so the only values
// are the zero value, which every constructor of a store refuses, and what
// ParseActorID and HostedActorID made. Comparable; usable as a map key.
type ActorID struct{ uri string }

// MaxURILength bounds an actor's URI, in bytes.
const MaxURILength = 2048

// ParseActorID reads an absolute http or https URI with a host and a path and
// no query or fragment. Scheme and host are lower-cased and a default port is
// dropped; the path is kept exactly (ids are compared as strings). Anything
// else is fault.Invalid.
func ParseActorID(s string) (ActorID, error) {
	bad := func(why string) (ActorID, error) {
		return ActorID{}, fault.Field("model.actor-id", clip(s), "id", why)
	}
	if len(s) > MaxURILength {
		return bad("longer than 2048 bytes")
	}
	u, err := url.Parse(s)
	switch {
	case err != nil:
		return bad("not a URI")
	case !strings.EqualFold(u.Scheme, "http") && !strings.EqualFold(u.Scheme, "https"):
		return bad("an actor's id is an http or https URI")
	case u.Hostname() == "" || u.User != nil:
		return bad("needs a host and no user")
	case strings.HasSuffix(u.Host, ":") || strings.HasPrefix(u.Port(), "0"):
		return bad("a port is a number without leading zeros")
	case u.RawQuery != "" || u.ForceQuery || u.Fragment != "" || strings.Contains(s, "#"):
		return bad("must not carry a query or a fragment")
	case u.Path == "" || u.Path == "/":
		return bad("needs a path")
	case strings.ContainsFunc(u.Host, notOfHost):
		return bad("a host is written in ASCII, without a zone")
	case !utf8.ValidString(s):
		return bad("is not UTF-8")
	case strings.ContainsFunc(s, blank):
		return bad("contains a blank or a control character")
	}
	return ActorID{canonicalPrefix(u) + s[len(rawPrefix(s)):]}, nil
}

// notOfHost keeps out what can be spelled in two ways, or not be written back.
func notOfHost(r rune) bool { return r > unicode.MaxASCII || r == '%' }

func blank(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }

// rawPrefix is the scheme and authority as written.
func rawPrefix(s string) string {
	rest := s[strings.Index(s, "://")+3:]
	if slash := strings.IndexByte(rest, '/'); slash >= 0 {
		return s[:len(s)-len(rest)+slash]
	}
	return s
}

func canonicalPrefix(u *url.URL) string {
	scheme, host := strings.ToLower(u.Scheme), strings.ToLower(u.Host)
	if scheme == "http" {
		host = strings.TrimSuffix(host, ":80")
	} else {
		host = strings.TrimSuffix(host, ":443")
	}
	return scheme + "://" + host
}

// HostedActorID computes the id of the actor that a node with the given base
// URL serves under a path segment: base + "actors/" + segment (DL-07-006). It is
// a computation, never a look-up, for a case manager too.
func HostedActorID(base, segment string) (ActorID, error) {
	if err := CheckSegment(segment); err != nil {
		return ActorID{}, err
	}
	return ParseActorID(strings.TrimSuffix(base, "/") + "/actors/" + segment)
}

// CheckSegment accepts what may stand for an actor in a URL path: 1 to 128
// letters, digits, '-', '_' and '.', not starting with a dot.
func CheckSegment(segment string) error {
	ok := segment != "" && len(segment) <= 128 && segment[0] != '.'
	for _, r := range segment {
		ok = ok && (r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' ||
			r == '-' || r == '_' || r == '.')
	}
	if !ok {
		return fault.Field("model.actor-id", clip(segment), "segment",
			"1 to 128 letters, digits, '-', '_' or '.', not starting with '.'")
	}
	return nil
}

// URI is the id's text, "" for the zero value.
func (a ActorID) URI() string { return a.uri }

// String is URI, for messages.
func (a ActorID) String() string { return a.uri }

// IsZero tells whether a names no actor.
func (a ActorID) IsZero() bool { return a.uri == "" }

// Inbox is the URL to which messages for the actor are posted. It is computed
// from the id alone; no record of the peer is read (DL-07-008).
func (a ActorID) Inbox() string { return strings.TrimRight(a.uri, "/") + "/inbox/" }

// Segment is the last part of the path.
func (a ActorID) Segment() string { return LastSegment(a.uri) }

// MarshalText makes an ActorID its URI in JSON.
func (a ActorID) MarshalText() ([]byte, error) { return []byte(a.uri), nil }

// UnmarshalText reads what MarshalText wrote; "" is the zero value.
func (a *ActorID) UnmarshalText(b []byte) error {
	if len(b) == 0 {
		*a = ActorID{}
		return nil
	}
	id, err := ParseActorID(string(b))
	*a = id
	return err
}

// LastSegment is the part of a URI or URN behind the last '/' or ':'.
func LastSegment(uri string) string {
	uri = strings.TrimRight(uri, "/")
	return uri[strings.LastIndexAny(uri, "/:")+1:]
}

func clip(s string) string {
	if len(s) > 80 {
		return s[:80] + "…"
	}
	return s
}
