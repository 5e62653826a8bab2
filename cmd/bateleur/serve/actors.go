package serve

import (
	"strings"

	"bateleur/core/fault"
	"bateleur/core/model"
	"bateleur/core/ports"
)

// profiles reads the hosted actors, the node's case manager last.
func (c *Command) profiles() ([]ports.Profile, error) {
	manager, err := model.HostedActorID(c.BaseURL, c.CaseManager)
	if err != nil {
		return nil, err
	}
	var out []ports.Profile
	for _, given := range c.Actor {
		p, err := c.profile(given, manager)
		if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	if !c.NoCaseManager {
		out = append(out, ports.Profile{ManagesCases: true, Manager: manager,
			Actor: model.Actor{ID: manager.URI(), Type: "Service", Name: "Case manager"}})
	}
	if len(out) == 0 {
		return nil, fault.Field("serve", c.BaseURL, "actor", "a node without a case manager needs an actor")
	}
	return out, nil
}

// profile reads SEGMENT[,key=value...].
func (c *Command) profile(given string, manager model.ActorID) (ports.Profile, error) {
	segment, rest, _ := strings.Cut(given, ",")
	id, err := model.HostedActorID(c.BaseURL, strings.TrimSpace(segment))
	if err != nil {
		return ports.Profile{}, err
	}
	p := ports.Profile{Manager: manager, Actor: model.Actor{ID: id.URI(), Type: "Organization", Name: id.Segment()}}
	for rest != "" {
		var setting string
		setting, rest, _ = strings.Cut(rest, ",")
		key, value, _ := strings.Cut(setting, "=")
		if err := set(&p, strings.TrimSpace(key), strings.TrimSpace(value)); err != nil {
			return p, fault.Field("serve", given, "actor", err.Error())
		}
	}
	return p, nil
}

type settingError string

func (e settingError) Error() string { return string(e) }

func set(p *ports.Profile, key, value string) error {
	switch key {
	case "type":
		if !model.IsActorType(value) {
			return settingError(value + " is not one of " + strings.Join(model.ActorTypes, ", "))
		}
		p.Actor.Type = value
	case "name":
		p.Actor.Name = value
	case "manager":
		manager, err := model.ParseActorID(value)
		p.Manager = manager
		return err
	case "roles":
		for name := range strings.SplitSeq(value, "+") {
			role, known := model.ParseRole(name)
			if !known {
				return settingError(name + " is not a role")
			}
			p.Roles = append(p.Roles, role)
		}
	case "manages-cases":
		p.ManagesCases = true
	case "keep-reports":
		p.KeepReports = true
	default:
		return settingError(key + " is not a setting of an actor")
	}
	return nil
}
