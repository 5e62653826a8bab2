package memory

import (
	"slices"

	"bateleur/core/fault"
	"bateleur/core/ledger"
	"bateleur/core/ports"
)

type eventKey struct{ eventType, objectID string }

// chain is one case's ledger; an entry stands at its index. The maps hold the
// first entry of each hash, previous hash and event.
type chain struct {
	caseID   string
	standing ports.Standing
	genesis  string
	entries  []ledger.Entry
	byHash   map[string]int
	byPrev   map[string]int
	byEvent  map[eventKey]int
}

func (c *chain) head() ports.LedgerHead {
	h := ports.LedgerHead{
		CaseID: c.caseID, Standing: c.standing, Genesis: c.genesis,
		Tail: int64(len(c.entries)) - 1, TailHash: c.genesis,
	}
	if n := len(c.entries); n > 0 {
		h.TailHash = c.entries[n-1].Hash
	}
	return h
}

func (c *chain) push(e ledger.Entry) {
	at := len(c.entries)
	c.entries = append(c.entries, e)
	first(c.byHash, e.Hash, at)
	first(c.byPrev, e.PrevHash, at)
	first(c.byEvent, eventKey{e.EventType, e.ObjectID}, at)
}

func (c *chain) pop() {
	at := len(c.entries) - 1
	e := c.entries[at]
	c.entries = c.entries[:at]
	unfirst(c.byHash, e.Hash, at)
	unfirst(c.byPrev, e.PrevHash, at)
	unfirst(c.byEvent, eventKey{e.EventType, e.ObjectID}, at)
}

func first[K comparable](m map[K]int, key K, at int) {
	if _, taken := m[key]; !taken {
		m[key] = at
	}
}

func unfirst[K comparable](m map[K]int, key K, at int) {
	if m[key] == at {
		delete(m, key)
	}
}

type ledgers struct {
	byCase map[string]*chain
	order  []*chain
}

func newLedgers() ledgers { return ledgers{byCase: map[string]*chain{}} }

func cloneEntry(e ledger.Entry) ledger.Entry {
	e.Payload = slices.Clone(e.Payload)
	e.Term = cloneOf(e.Term)
	e.ReasonCode, e.ReasonDetail = cloneOf(e.ReasonCode), cloneOf(e.ReasonDetail)
	return e
}

func cloneOf[T any](p *T) *T {
	if p == nil {
		return nil
	}
	v := *p
	return &v
}

func (r *reader) chain(op, caseID string) (*chain, error) {
	if err := r.use(op, caseID); err != nil {
		return nil, err
	}
	c, ok := r.state().ledgers.byCase[caseID]
	if !ok {
		return nil, fault.New(op, caseID, fault.NotFound, "the case has no ledger here")
	}
	return c, nil
}

// Ledger implements ports.LedgerReader.
func (r *reader) Ledger(caseID string) (ports.LedgerHead, error) {
	c, err := r.chain("memory.ledger", caseID)
	if err != nil {
		return ports.LedgerHead{}, err
	}
	return c.head(), nil
}

// Ledgers implements ports.LedgerReader.
func (r *reader) Ledgers() ([]ports.LedgerHead, error) {
	if err := r.use("memory.ledgers", ""); err != nil {
		return nil, err
	}
	var heads []ports.LedgerHead
	for _, c := range r.state().ledgers.order {
		heads = append(heads, c.head())
	}
	return heads, nil
}

// Entries implements ports.LedgerReader.
func (r *reader) Entries(caseID string, from int64, limit int) ([]ledger.Entry, error) {
	c, err := r.chain("memory.entries", caseID)
	if err != nil && fault.CodeOf(err) == fault.NotFound {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	from = min(max(from, 0), int64(len(c.entries)))
	var page []ledger.Entry
	for _, e := range c.entries[from:] {
		if full(len(page), limit) {
			break
		}
		page = append(page, cloneEntry(e))
	}
	return page, nil
}

// EntryByHash implements ports.LedgerReader.
func (r *reader) EntryByHash(caseID, hash string) (ledger.Entry, error) {
	const op = "memory.entry-by-hash"
	c, err := r.chain(op, caseID)
	if err != nil {
		return ledger.Entry{}, err
	}
	return entryIn(op, c, c.byHash, hash)
}

// EntryByObject implements ports.LedgerReader.
func (r *reader) EntryByObject(caseID, eventType, objectID string) (ledger.Entry, error) {
	const op = "memory.entry-by-object"
	c, err := r.chain(op, caseID)
	if err != nil {
		return ledger.Entry{}, err
	}
	return entryIn(op, c, c.byEvent, eventKey{eventType, objectID})
}

func entryIn[K comparable](op string, c *chain, index map[K]int, key K) (ledger.Entry, error) {
	at, ok := index[key]
	if !ok {
		return ledger.Entry{}, fault.New(op, c.caseID, fault.NotFound, "no such entry")
	}
	return cloneEntry(c.entries[at]), nil
}

// OpenLedger implements ports.LedgerWriter.
func (t *tx) OpenLedger(caseID string, standing ports.Standing, genesis string) error {
	const op = "memory.open-ledger"
	_, err := t.chain(op, caseID)
	switch {
	case err == nil:
		return fault.New(op, caseID, fault.Conflict, "the case has a ledger")
	case fault.CodeOf(err) != fault.NotFound:
		return err
	}
	c := &chain{
		caseID: caseID, standing: standing, genesis: genesis,
		byHash: map[string]int{}, byPrev: map[string]int{}, byEvent: map[eventKey]int{},
	}
	all := &t.state().ledgers
	all.byCase[caseID] = c
	all.order = append(all.order, c)
	t.onRollback(func() {
		delete(all.byCase, caseID)
		all.order = all.order[:len(all.order)-1]
	})
	return nil
}

// Mint implements ports.LedgerWriter.
func (t *tx) Mint(e ledger.Entry) error { return t.extend("memory.mint", ports.Own, e) }

// Apply implements ports.LedgerWriter.
func (t *tx) Apply(e ledger.Entry) error { return t.extend("memory.apply", ports.Replica, e) }

func (t *tx) extend(op string, standing ports.Standing, e ledger.Entry) error {
	c, err := t.chain(op, e.CaseID)
	if err != nil {
		return err
	}
	head := c.head()
	_, linked := c.byPrev[e.PrevHash]
	switch {
	case c.standing != standing:
		return fault.New(op, e.CaseID, fault.Forbidden, "the ledger here is "+string(c.standing))
	case e.Index != head.Tail+1 || e.PrevHash != head.TailHash || linked:
		return fault.New(op, e.CaseID, fault.Conflict, "the entry does not follow the tail")
	}
	c.push(cloneEntry(e))
	t.onRollback(c.pop)
	return nil
}
