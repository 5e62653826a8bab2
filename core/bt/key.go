package bt

// Key names a typed cell of the blackboard. Two keys are the same only if they
// come from the same NewKey; within one tree their names must differ. The zero
// Key is none.
type Key[T any] struct{ info *keyInfo }

// NewKey makes a key. It is meant for package-level variables.
func NewKey[T any](name string) Key[T] {
	return Key[T]{&keyInfo{name: name, slot: func() slot { return new(cell[T]) }}}
}

// Name is what NewKey was given.
func (k Key[T]) Name() string {
	if k.info == nil {
		return ""
	}
	return k.info.name
}

func (k Key[T]) key() *keyInfo { return k.info }

// AnyKey is a Key of any type.
type AnyKey interface {
	Name() string
	key() *keyInfo
}

type keyInfo struct {
	name string
	slot func() slot
}

func keyInfos(keys []AnyKey) []*keyInfo {
	infos := make([]*keyInfo, len(keys))
	for i, k := range keys {
		if k != nil {
			infos[i] = k.key()
		}
	}
	return infos
}
