package trigger

import (
	"bateleur/core/bt"
	"bateleur/core/cases"
	"bateleur/core/model"
	"bateleur/core/ports"
	"bateleur/core/scope"
	"bateleur/core/usecases/leaf"
)

// addNote sends a note to the case's manager: its Create, then its Add.
var addNote = Trigger{Name: "add-note-to-case", Check: check[AddNote]("add-note-to-case"),
	Tree: leaf.Compile(bt.Sequence("add-note-to-case",
		caseIsHere(func(s *scope.Scope) (string, error) {
			p, err := scope.Params[AddNote](s)
			return p.CaseID, err
		}),
		managerIsKnown(),
		hasNotLeft(),
		leaf.Do("send the note", sendNote)))}

// hasNotLeft lets pass a participant that has not left the case.
func hasNotLeft() leaf.Node {
	return leaf.Guard("has not left the case", func(s *scope.Scope) bt.Result {
		p, err := me(s)
		switch {
		case err != nil:
			return bt.Abort(err)
		case p == nil || p.RM == model.RMClosed:
			return bt.Fail(leaf.NotAllowed, s.Executing().URI()+" takes no part in the case (any more)")
		}
		return bt.Ok()
	})
}

func sendNote(s *scope.Scope) error {
	p, err := scope.Params[AddNote](s)
	if err != nil {
		return err
	}
	c, err := s.Case()
	if err != nil {
		return err
	}
	note := &model.Note{ID: s.NewID(), Type: model.TypeNote, Name: p.Name, Content: p.Content,
		Context: c.ID, AttributedTo: s.Executing().URI(), InReplyTo: p.InReplyTo,
		Published: s.Now(), Updated: s.Now()}
	if err := s.Emit(s.NewActivity(model.Create, note, c.Manager()), ports.EmitOptions{}); err != nil {
		return err
	}
	add := s.NewActivity(model.Add, note)
	add.Target = model.Link(c.ID)
	if err := assert(s, add, cases.Pending{EventType: cases.EventAddNote, ObjectID: add.ID}); err != nil {
		return err
	}
	return s.Answer(map[string]any{"activity": add, "note": note})
}
