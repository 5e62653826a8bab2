package as2

import (
	"strings"
	"time"

	"bateleur/core/model"
)

// Names are for people who read messages in a log. Peers generate one where
// there is none, by the same rules, and nobody reads anything out of them.

func activityName(a *model.Activity) string {
	if a.Name != "" {
		return a.Name
	}
	words := []string{a.Actor, a.Type, nameOf(a.Object)}
	if from := nameOf(a.Origin); from != "" {
		words = append(words, "from", from)
	}
	if to := nameOf(a.Target); to != "" {
		words = append(words, "to", to)
	}
	return join(words...)
}

// nameOf is what an activity's name calls the thing it refers to.
func nameOf(i model.Item) string {
	name := ""
	switch o := i.Object().(type) {
	case *model.Report:
		name = o.Name
	case *model.VulnerabilityCase:
		name = o.Name
	case *model.CaseParticipant:
		name = participantName(o)
	case *model.ParticipantStatus:
		name = participantStatusName(o)
	case *model.CaseStatus:
		name = caseStatusName(o)
	case *model.EmbargoEvent:
		name = embargoName(o)
	case *model.Note:
		name = o.Name
	case *model.Actor:
		name = o.Name
	}
	if name == "" {
		return i.ID()
	}
	return name
}

func participantName(o *model.CaseParticipant) string {
	if o.Name != "" {
		return o.Name
	}
	return o.AttributedTo
}

func participantStatusName(o *model.ParticipantStatus) string {
	if o.Name != "" {
		return o.Name
	}
	world := ""
	if status, ok := model.InlineAs[*model.CaseStatus](o.CaseStatus); ok {
		world = caseStatusName(status)
	}
	return join(string(o.RMState), string(o.VFDState), world)
}

func caseStatusName(o *model.CaseStatus) string {
	if o.Name != "" {
		return o.Name
	}
	return join(string(o.EMState), string(o.PXAState))
}

func embargoName(o *model.EmbargoEvent) string {
	if o.Name != "" || o.EndTime.IsZero() {
		return o.Name
	}
	words := []string{"Embargo", "for", o.Context}
	if !o.StartTime.IsZero() {
		words = append(words, "start:", o.StartTime.UTC().Format(time.RFC3339))
	}
	return join(append(words, "end:", o.EndTime.UTC().Format(time.RFC3339))...)
}

// join puts blanks between the words that are there.
func join(words ...string) string {
	kept := words[:0]
	for _, w := range words {
		if w != "" {
			kept = append(kept, w)
		}
	}
	return strings.Join(kept, " ")
}
