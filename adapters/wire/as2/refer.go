package as2

import "bateleur/core/model"

// ref reads a member of which only the id counts: a URI, an object with an id,
// or the first of a list.
func (r *reader) ref(at int32) string {
	for e := range r.elements(at) {
		if id := r.refOne(e); id != "" {
			return id
		}
	}
	return ""
}

// sole is ref where several would be ambiguous.
func (r *reader) sole(at int32) string {
	r.atMostOne(at)
	return r.ref(at)
}

// refs reads a list of references, or a single one. The order is kept; what has
// no id is left out.
func (r *reader) refs(at int32) (out []string) {
	for e := range r.elements(at) {
		if id := r.refOne(e); id != "" {
			out = append(out, id)
		}
	}
	return out
}

func (r *reader) refOne(at int32) string {
	switch r.nodes[at].kind {
	case '"':
		return r.id(at)
	case '{':
		return r.id(r.members(at)[keyID])
	}
	r.refuse(at, "must be a URI or an object")
	return ""
}

// item reads a member that refers to one object, by id or inline.
func (r *reader) item(at int32) model.Item {
	r.atMostOne(at)
	for e := range r.elements(at) {
		return r.itemOne(e)
	}
	return model.Item{}
}

func (r *reader) atMostOne(at int32) {
	if at != 0 && r.nodes[at].kind == '[' && r.nodes[at].many > 1 {
		r.refuse(at, "must be exactly one")
	}
}

// items reads a list of objects, or a single one.
func (r *reader) items(at int32) (out []model.Item) {
	for e := range r.elements(at) {
		if item := r.itemOne(e); !item.IsZero() {
			out = append(out, item)
		}
	}
	return out
}

func (r *reader) itemOne(at int32) model.Item {
	if r.nodes[at].kind == '{' && !r.isReference(at) {
		return model.Inline(r.object(at))
	}
	return model.Link(r.refOne(at))
}

// isReference tells whether an object says nothing but an id.
func (r *reader) isReference(at int32) bool {
	return r.nodes[at].many == 1 && r.keyAt(at+1) == keyID
}

// index reads an object whose members are ids by id.
func (r *reader) index(at int32) map[string]string {
	if at == 0 {
		return nil
	}
	if r.nodes[at].kind != '{' {
		r.refuse(at, "must be an object")
		return nil
	}
	var out map[string]string
	for e := at + 1; e < r.nodes[at].next; e = r.nodes[e].next {
		if id := r.ref(e); id != "" {
			if out == nil {
				out = make(map[string]string, r.nodes[at].many)
			}
			out[r.memberName(e)] = id
		}
	}
	return out
}
