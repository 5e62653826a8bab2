package as2

import "slices"

// checkContext reads an "@context" for one purpose: terms that are read here
// must mean what they mean in Activity Streams. Names of documents are taken as
// they are and never fetched.
func (r *reader) checkContext(at int32) {
	if at == 0 {
		return
	}
	switch n := &r.nodes[at]; n.kind {
	case '"':
	case '[':
		for e := at + 1; e < n.next; e = r.nodes[e].next {
			if r.nodes[e].kind == '[' {
				r.refuse(e, "must be a URI or an object")
				return
			}
			r.checkContext(e)
		}
	case '{':
		for e := at + 1; e < n.next; e = r.nodes[e].next {
			if meaning, ours := standardMeaning(r.memberName(e)); ours && !slices.Contains(meaning, r.definition(e)) {
				r.refuse(e, "gives a core term another meaning")
			}
		}
	case 'n':
	default:
		r.refuse(at, "must be a URI, an object or a list of these")
	}
}

// definition is the IRI that a context gives a term.
func (r *reader) definition(at int32) string {
	n := &r.nodes[at]
	if n.kind == '{' {
		if at = r.member(at, "@id", 0); at == 0 {
			return ""
		}
		n = &r.nodes[at]
	}
	if n.kind != '"' {
		return ""
	}
	return r.string(at)
}

// standardMeaning lists the IRIs that a context may give a term which is read
// here; other terms are nobody's concern.
func standardMeaning(name string) (iris []string, ours bool) {
	switch {
	case name == "as":
		return []string{namespaces[1], namespaces[2]}, true
	case name == "vultron":
		return []string{namespaces[4]}, true
	case name == "id" || name == "type":
		return []string{"@" + name}, true
	case !isCore(name):
		return nil, false
	}
	for _, ns := range namespaces {
		iris = append(iris, ns+name)
	}
	return iris, true
}

// isCore tells whether a term is a type known here or a member that Activity
// Streams defines.
func isCore(name string) bool {
	k := keys[name]
	return known(name) || keyID <= k && k <= keyUpdated && names[k] == name
}
