package simnet

import (
	"strings"

	"bateleur/core/model"
	"bateleur/core/ports"
)

// Base is the base URL of a host.
func Base(host string) string { return "http://" + host + ".test/api/v2" }

// Actor is the id of a host's actor.
func Actor(host, segment string) model.ActorID {
	id, err := model.HostedActorID(Base(host), segment)
	if err != nil {
		panic(err)
	}
	return id
}

// Profile sets up an actor that leaves its cases to a manager.
func Profile(id model.ActorID, typ string, manager model.ActorID) ports.Profile {
	return ports.Profile{Actor: model.Actor{ID: id.URI(), Type: typ, Name: id.Segment()}, Manager: manager}
}

// ManagerProfile sets up an actor that manages the cases proposed to it.
func ManagerProfile(id model.ActorID, typ string) ports.Profile {
	p := Profile(id, typ, id)
	p.ManagesCases = true
	return p
}

// hostOf is the base URL under which an actor or its inbox lies.
func hostOf(uri string) string {
	base, _, _ := strings.Cut(uri, "/actors/")
	return base
}
