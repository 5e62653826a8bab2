package as2

import (
	"bytes"
	"iter"
	"strings"
	"unicode"

	"github.com/go-json-experiment/json/jsontext"

	"bateleur/core/fault"
	"bateleur/core/model"
)

// A reader takes values out of a scanned text. It keeps the first error; after
// that its results mean nothing.
type reader struct {
	tree
	err error
}

func (r *reader) refuse(at int32, text string) {
	if r.err == nil {
		r.refusePath(r.path(at), text)
	}
}

func (r *reader) refusePath(path, text string) {
	if r.err == nil {
		r.err = fault.Field("as2.decode", "", path, text)
	}
}

// raw is the source of a value, nameText a member's name.
func (t *tree) raw(at int32) []byte { return t.src[t.nodes[at].start:t.nodes[at].end] }

func (t *tree) nameText(at int32) []byte {
	n := &t.nodes[at]
	name := t.src[n.nameStart:n.nameEnd]
	if !n.nameEscaped {
		return name
	}
	decoded, _ := jsontext.AppendUnquote(nil, t.src[n.nameStart-1:n.nameEnd+1]) // scanned before
	return decoded
}

func (t *tree) memberName(at int32) string { return string(t.nameText(at)) }

// inner is a value's source without its first and last byte: the text of a
// string that has no escapes.
func (t *tree) inner(at int32) []byte { return t.src[t.nodes[at].start+1 : t.nodes[at].end-1] }

// string decodes a string value.
func (t *tree) string(at int32) string {
	n := &t.nodes[at]
	if !n.escaped {
		return string(t.inner(at))
	}
	decoded, _ := jsontext.AppendUnquote(nil, t.raw(at)) // scanned before
	return string(decoded)
}

// text reads a string member, "" when absent.
func (r *reader) text(at int32) string {
	if at == 0 {
		return ""
	}
	if r.nodes[at].kind != '"' {
		r.refuse(at, "must be a string")
		return ""
	}
	return r.string(at)
}

// id reads a string that is an id, a type or another short name.
func (r *reader) id(at int32) string {
	s := r.text(at)
	if len(s) > maxID && r.err == nil {
		r.err = &fault.Error{Op: "as2.decode", Code: fault.TooLarge, Field: r.path(at), Text: "id too long"}
	}
	if strings.ContainsFunc(s, unicode.IsControl) {
		r.refuse(at, "must be a URI, which has no control characters")
	}
	return s
}

// words reads text that may come in several languages: the plain member, or else
// English, or else the first language by name.
func (r *reader) words(plain, byLanguage int32) string {
	if byLanguage == 0 {
		return r.text(plain)
	}
	if r.nodes[byLanguage].kind != '{' {
		r.refuse(byLanguage, "must be an object of texts by language")
		return ""
	}
	var best int32
	for at := byLanguage + 1; at < r.nodes[byLanguage].next; at = r.nodes[at].next {
		if best == 0 || r.preferred(at, best) {
			best = at
		}
		r.text(at)
	}
	if plain != 0 {
		return r.text(plain)
	}
	return r.text(best)
}

func (r *reader) preferred(a, b int32) bool {
	x, y := r.nameText(a), r.nameText(b)
	if string(y) == "en" {
		return false
	}
	return string(x) == "en" || bytes.Compare(x, y) < 0
}

// flag reads a boolean; absent gives what the protocol takes for granted.
func (r *reader) flag(at int32, absent bool) bool {
	switch {
	case at == 0:
		return absent
	case r.nodes[at].kind == 't':
		return true
	case r.nodes[at].kind != 'f':
		r.refuse(at, "must be true or false")
	}
	return false
}

// elements are the values of a list, or the value alone; null is none.
func (r *reader) elements(at int32) iter.Seq[int32] {
	return func(yield func(int32) bool) {
		if at == 0 {
			return
		}
		first, behind := at, r.nodes[at].next
		if r.nodes[at].kind == '[' {
			first = at + 1
		}
		for e := first; e < behind; e = r.nodes[e].next {
			if r.nodes[e].kind != 'n' && !yield(e) {
				return
			}
		}
	}
}

// roles reads role names in any letter case; one that is not known is kept.
func (r *reader) roles(at int32) (out []model.Role) {
	for e := range r.elements(at) {
		if role, _ := model.ParseRole(r.id(e)); role != "" {
			out = append(out, role)
		}
	}
	return out
}
