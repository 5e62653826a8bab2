package semantics

import "bateleur/core/model"

// byActivity holds the registry's patterns under their activity's type, each
// list in matching order.
var byActivity = func() map[string][]Pattern {
	index := make(map[string][]Pattern)
	for _, p := range registry {
		index[p.Activity] = append(index[p.Activity], p)
	}
	return index
}()

// Classify gives an activity the meaning of the first pattern that fits it
// (SE-01-003). Where none does, an activity of a known type about a bare id is
// UnknownUnresolvableObject, and everything else is Unknown. It allocates
// nothing.
func Classify(a *model.Activity) Meaning {
	if a == nil {
		return Unknown
	}
	patterns := byActivity[a.Type]
	for i := range patterns {
		if patterns[i].Fits(a) {
			return patterns[i].Meaning
		}
	}
	if len(patterns) > 0 && a.Object.IsLink() {
		return UnknownUnresolvableObject
	}
	return Unknown
}

// Fits tells whether an activity has the shape.
func (s *Shape) Fits(a *model.Activity) bool {
	return a.Type == s.Activity &&
		s.fitsObject(a.Object) &&
		s.fitsType(s.Target, a.Target) &&
		(s.Context == "" || a.Context != "")
}

func (s *Shape) fitsObject(object model.Item) bool {
	if s.Inner == nil {
		return s.fitsType(s.Object, object)
	}
	inner, ok := model.InlineAs[*model.Activity](object)
	return ok && s.Inner.Fits(inner)
}

// fitsType judges a member of which a type is asked. A bare id may be anything,
// so it fits unless the shape is strict.
func (s *Shape) fitsType(want string, got model.Item) bool {
	if want == "" {
		return true
	}
	if got.Object() == nil {
		return got.IsLink() && !s.Strict
	}
	return typeIs(want, got.Type())
}

func typeIs(want, typ string) bool {
	switch want {
	case AnyActor:
		return model.IsActorType(typ)
	case AnyEvent:
		return typ == model.TypeEvent || typ == model.TypeEmbargo
	}
	return typ == want
}
