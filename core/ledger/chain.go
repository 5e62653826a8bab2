package ledger

import (
	"fmt"
	"iter"

	"bateleur/core/fault"
)

// Mode says what to do with an entry whose hash holds only by re-spelling.
type Mode uint8

// The modes of verification.
const (
	Strict   Mode = iota // refuse it
	Tolerant             // take it and flag it
)

// Chain verifies a ledger entry by entry and remembers only where it stands, so
// that a ledger of any length needs no slice. Make one with StartChain or
// ResumeChain. A Chain belongs to one goroutine.
type Chain struct {
	caseID string
	tail   string
	next   int64
}

// StartChain begins at a case's genesis. Without a genesis nothing verifies.
func StartChain(caseID, genesis string) Chain { return ResumeChain(caseID, genesis, 0) }

// ResumeChain goes on behind an entry that is trusted already: tail is its hash
// and next the index that must follow.
func ResumeChain(caseID, tail string, next int64) Chain {
	return Chain{caseID: caseID, tail: tail, next: next}
}

// Tail is the hash the next entry must name: that of the last entry taken, or
// the genesis.
func (c *Chain) Tail() string { return c.tail }

// Next is the index the next entry must have: the number of entries so far.
func (c *Chain) Next() int64 { return c.next }

// Take verifies the next entry: its case, index, link and hash, and that it is
// a recorded one. What does not follow is [fault.Corrupt] with the entry's id as
// subject, and the chain stays where it was. Implements SYNC-01-002,
// SYNC-01-003 and CLP-04-003.
func (c *Chain) Take(e Entry, mode Mode) (Verdict, error) {
	if text := c.misplaced(&e); text != "" {
		return VerdictMismatch, fault.New("ledger.chain", e.ID(), fault.Corrupt, text)
	}
	verdict, err := Verify(e)
	if err != nil {
		return verdict, err
	}
	if verdict == VerdictRespelled && mode == Strict {
		return verdict, fault.New("ledger.chain", e.ID(), fault.Corrupt, "the hash holds only with timestamps re-spelled")
	}
	c.tail, c.next = e.Hash, c.next+1
	return verdict, nil
}

func (c *Chain) misplaced(e *Entry) string {
	switch {
	case !isHash(c.tail):
		return "there is no genesis to link to"
	case e.CaseID != c.caseID:
		return fmt.Sprintf("the entry is of another case than %s", c.caseID)
	case e.Index != c.next:
		return fmt.Sprintf("index %d stands where %d must", e.Index, c.next)
	case e.Disposition != Recorded:
		return "only recorded entries are chained"
	case e.PrevHash != c.tail:
		return fmt.Sprintf("entry %d does not link to the one before", e.Index)
	}
	return ""
}

// Summary is what a verified ledger comes to.
type Summary struct {
	Entries   int64   // how many
	Tail      string  // hash of the last one, or the genesis
	Respelled []int64 // indices flagged in Tolerant mode
}

// VerifyChain verifies a whole ledger from its genesis: one case, contiguous
// from 0, every link and every hash. The first entry that does not hold is
// [fault.Corrupt]; the error names its case and index. An empty ledger holds.
func VerifyChain(genesis string, entries []Entry, mode Mode) error {
	_, err := VerifySeq(genesis, func(yield func(Entry, error) bool) {
		for _, e := range entries {
			if !yield(e, nil) {
				return
			}
		}
	}, mode)
	return err
}

// VerifySeq is VerifyChain over entries as they are read. An error that the
// sequence yields ends the verification and is returned as it is.
func VerifySeq(genesis string, entries iter.Seq2[Entry, error], mode Mode) (Summary, error) {
	sum := Summary{Tail: genesis}
	var chain Chain
	for e, err := range entries {
		if err != nil {
			return sum, err
		}
		if sum.Entries == 0 {
			chain = StartChain(e.CaseID, genesis)
		}
		verdict, err := chain.Take(e, mode)
		if err != nil {
			return sum, err
		}
		if verdict == VerdictRespelled {
			sum.Respelled = append(sum.Respelled, e.Index)
		}
		sum.Entries, sum.Tail = chain.Next(), chain.Tail()
	}
	return sum, nil
}
