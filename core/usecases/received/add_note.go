package received

import (
	"bateleur/core/bt"
	"bateleur/core/cases"
	"bateleur/core/model"
	"bateleur/core/scope"
	"bateleur/core/usecases/leaf"
)

// createNote takes notice of a note: it becomes part of the case by its Add,
// which carries it whole, so there is nothing to keep.
var createNote = leaf.Compile(bt.Sequence("create_note",
	noteIsSenders(),
	leaf.Guard("its Add will carry it", func(*scope.Scope) bt.Result { return bt.Ok() })))

// addNote makes a sender's note part of the case.
var addNote = leaf.Compile(assertion("add_note_to_case", cases.EventAddNote, []leaf.Node{
	leaf.CaseIsHere(),
	leaf.SenderParticipates(),
	noteIsSenders(),
	noteIsNew(),
	leaf.NotLedgered(cases.EventAddNote),
}))

func noteIsSenders() leaf.Node {
	return leaf.Guard("note is the sender's", func(s *scope.Scope) bt.Result {
		note, ok := model.InlineAs[*model.Note](s.Message().Object)
		switch {
		case !ok || note.ID == "":
			return bt.Fail(leaf.Malformed, "the note must be inline and have an id")
		case note.AttributedTo != "" && note.AttributedTo != s.Sender().URI():
			return bt.Fail(leaf.NotForSender, "the note is "+note.AttributedTo+"'s")
		}
		return bt.Ok()
	})
}

func noteIsNew() leaf.Node {
	return leaf.Guard("note is new", func(s *scope.Scope) bt.Result {
		_, known, err := cases.Find[model.Note](s, cases.KindNote, s.Message().Object.ID())
		switch {
		case err != nil:
			return bt.Abort(err)
		case known:
			return bt.Fail(leaf.Duplicate, "the case has this note")
		}
		return bt.Ok()
	})
}
