package scope

import (
	"bytes"
	"encoding/json"
	"slices"
	"time"

	"bateleur/core/authority"
	"bateleur/core/cases"
	"bateleur/core/fault"
	"bateleur/core/ledger"
	"bateleur/core/model"
	"bateleur/core/ports"
)

// Draft is an assertion on its way into the ledger.
type Draft struct {
	EventType string
	ObjectID  string
	// Activity is what was asserted, with a target inline where it has one.
	Activity *model.Activity
	// Raw is the activity as its asserter sent it, nil for the manager's own. What
	// it says beyond the model is kept in the snapshot.
	Raw []byte
	// Altered tells that Activity.Object differs from Raw's: the manager took over
	// a part only (RSH-05-001).
	Altered bool
}

// Mint appends an assertion to the case's own ledger and projects it, in this
// order and in one unit of work. The same assertion is never ledgered twice
// (CLP-07-001). It needs the authority of an open gate and a ledger that is the
// store's own: fault.Forbidden otherwise (CLP-09-001, CLP-10-014).
func (s *Scope) Mint(auth authority.Case, d Draft) (ledger.Entry, error) {
	if err := auth.Check(s.executing, s.caseID); err != nil {
		return ledger.Entry{}, err
	}
	known, err := s.unit.EntryByObject(s.caseID, d.EventType, d.ObjectID)
	if err == nil || fault.CodeOf(err) != fault.NotFound {
		return known, err
	}
	if err := s.listen(); err != nil {
		return ledger.Entry{}, err
	}
	e, err := s.nextEntry(d)
	if err != nil {
		return ledger.Entry{}, err
	}
	if err := s.unit.Mint(e); err != nil {
		return ledger.Entry{}, err
	}
	s.setMinted(append(slices.Clip(s.minted), e))
	return e, cases.Project(s.unit, s.tools.Memo, e, d.Activity)
}

// listen notes who will hear of the run's entries: the audience before the
// first of them, so that one who leaves still learns that it left.
func (s *Scope) listen() error {
	if s.listening {
		return nil
	}
	c, err := s.Case()
	if err != nil {
		return err
	}
	s.audience, s.listening = c.Audience(), true
	return nil
}

func (s *Scope) nextEntry(d Draft) (ledger.Entry, error) {
	head, err := s.unit.Ledger(s.caseID)
	if err != nil {
		return ledger.Entry{}, err
	}
	payload, err := s.snapshot(d)
	if err != nil {
		return ledger.Entry{}, err
	}
	stamp := s.Now().UTC().Format(time.RFC3339)
	e := ledger.Entry{CaseID: s.caseID, Index: head.Tail + 1, Disposition: ledger.Recorded,
		ObjectID: d.ObjectID, EventType: d.EventType, Payload: payload, PrevHash: head.TailHash,
		ReceivedAt: stamp, Published: stamp, Updated: stamp}
	e.Hash, err = e.ComputeHash()
	return e, err
}

// snapshot is the assertion as the ledger keeps it: whole, inline, about this
// case.
func (s *Scope) snapshot(d Draft) ([]byte, error) {
	raw, err := s.asserted(d)
	if err != nil {
		return nil, err
	}
	if raw, err = ledger.WithContext(raw, s.caseID); err != nil {
		return nil, err
	}
	return raw, ledger.CheckSnapshot(raw, s.caseID, s.executing.URI())
}

func (s *Scope) asserted(d Draft) ([]byte, error) {
	a := d.Activity
	if d.Raw == nil || len(a.BTo) > 0 || len(a.BCC) > 0 {
		open := *a
		open.BTo, open.BCC = nil, nil
		return plainJSON(&open)
	}
	members := map[string]any{"actor": a.Actor}
	if a.Target.Object() != nil {
		members["target"] = a.Target
	}
	if d.Altered {
		members["object"] = a.Object
	}
	raw := d.Raw
	for _, name := range []string{"actor", "target", "object"} {
		value, set := members[name]
		if !set {
			continue
		}
		text, err := plainJSON(value)
		if err != nil {
			return nil, err
		}
		if raw, err = ledger.WithMember(raw, name, text); err != nil {
			return nil, err
		}
	}
	return raw, nil
}

func plainJSON(v any) ([]byte, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return bytes.TrimRight(buf.Bytes(), "\n"), err
}

// AnnounceMinted tells the case's audience of the entries that this run minted:
// one row an entry, a place in each recipient's queue, an activity of its own
// for each (SYNC-02-002). The manager tells itself nothing.
func (s *Scope) AnnounceMinted(auth authority.Case) error {
	if err := auth.Check(s.executing, s.caseID); err != nil {
		return err
	}
	for _, e := range s.minted {
		if err := s.AnnounceEntry(auth, e, s.audience...); err != nil {
			return err
		}
	}
	s.setMinted(nil)
	return nil
}

// setMinted says which entries are yet to be announced, until that is undone.
func (s *Scope) setMinted(news []ledger.Entry) {
	before := s.minted
	s.minted = news
	s.unit.Beside(func() { s.minted = before })
}

// AnnounceEntry tells the recipients of one entry; none is no error.
func (s *Scope) AnnounceEntry(auth authority.Case, e ledger.Entry, recipients ...string) error {
	if len(recipients) == 0 {
		return auth.Check(s.executing, s.caseID)
	}
	a := s.NewActivity(model.Announce, &model.LedgerEntry{Entry: e})
	return s.EmitForCase(auth, a, ports.EmitOptions{Recipients: recipients, PerRecipient: true, About: e.ID()})
}

// Ledger gives the run's case's ledger, or fault.NotFound.
func (s *Scope) Ledger() (ports.LedgerHead, error) { return s.unit.Ledger(s.caseID) }

// Entries gives entries of the run's case.
func (s *Scope) Entries(from int64, limit int) ([]ledger.Entry, error) {
	return s.unit.Entries(s.caseID, from, limit)
}

// EntryByHash finds an entry of the run's case, or fault.NotFound.
func (s *Scope) EntryByHash(hash string) (ledger.Entry, error) {
	return s.unit.EntryByHash(s.caseID, hash)
}

// EntryByObject finds the first entry of a type about an object, or
// fault.NotFound.
func (s *Scope) EntryByObject(eventType, objectID string) (ledger.Entry, error) {
	return s.unit.EntryByObject(s.caseID, eventType, objectID)
}
