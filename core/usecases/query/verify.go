package query

import (
	"encoding/json"
	"fmt"

	"bateleur/core/cases"
	"bateleur/core/fault"
	"bateleur/core/ledger"
	"bateleur/core/model"
	"bateleur/core/ports"
)

// Verification is what looking through a case's ledger came to.
type Verification struct {
	Case      string         `json:"case"`
	Standing  ports.Standing `json:"standing"`
	OK        bool           `json:"ok"`
	Entries   int64          `json:"entries"`   // how many hold, from the first one on
	Respelled []int64        `json:"respelled"` // of these, which hold only with dates spelled otherwise
	TailHash  string         `json:"tailHash"`  // of the last one that holds
	Checks    []Check        `json:"checks"`
}

// Check is one thing that was looked at.
type Check struct {
	Name string `json:"name"`
	OK   bool   `json:"ok"`
	Text string `json:"text,omitempty"` // what is wrong
}

// Names of the checks.
const (
	CheckGenesis    = "genesis"    // the ledger begins where its case says
	CheckChain      = "chain"      // every index, link and hash, computed again
	CheckHead       = "head"       // the ledger ends where the store says
	CheckProjection = "projection" // the stored case is what seed and entries give
)

// VerifyLedger computes a case's ledger anew: its genesis, every hash and link,
// its end, and the case that follows from seed and entries. Damage is no error:
// it is what the Verification says. decode reads an entry's snapshot, as
// ports.Wire does. fault.NotFound when the store holds no ledger of the case.
// Implements BA-05-001 and, for every replica, SYNC-08-002.
func VerifyLedger(r ports.Reader, caseID string, decode func([]byte) (*model.Activity, error)) (Verification, error) {
	head, err := r.Ledger(caseID)
	if err != nil {
		return Verification{}, absent("case", caseID, err)
	}
	v := &Verification{Case: caseID, Standing: head.Standing, OK: true, Respelled: []int64{}}
	checks := []struct {
		name string
		run  func() (string, error)
	}{
		{CheckGenesis, func() (string, error) { return genesis(r, head) }},
		{CheckChain, func() (string, error) { return "", v.chain(r, head) }},
		{CheckHead, func() (string, error) { return v.end(head), nil }},
		{CheckProjection, func() (string, error) { return projection(r, caseID, decode) }},
	}
	for _, c := range checks {
		if err := v.note(c.name, c.run); err != nil {
			return Verification{}, err
		}
	}
	return *v, nil
}

// note keeps a check's result. What is damaged is a result; what could not be
// read is an error.
func (v *Verification) note(name string, check func() (string, error)) error {
	text, err := check()
	switch fault.CodeOf(err) {
	case "":
	case fault.Corrupt, fault.Invalid, fault.TooLarge, fault.Conflict, fault.NotFound, fault.Inconsistent:
		text = err.Error()
	default:
		return err
	}
	v.Checks = append(v.Checks, Check{Name: name, OK: text == "", Text: text})
	v.OK = v.OK && text == ""
	return nil
}

func genesis(r ports.Reader, head ports.LedgerHead) (string, error) {
	c, err := caseIn(r, head.CaseID)
	if err != nil {
		return "", err
	}
	if ledger.Genesis(c.ID, c.Published, c.Founder) != head.Genesis {
		return "the case's id, time and founder do not give the ledger's genesis", nil
	}
	return "", nil
}

func (v *Verification) chain(r ports.Reader, head ports.LedgerHead) error {
	chain := ledger.StartChain(head.CaseID, head.Genesis)
	v.TailHash = chain.Tail()
	for e, err := range entriesOf(r, head.CaseID) {
		if err != nil {
			return err
		}
		verdict, err := chain.Take(e, ledger.Tolerant)
		if err != nil {
			return err
		}
		if verdict == ledger.VerdictRespelled {
			v.Respelled = append(v.Respelled, e.Index)
		}
		v.Entries, v.TailHash = chain.Next(), chain.Tail()
	}
	return nil
}

func (v *Verification) end(head ports.LedgerHead) string {
	if v.Entries != head.Tail+1 || v.TailHash != head.TailHash {
		return fmt.Sprintf("the store says entry %d is the last, the entries that hold end at %d", head.Tail, v.Entries-1)
	}
	return ""
}

func projection(r ports.Reader, caseID string, decode func([]byte) (*model.Activity, error)) (string, error) {
	stored, err := caseIn(r, caseID)
	if err != nil {
		return "", err
	}
	seed, err := cases.Load[*model.VulnerabilityCase](r, cases.KindSeed, caseID)
	if err != nil {
		return "", err
	}
	rebuilt, err := cases.Rebuild(seed.Value, entriesOf(r, caseID),
		func(e ledger.Entry) (*model.Activity, error) { return decode(e.Payload) })
	if err != nil {
		return "", err
	}
	want, err := json.Marshal(rebuilt)
	if err != nil {
		return "", err
	}
	got, err := json.Marshal(stored)
	if err != nil {
		return "", err
	}
	if string(want) != string(got) {
		return "the stored case is not what its seed and its entries give", nil
	}
	return "", nil
}

func caseIn(r ports.Reader, caseID string) (cases.Case, error) {
	c, err := cases.Load[cases.Case](r, cases.KindCase, caseID)
	return c.Value, err
}
