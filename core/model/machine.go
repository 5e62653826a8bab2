package model

import (
	"bateleur/core/fault"
)

// edge is one row of a state machine's table.
type edge[S ~string] struct {
	from    S
	trigger string
	to      S
}

// machine is a table of transitions; whatever it does not list is illegal.
type machine[S ~string] struct {
	name  string
	edges []edge[S]
}

// Next gives the state after trigger, or fault.Invalid when the table has no
// such row.
func (m machine[S]) next(from S, trigger string) (S, error) {
	for _, e := range m.edges {
		if e.from == from && e.trigger == trigger {
			return e.to, nil
		}
	}
	return from, fault.New("model."+m.name, string(from), fault.Invalid,
		"no transition "+trigger+" from "+string(from))
}

func (m machine[S]) reaches(from, to S) bool {
	for _, e := range m.edges {
		if e.from == from && e.to == to {
			return true
		}
	}
	return false
}
