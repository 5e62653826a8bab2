package cases

import (
	"bytes"
	"sync"
)

// Memo spares reading the same case's record anew for every message. It is keyed
// by what it remembers: a case is handed out only for exactly the bytes it was
// read from, so nothing undone, rolled back or written elsewhere can be taken
// for the present. A nil Memo remembers nothing. Safe for concurrent use.
type Memo struct {
	mu    sync.Mutex
	known map[string]remembered
}

type remembered struct {
	body []byte
	c    *Case
}

// maxRemembered bounds the cases that a Memo holds.
const maxRemembered = 256

// NewMemo gives an empty memo.
func NewMemo() *Memo { return &Memo{known: map[string]remembered{}} }

// Case reads a case; callers do not change it. fault.NotFound when it is not
// here.
func (m *Memo) Case(s Source, id string) (Stored[*Case], error) {
	r, err := s.Get(KindCase, id)
	if err != nil {
		return Stored[*Case]{}, err
	}
	if m == nil {
		return typed[*Case](r)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if k, ok := m.known[id]; ok && bytes.Equal(k.body, r.Body) {
		return Stored[*Case]{Rev: r.Rev, Value: k.c}, nil
	}
	read, err := typed[*Case](r)
	if err == nil {
		m.remember(id, remembered{r.Body, read.Value})
	}
	return read, err
}

func (m *Memo) remember(id string, r remembered) {
	for other := range m.known {
		if len(m.known) < maxRemembered {
			break
		}
		delete(m.known, other)
	}
	m.known[id] = r
}
