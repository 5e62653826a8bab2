package sqlite

import (
	"crypto/sha256"
	"encoding/hex"
	"net/url"
	"path/filepath"
	"strings"

	"bateleur/core/fault"
	"bateleur/core/model"
)

const (
	scheme = "sqlite:///"
	memory = ":memory:"
)

// template is a configured URL: the name of every actor's database but for the
// actor. The zero value stands for databases in memory.
type template struct {
	folder string // absolute
	stem   string // of the file's name
	ext    string // with its dot, or ""
}

// maxStem leaves room for the slug and SQLite's suffixes in a file's name.
const maxStem = 120

func parseTemplate(raw string) (template, error) {
	bad := func(why string) (template, error) {
		return template{}, fault.Field("sqlite.template", raw, "store", why)
	}
	rest, ok := strings.CutPrefix(raw, scheme)
	if !ok {
		return bad("want sqlite:////folder/name.sqlite, sqlite:///name.sqlite or sqlite:///:memory:")
	}
	if rest == memory {
		return template{}, nil
	}
	if strings.ContainsAny(rest, "?#") {
		return bad("takes no options; a '?' or '#' of the path is written %3F or %23")
	}
	path, err := url.PathUnescape(rest)
	if err != nil || strings.ContainsRune(path, 0) {
		return bad("not a path")
	}
	folder, name := filepath.Split(filepath.FromSlash(path))
	if name == "" || name == "." || name == ".." || len(name) > maxStem {
		return bad("needs a file's name of at most 120 bytes")
	}
	if folder, err = filepath.Abs(folder); err != nil {
		return template{}, fault.Wrap("sqlite.template", raw, fault.Unavailable, err)
	}
	t := template{folder: folder, ext: filepath.Ext(name)}
	if t.ext == name { // ".sqlite" is a name, not an extension
		t.ext = ""
	}
	t.stem = strings.TrimSuffix(name, t.ext)
	return t, nil
}

func (t template) inMemory() bool { return t.folder == "" }

// path is where an actor's database lies.
func (t template) path(actor model.ActorID) string {
	if t.inMemory() {
		return memory
	}
	return filepath.Join(t.folder, t.stem+"-"+slug(actor)+t.ext)
}

// Path tells where the store of an actor lies under a template URL, whether or
// not there is one; ":memory:" for a template of databases in memory. fault.Invalid
// for a malformed template and the zero ActorID.
func Path(templateURL string, actor model.ActorID) (string, error) {
	t, err := parseTemplate(templateURL)
	if err != nil {
		return "", err
	}
	if err := named("sqlite.path", actor); err != nil {
		return "", err
	}
	return t.path(actor), nil
}

// URL is the template URL of a path, absolute or relative: what a URL would read
// otherwise is escaped.
func URL(path string) string {
	return scheme + (&url.URL{Path: filepath.ToSlash(path)}).EscapedPath()
}

// named refuses the zero ActorID (DL-07-002).
func named(op string, actor model.ActorID) error {
	if actor.IsZero() {
		return fault.Field(op, "", "actor", "a store belongs to an actor")
	}
	return nil
}

const maxReadable = 40

// slug names an actor in a file's name: a part for people, which tells nothing
// apart, and 128 bits of a hash of the canonical URI, which do. It has lower-case
// letters, digits and '-' only, so that it cannot leave the folder nor meet
// another slug on a file system that folds case (BA-17-001).
func slug(actor model.ActorID) string {
	sum := sha256.Sum256([]byte(actor.URI()))
	return readable(actor.Segment()) + "-" + hex.EncodeToString(sum[:16])
}

func readable(segment string) string {
	var b strings.Builder
	gap := false
	for _, r := range strings.ToLower(segment) {
		if (r < 'a' || r > 'z') && (r < '0' || r > '9') {
			gap = b.Len() > 0
			continue
		}
		if gap {
			b.WriteByte('-')
		}
		gap = false
		b.WriteRune(r)
	}
	name := b.String()
	if len(name) > maxReadable {
		name = strings.TrimRight(name[:maxReadable], "-")
	}
	if name == "" {
		return "actor"
	}
	return name
}
