package serve

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/alecthomas/kong"

	"bateleur/core/fault"
	"bateleur/core/model"
	"bateleur/core/ports"
)

// Actor is how an actor is to be hosted.
type Actor struct {
	Segment      string   `yaml:"segment" json:"segment" validate:"segment"`
	Type         string   `yaml:"type" json:"type" validate:"omitempty,actortype"`
	Name         string   `yaml:"name" json:"name" validate:"max=1000"`
	Roles        []string `yaml:"roles" json:"roles" validate:"dive,role"`
	Manager      string   `yaml:"manager" json:"manager" validate:"omitempty,actoruri"`
	ManagesCases bool     `yaml:"manages-cases" json:"manages-cases"`
	KeepReports  bool     `yaml:"keep-reports" json:"keep-reports"`
}

// Decode reads the flag's form.
func (a *Actor) Decode(ctx *kong.DecodeContext) error {
	var text string
	if err := ctx.Scan.PopValueInto("actor", &text); err != nil {
		return err
	}
	read, err := ParseActor(text)
	*a = read
	return err
}

// ParseActor reads SEGMENT[,KEY=VALUE...]; a switch stands without a value. The
// error is fault.Invalid and names the key. A name with a comma has its place in
// a file.
func ParseActor(text string) (Actor, error) {
	segment, rest, more := strings.Cut(text, ",")
	a, seen := Actor{Segment: strings.TrimSpace(segment)}, map[string]bool{}
	for more {
		var part string
		part, rest, more = strings.Cut(rest, ",")
		key, value, valued := strings.Cut(part, "=")
		key, value = strings.TrimSpace(key), strings.TrimSpace(value)
		if seen[key] {
			return Actor{}, fault.Field("serve.actor", text, key, "is given twice")
		}
		seen[key] = true
		if why := a.set(key, value, valued); why != "" {
			return Actor{}, fault.Field("serve.actor", text, key, why)
		}
	}
	return a, nil
}

// set takes one setting over, or says why it is none.
func (a *Actor) set(key, value string, valued bool) (why string) {
	texts := map[string]*string{"type": &a.Type, "name": &a.Name, "manager": &a.Manager}
	switches := map[string]*bool{"manages-cases": &a.ManagesCases, "keep-reports": &a.KeepReports}
	switch text, on := texts[key], switches[key]; {
	case on != nil && !valued:
		*on = true
	case on != nil:
		b, err := strconv.ParseBool(value)
		if err != nil {
			return "takes true or false"
		}
		*on = b
	case text == nil && key != "roles":
		return "is not a setting of an actor"
	case value == "":
		return "needs a value"
	case text != nil:
		*text = value
	default:
		a.Roles = strings.Split(value, "+")
	}
	return ""
}

// profiles gives the actors as the node takes them, after check: those that are
// configured and, unless it is one of them or unwanted, the case manager.
func (s *Settings) profiles() ([]ports.Profile, error) {
	manager, err := model.HostedActorID(s.BaseURL, s.CaseManager)
	if err != nil {
		return nil, err
	}
	var out []ports.Profile
	hosted := s.NoCaseManager
	for _, a := range s.Actor {
		p, err := a.profile(s.BaseURL, manager)
		if err != nil {
			return nil, err
		}
		out, hosted = append(out, p), hosted || a.Segment == s.CaseManager
	}
	if !hosted {
		out = append(out, ports.Profile{ManagesCases: true, Manager: manager,
			Actor: model.Actor{ID: manager.URI(), Type: "Service", Name: "Case manager"}})
	}
	return out, nil
}

func (a *Actor) profile(base string, manager model.ActorID) (ports.Profile, error) {
	id, err := model.HostedActorID(base, a.Segment)
	if err != nil {
		return ports.Profile{}, err
	}
	p := ports.Profile{Manager: manager, ManagesCases: a.ManagesCases, KeepReports: a.KeepReports,
		Actor: model.Actor{ID: id.URI(), Type: cmp.Or(a.Type, "Organization"), Name: cmp.Or(a.Name, a.Segment)}}
	if a.Manager != "" {
		if p.Manager, err = model.ParseActorID(a.Manager); err != nil {
			return ports.Profile{}, err
		}
	}
	for _, name := range a.Roles {
		if role, known := model.ParseRole(name); known {
			p.Roles = append(p.Roles, role)
		}
	}
	return p, nil
}
