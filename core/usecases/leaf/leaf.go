// Package leaf holds what the case trees share: the words in which a tree is
// written, and the guards that many of them begin with.
//
// A tree reads as guards, then what is done under a role gate, then what is
// sent, then the latch. Guards only read.
package leaf

import (
	"bateleur/core/authority"
	"bateleur/core/bt"
	"bateleur/core/fault"
	"bateleur/core/model"
	"bateleur/core/scope"
)

type (
	// Node is a node of the case trees.
	Node = bt.Node[*scope.Scope]
	// Tree is one of the case trees.
	Tree = bt.Tree[*scope.Scope]
)

// Guard is a leaf that decides and writes nothing.
func Guard(name string, f func(*scope.Scope) bt.Result) Node { return bt.Leaf(name, f) }

// Do is a leaf that works; an error ends the run.
func Do(name string, f func(*scope.Scope) error) Node {
	return bt.Leaf(name, func(s *scope.Scope) bt.Result { return Result(f(s)) })
}

// ForCase is a leaf that acts for the case. Outside a role gate it does not
// compile, and has no authority to act with.
func ForCase(name string, f func(*scope.Scope, authority.Case) error) Node {
	return bt.Leaf(name, func(s *scope.Scope) bt.Result { return Result(f(s, s.Authority())) },
		bt.Needs(authority.ForCase))
}

// ForSender is ForCase for what a message asks to have recorded: what the ledger
// or the outbox does not take of it refuses the message, and ends no run.
func ForSender(name string, f func(*scope.Scope, authority.Case) error) Node {
	return bt.Leaf(name, func(s *scope.Scope) bt.Result { return refusal(f(s, s.Authority())) },
		bt.Needs(authority.ForCase))
}

func refusal(err error) bt.Result {
	switch fault.CodeOf(err) {
	case fault.Invalid:
		return bt.Fail(Malformed, err.Error())
	case fault.TooLarge:
		return bt.Fail(TooLarge, err.Error())
	}
	return Result(err)
}

// Latch is the leaf that writes what later guards take as evidence; it stands
// last (ID-04-005).
func Latch(name string, f func(*scope.Scope) error) Node {
	return bt.Leaf(name, func(s *scope.Scope) bt.Result { return Result(f(s)) }, bt.Latch())
}

// Result is a leaf's result: an error ends the run, nil is Success.
func Result(err error) bt.Result {
	if err != nil {
		return bt.Abort(err)
	}
	return bt.Ok()
}

var managerGate = authority.Gate[*scope.Scope](model.RoleCaseManager)

// WhenManager runs child where the executing actor manages the case and skips
// it, "not mine", where it does not: for messages that every replica gets.
func WhenManager(child Node) Node { return bt.WhenRole(managerGate, child) }

// AsManager runs child where the executing actor manages the case; anywhere
// else that is an error: for commands and delegated emits.
func AsManager(child Node) Node { return bt.RequireRole(managerGate, child) }

// Compile makes the immutable tree; a mistake in it is a defect of the program.
func Compile(root Node) *Tree {
	t, err := scope.Compile(root)
	if err != nil {
		panic(err)
	}
	return t
}

// Codes of Failures.
const (
	Absent        = "absent"         // what the run needs has not arrived yet
	Duplicate     = "duplicate"      // done before
	NotAllowed    = "not-allowed"    // the state machine or a role forbids it
	NotForSender  = "not-for-sender" // the sender may not say this
	NotAuthentic  = "not-authentic"  // what was sent does not hang together
	Unknown       = "unknown"        // names something that is not known here
	NothingChange = "no-change"      // says nothing new
	Malformed     = "malformed"      // a member is missing or of the wrong kind
	TooLarge      = "too-large"      // cannot be told to others in one message
)
