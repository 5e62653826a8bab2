package as2

import (
	"strings"

	"bateleur/core/model"
)

// namespaces are the prefixes under which a peer may name a type in full.
var namespaces = []string{
	"as:", "https://www.w3.org/ns/activitystreams#", "http://www.w3.org/ns/activitystreams#",
	"vultron:", "https://certcc.github.io/Vultron/ns#",
}

// typeStub is the context document's name for a case of which only the id is
// told; on the wire it is a case.
const typeStub = "VulnerabilityCaseStub"

// term is a type name without its namespace, where that makes a known type; any
// other name stays as it is.
func term(typ string) string {
	for _, prefix := range namespaces {
		if short, ok := strings.CutPrefix(typ, prefix); ok && (known(short) || short == typeStub) {
			typ = short
		}
	}
	if typ == typeStub {
		return model.TypeCase
	}
	return typ
}

// known tells whether objects of the type have a Go type.
func known(typ string) bool {
	_, generic := model.NewObject(typ).(*model.Generic)
	return !generic
}

// typeOf reads an object's type, "" when it has none. Of several the known one
// counts; two known ones have two readings.
func (r *reader) typeOf(m *members) string {
	at := m[keyType]
	switch {
	case at == 0:
		return ""
	case r.nodes[at].kind != '[':
		return term(r.id(at))
	}
	first, chosen := "", ""
	for e := at + 1; e < r.nodes[at].next; e = r.nodes[e].next {
		typ := term(r.id(e))
		if first == "" {
			first = typ
		}
		if typ == chosen || !known(typ) {
			continue
		}
		if chosen != "" {
			r.refuse(at, "more than one known type")
		}
		chosen = typ
	}
	if chosen != "" {
		return chosen
	}
	return first
}
