// Package query reads what one actor's store knows, in the shapes that owners
// and tools are shown. Every function reads one state of one store, writes
// nothing, and looks into no other actor's store.
//
// What is not here is fault.NotFound in the same words, whether it exists
// elsewhere or not: an answer tells nothing of cases that the actor is not in.
package query

import "bateleur/core/fault"

// MaxPage bounds a page, whatever is asked for.
const MaxPage = 1000

// Page selects a part of a list. The zero Page is its beginning.
type Page struct {
	After string // the id of the last one of the page before, "" for the beginning
	Limit int    // how many at most; 0 and what is beyond MaxPage mean MaxPage
}

func (p Page) limit() int { return bounded(p.Limit) }

func bounded(limit int) int {
	if limit <= 0 || limit > MaxPage {
		return MaxPage
	}
	return limit
}

// absent is the one answer about what is not in the store.
func absent(what, id string, err error) error {
	if fault.CodeOf(err) == fault.NotFound {
		return fault.New("query", id, fault.NotFound, "no such "+what)
	}
	return err
}
