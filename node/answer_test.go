package node_test

import (
	"context"
	"testing"
	"time"

	"bateleur/adapters/driven/memory"
	"bateleur/adapters/wire/as2"
	"bateleur/core/model"
	"bateleur/core/ports"
	"bateleur/node"
)

// stuck is a peer that takes a message and never answers.
type stuck struct{ called chan struct{} }

func (s stuck) Deliver(ctx context.Context, _ ports.Outgoing) error {
	select {
	case s.called <- struct{}{}:
	default:
	}
	<-ctx.Done()
	return &ports.DeliveryError{Err: ctx.Err()}
}

// A message is acknowledged when it is durable, however long what it sets off
// takes to be delivered.
//
// Proves: IE-05-001, OX-03-003
func TestAnAnswerWaitsForNoDelivery(t *testing.T) {
	base := "http://n.test/api/v2"
	vendor, _ := model.HostedActorID(base, "vendor")
	finder, _ := model.ParseActorID("http://elsewhere.test/actors/finder")
	manager, _ := model.ParseActorID("http://elsewhere.test/actors/manager")
	peer := stuck{make(chan struct{}, 1)}
	n, err := node.New(node.Config{BaseURL: base, Stores: memory.New(), Wire: as2.Codec{}, Transport: peer,
		IDs: node.RandomIDs{}, Clock: node.SystemClock{},
		Actors: []ports.Profile{{Actor: model.Actor{ID: vendor.URI(), Type: "Organization"}, Manager: manager}}})
	if err != nil {
		t.Fatal(err)
	}
	if err := n.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = n.Stop() }()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	for range 20 {
		id := node.RandomIDs{}.New()
		offer := &model.Activity{ID: id, Type: model.Offer, Actor: finder.URI(), To: []string{vendor.URI()},
			Object: model.Inline(&model.Report{ID: id + "/report", Name: "R", AttributedTo: finder.URI()})}
		raw, err := as2.Codec{}.Encode(offer)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := n.Receive(ctx, vendor, finder, offer, raw); err != nil {
			t.Fatal(err)
		}
	}
	select {
	case <-peer.called:
	case <-ctx.Done():
		t.Fatal("nothing was delivered")
	}
}
