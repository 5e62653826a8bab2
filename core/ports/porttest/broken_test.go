package porttest_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"bateleur/core/fault"
	"bateleur/core/ledger"
	"bateleur/core/model"
	"bateleur/core/ports"
	"bateleur/core/ports/porttest"
)

// The wrapper without a defect passes, so that what the suite finds in the
// others is their defect.
func TestSuitePassesAnHonestStore(t *testing.T) {
	porttest.Stores(t, defect{}.harness())
}

// Every store here breaks one sentence of the contract; the case of that
// sentence must say so.
func TestSuiteFindsBrokenStores(t *testing.T) {
	for _, broken := range []struct {
		name   string
		defect defect
		found  []string // cases that must fail
	}{
		{"keeps what an error should undo", defect{update: keepsOnError}, []string{"an error keeps nothing of any kind of write"}},
		{"keeps what a panic should undo", defect{update: keepsOnPanic}, []string{"a panic keeps nothing and goes on"}},
		{"keeps what was written under an ended context", defect{update: ignoresContext},
			[]string{"an ended context keeps nothing", "a context that ends inside keeps nothing"}},
		{"hides a failed commit", defect{update: hidesFailedCommit}, []string{"a commit that fails is reported and keeps nothing"}},
		{"keeps what a failed commit reported", defect{update: keepsFailedCommit}, []string{"a commit that fails is reported and keeps nothing"}},
		{"drops the check of revisions", defect{tx: wrapTx(dropsRevisions)},
			[]string{"of twenty writers of one revision one wins", "put under another revision is a conflict"}},
		{"shares objects between actors", defect{open: sharesOpen, create: sharesCreate},
			[]string{"two actors use one object id apart", "similar actors have stores of their own"}},
		{"opens by the last part of the path", defect{open: opensBySegment},
			[]string{"another spelling of an actor opens and makes nothing of it"}},
		{"makes a store when it opens one", defect{open: opensOrMakes},
			[]string{"open never makes a store", "clone never makes a store"}},
		{"opens the existing store on create", defect{create: makesOrOpens}, []string{"create of an existing store is a conflict"}},
		{"makes a store for no actor", defect{create: makesForNobody}, []string{"no store without an actor can be opened or made"}},
		{"accepts gaps in a ledger", defect{tx: wrapTx(acceptsGaps)}, []string{"an entry must follow the tail without a gap"}},
		{"mints on a replica", defect{tx: wrapTx(mintsAnywhere)}, []string{"only an own ledger mints and only a replica applies"}},
		{"loses the order of a list", defect{reader: losesOrder},
			[]string{"list is in the order of first writing", "pages join to the whole list"}},
		{"folds the case of ids", defect{tx: wrapTx(foldsCase)}, []string{"keys that differ in any byte are different"}},
		{"compacts bodies", defect{tx: wrapTx(trimsBodies)}, []string{"get gives a body byte for byte at every depth"}},
		{"finds duplicates by id alone", defect{tx: wrapTx(dedupesByID)}, []string{"an id that another sender used is blocked by nothing"}},
		{"finds no duplicates", defect{tx: wrapTx(dedupesNothing)}, []string{"an item of the same sender, id and digest is not stored twice"}},
		{"loses nanoseconds", defect{tx: wrapTx(losesNanoseconds)}, []string{"times come back equal in UTC to the nanosecond"}},
		{"delivers twice", defect{tx: wrapTx(deliversTwice)}, []string{"a delivery that succeeded is gone"}},
		{"takes another actor's activities", defect{tx: wrapTx(takesForeign)}, []string{"another actor's activity is refused"}},
		{"takes activities without recipients", defect{tx: wrapTx(takesUnaddressed)}, []string{"an activity without an id or a recipient is refused"}},
		{"reads each time anew in a view", defect{view: readsAnew}, []string{"a view sees one unchanging state"}},
		{"works after close", defect{close: func(*layer) error { return nil }}, []string{"a closed handle refuses every call"}},
	} {
		t.Run(broken.name, func(t *testing.T) {
			t.Parallel()
			for _, c := range porttest.Cases() {
				if !slices.Contains(broken.found, c.Name) {
					continue
				}
				r := record(t, func(t testing.TB) { c.Run(t, broken.defect.harness()) })
				if !slices.ContainsFunc(r.reports, func(s string) bool { return strings.HasPrefix(s, "broken: ") }) {
					t.Errorf("the case %q does not find it; reports: %q", c.Name, r.reports)
				}
				broken.found = slices.DeleteFunc(broken.found, func(name string) bool { return name == c.Name })
			}
			if len(broken.found) > 0 {
				t.Errorf("no such cases: %q", broken.found)
			}
		})
	}
}

// A declared lack skips just the cases that need what is lacking.
func TestDeclaredLacksAreSkipped(t *testing.T) {
	h := defect{}.harness()
	h.Reopen, h.FailNextCommit = nil, nil
	var skipped []string
	for _, c := range porttest.Cases() {
		r := record(t, func(t testing.TB) { c.Run(t, h) })
		if r.skipped {
			skipped = append(skipped, c.Name)
		}
		if len(r.reports) > 0 {
			t.Errorf("%s: %q", c.Name, r.reports)
		}
	}
	want := []string{
		"a commit that fails is reported and keeps nothing",
		"a place opened again has everything that was committed",
		"a place opened again goes on where it stood",
		"attempts are counted over restarts",
	}
	if !slices.Equal(want, skipped) {
		t.Errorf("skipped %q, want %q", skipped, want)
	}
}

// Transactions.

func keepsOnError(ctx context.Context, l *layer, f func(ports.Tx) error) error {
	var own error
	if err := l.DataLayer.Update(ctx, func(tx ports.Tx) error {
		own = f(tx)
		return nil
	}); err != nil {
		return err
	}
	return own
}

func keepsOnPanic(ctx context.Context, l *layer, f func(ports.Tx) error) error {
	var thrown any
	err := l.DataLayer.Update(ctx, func(tx ports.Tx) error {
		defer func() { thrown = recover() }()
		return f(tx)
	})
	if thrown != nil {
		panic(thrown)
	}
	return err
}

func ignoresContext(ctx context.Context, l *layer, f func(ports.Tx) error) error {
	if err := l.DataLayer.Update(context.WithoutCancel(ctx), f); err != nil {
		return err
	}
	return ctx.Err()
}

func hidesFailedCommit(ctx context.Context, l *layer, f func(ports.Tx) error) error {
	if err := l.honestUpdate(ctx, f); !errors.Is(err, errCommit) {
		return err
	}
	return nil
}

func keepsFailedCommit(ctx context.Context, l *layer, f func(ports.Tx) error) error {
	err := l.DataLayer.Update(ctx, f)
	if err == nil && l.failNext.Swap(false) {
		return errCommit
	}
	return err
}

// readsAnew gives f a reader each of whose reads is a view of its own.
func readsAnew(ctx context.Context, l *layer, f func(ports.Reader) error) error {
	return f(anew{ctx: ctx, layer: l.DataLayer})
}

// Places.

var everyone = func() model.ActorID {
	id, err := model.ParseActorID("https://shared.example/actors/everyone")
	if err != nil {
		panic(err)
	}
	return id
}()

// as is a handle on a shared store that says it is the actor's.
type as struct {
	ports.DataLayer
	actor model.ActorID
}

func (a as) Actor() model.ActorID { return a.actor }

func sharesOpen(ctx context.Context, s ports.Stores, a model.ActorID) (ports.DataLayer, error) {
	inner, err := s.Open(ctx, everyone)
	return as{inner, a}, err
}

func sharesCreate(ctx context.Context, s ports.Stores, a model.ActorID) (ports.DataLayer, error) {
	if inner, err := s.Create(ctx, everyone); err == nil {
		return as{inner, a}, nil
	}
	return sharesOpen(ctx, s, a)
}

func opensBySegment(ctx context.Context, s ports.Stores, a model.ActorID) (ports.DataLayer, error) {
	id, err := model.ParseActorID("https://vendor.example/actors/" + strings.ToLower(a.Segment()))
	if err != nil {
		return nil, err
	}
	return s.Open(ctx, id)
}

func opensOrMakes(ctx context.Context, s ports.Stores, a model.ActorID) (ports.DataLayer, error) {
	inner, err := s.Open(ctx, a)
	if fault.CodeOf(err) == fault.NotFound {
		return s.Create(ctx, a)
	}
	return inner, err
}

func makesOrOpens(ctx context.Context, s ports.Stores, a model.ActorID) (ports.DataLayer, error) {
	inner, err := s.Create(ctx, a)
	if fault.CodeOf(err) == fault.Conflict {
		return s.Open(ctx, a)
	}
	return inner, err
}

func makesForNobody(ctx context.Context, s ports.Stores, a model.ActorID) (ports.DataLayer, error) {
	if a.IsZero() {
		a = everyone
	}
	return s.Create(ctx, a)
}

// Writes and reads.

// spoiled is a transaction some of whose methods are replaced.
type spoiled struct {
	ports.Tx
	put     func(ports.Record) (int64, error)
	get     func(ports.Kind, string) (ports.Record, error)
	mint    func(ledger.Entry) error
	receive func(ports.InboxItem) (int64, bool, error)
	send    func(ports.OutboxItem) (int64, error)
	attempt func(ports.Attempt) error
}

func wrapTx(spoil func(*spoiled)) func(ports.Tx) ports.Tx {
	return func(tx ports.Tx) ports.Tx {
		s := &spoiled{
			Tx: tx, put: tx.Put, get: tx.Get, mint: tx.Mint, receive: tx.InboxAppend, send: tx.OutboxAppend,
			attempt: tx.DeliverySettle,
		}
		spoil(s)
		return s
	}
}

func (s *spoiled) Put(r ports.Record) (int64, error)                    { return s.put(r) }
func (s *spoiled) Get(kind ports.Kind, id string) (ports.Record, error) { return s.get(kind, id) }
func (s *spoiled) Mint(e ledger.Entry) error                            { return s.mint(e) }
func (s *spoiled) InboxAppend(i ports.InboxItem) (int64, bool, error)   { return s.receive(i) }
func (s *spoiled) OutboxAppend(i ports.OutboxItem) (int64, error)       { return s.send(i) }
func (s *spoiled) DeliverySettle(a ports.Attempt) error                 { return s.attempt(a) }

func dropsRevisions(s *spoiled) {
	s.put = func(r ports.Record) (int64, error) {
		if held, err := s.Tx.Get(r.Kind, r.ID); err == nil && r.Rev != 0 {
			r.Rev = held.Rev
		}
		return s.Tx.Put(r)
	}
}

func foldsCase(s *spoiled) {
	s.put = func(r ports.Record) (int64, error) {
		r.ID = strings.ToLower(r.ID)
		if held, err := s.Tx.Get(r.Kind, r.ID); err == nil {
			r.Rev = held.Rev
		}
		return s.Tx.Put(r)
	}
}

func trimsBodies(s *spoiled) {
	s.put = func(r ports.Record) (int64, error) {
		r.Body = []byte(strings.TrimSpace(string(r.Body)))
		return s.Tx.Put(r)
	}
}

func acceptsGaps(s *spoiled) {
	s.mint = func(e ledger.Entry) error {
		head, err := s.Tx.Ledger(e.CaseID)
		if err == nil && e.Index > head.Tail {
			e.Index = head.Tail + 1
		}
		return s.Tx.Mint(e)
	}
}

func mintsAnywhere(s *spoiled) {
	s.mint = func(e ledger.Entry) error {
		err := s.Tx.Mint(e)
		if fault.CodeOf(err) == fault.Forbidden {
			return s.Tx.Apply(e)
		}
		return err
	}
}

func dedupesByID(s *spoiled) {
	s.receive = func(i ports.InboxItem) (int64, bool, error) {
		i.Sender, i.Digest = "", ""
		return s.Tx.InboxAppend(i)
	}
}

func dedupesNothing(s *spoiled) {
	s.receive = func(i ports.InboxItem) (int64, bool, error) {
		i.Digest += i.ReceivedAt.String() + string(i.Body)
		return s.Tx.InboxAppend(i)
	}
}

func losesNanoseconds(s *spoiled) {
	s.receive = func(i ports.InboxItem) (int64, bool, error) {
		i.ReceivedAt = i.ReceivedAt.Truncate(time.Microsecond)
		return s.Tx.InboxAppend(i)
	}
}

func deliversTwice(s *spoiled) {
	s.attempt = func(a ports.Attempt) error {
		a.Delivered = false
		return s.Tx.DeliverySettle(a)
	}
}

func takesForeign(s *spoiled) {
	s.send = func(i ports.OutboxItem) (int64, error) {
		seq, err := s.Tx.OutboxAppend(i)
		if fault.CodeOf(err) == fault.OwnerMismatch {
			return 1, nil
		}
		return seq, err
	}
}

func takesUnaddressed(s *spoiled) {
	s.send = func(i ports.OutboxItem) (int64, error) {
		if len(i.Recipients) == 0 {
			i.Recipients = []string{"nobody"}
		}
		return s.Tx.OutboxAppend(i)
	}
}

// sorted is a reader that lists by id, backwards.
type sorted struct{ ports.Reader }

func losesOrder(r ports.Reader) ports.Reader { return sorted{r} }

func (s sorted) List(p ports.ListParams) ([]ports.Record, error) {
	list, err := s.Reader.List(p)
	slices.SortFunc(list, func(a, b ports.Record) int { return -strings.Compare(a.ID, b.ID) })
	return list, err
}
