package bt

// Cells is the blackboard of one run: a typed cell for every key that the tree's
// leaves declare. There is no other blackboard and none is shared between runs.
// What a failing subtree set is undone like its writes to the environment.
type Cells struct {
	slots   []slot
	log     []int    // slots in the order they were set in this tick
	allowed []access // what the leaf being called declares
	breach  *keyInfo // the first undeclared access of that leaf
	write   bool     // whether the breach was a Set
}

// access is a leaf's declared use of a key, resolved to a slot by Compile.
type access struct {
	key         *keyInfo
	slot        int
	read, write bool
}

// Get reads a cell. It is false when nothing has set the cell in this run, or
// the leaf does not declare the key with Reads, which ends the run with a
// UsageError once the leaf returns.
func Get[T any](c *Cells, k Key[T]) (T, bool) {
	for i := range c.allowed {
		if a := &c.allowed[i]; a.key == k.info && a.read {
			s := c.slots[a.slot].(*cell[T])
			return s.value, s.set
		}
	}
	c.breached(k.info, false)
	var zero T
	return zero, false
}

// Set writes a cell. Without a declaration by Writes nothing is written and the
// run ends with a UsageError once the leaf returns.
func Set[T any](c *Cells, k Key[T], v T) {
	for i := range c.allowed {
		if a := &c.allowed[i]; a.key == k.info && a.write {
			c.log = append(c.log, a.slot)
			c.slots[a.slot].(*cell[T]).put(v)
			return
		}
	}
	c.breached(k.info, true)
}

func (c *Cells) breached(k *keyInfo, write bool) {
	if c.breach == nil {
		c.breach, c.write = k, write
	}
	if c.breach == nil { // the zero Key
		c.breach = &keyInfo{}
	}
}

// slot is a cell whose type does not matter: it can be taken back and emptied.
type slot interface {
	pop()    // back to the value before the last put
	forget() // what is there now is what a tick starts with
	empty()
	filled() bool
}

type cell[T any] struct {
	value T
	set   bool
	past  []past[T]
}

type past[T any] struct {
	value T
	set   bool
}

func (s *cell[T]) put(v T) {
	s.past = append(s.past, past[T]{s.value, s.set})
	s.value, s.set = v, true
}

func (s *cell[T]) pop() {
	last := len(s.past) - 1
	s.value, s.set = s.past[last].value, s.past[last].set
	s.past[last] = past[T]{}
	s.past = s.past[:last]
}

func (s *cell[T]) forget() {
	clear(s.past)
	s.past = s.past[:0]
}

func (s *cell[T]) empty() {
	s.forget()
	var zero T
	s.value, s.set = zero, false
}

func (s *cell[T]) filled() bool { return s.set }

func (c *Cells) init(keys []*keyInfo) {
	if len(keys) == 0 {
		return
	}
	c.slots = make([]slot, len(keys))
	for i, k := range keys {
		c.slots[i] = k.slot()
	}
}

func (c *Cells) undo(to int) {
	for len(c.log) > to {
		last := len(c.log) - 1
		c.slots[c.log[last]].pop()
		c.log = c.log[:last]
	}
}

// forget makes the present values those that an undo goes back to at most.
func (c *Cells) forget() {
	for _, i := range c.log {
		c.slots[i].forget()
	}
	c.log = c.log[:0]
}

func (c *Cells) empty() {
	c.log, c.allowed, c.breach = c.log[:0], nil, nil
	for _, s := range c.slots {
		s.empty()
	}
}

// withCells calls a leaf with the cells that it declares.
func (x *exec[E]) withCells(i int, l *leafDef[E]) Result {
	c := &x.cells
	c.allowed, c.breach = x.tree.access[i], nil
	r := l.cells(x.env, c)
	c.allowed = nil
	if c.breach != nil {
		return Abort(x.breachOf(i))
	}
	return r
}

func (x *exec[E]) breachOf(i int) error {
	code, verb := CodeUndeclaredRead, "reads"
	if x.cells.write {
		code, verb = CodeUndeclaredWrite, "writes"
	}
	name := x.cells.breach.name
	return &UsageError{
		Path: x.tree.info[i].Path, Code: code, Key: name,
		Text: "the leaf " + verb + " key " + name + " without declaring it",
	}
}
