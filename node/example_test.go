package node_test

import (
	"context"
	"fmt"
	"net/http/httptest"
	"os"

	"bateleur/adapters/driven/delivery"
	"bateleur/adapters/driven/sqlite"
	"bateleur/adapters/driving/httpapi"
	"bateleur/adapters/wire/as2"
	"bateleur/core/model"
	"bateleur/core/ports"
	"bateleur/node"
)

// A service hosts an actor: stores of its own, and a handler to mount.
func Example() {
	data, _ := os.MkdirTemp("", "bateleur-example-")
	defer os.RemoveAll(data)
	ctx, base := context.Background(), "http://127.0.0.1:7999/api/v2"

	stores, err := sqlite.Open("sqlite:///" + data + "/cases.sqlite") // a file an actor
	if err != nil {
		panic(err)
	}
	defer stores.Close()
	vendor := ports.Profile{Actor: model.Actor{ID: base + "/actors/vendor", Type: "Organization"}}
	n, err := node.New(node.Config{BaseURL: base, Actors: []ports.Profile{vendor}, Stores: stores,
		Wire: as2.Codec{}, Transport: delivery.New(delivery.Options{}), IDs: node.RandomIDs{}, Clock: node.SystemClock{}})
	if err != nil {
		panic(err)
	}
	if err := n.Start(ctx); err != nil {
		panic(err)
	}
	defer func() { _ = n.Stop() }()
	handler := httpapi.New(httpapi.Config{Node: n, Wire: as2.Codec{}, Signer: delivery.Unsigned{}}) // mount it

	answer := httptest.NewRecorder()
	handler.ServeHTTP(answer, httptest.NewRequestWithContext(ctx, "GET", base+"/actors/", nil))
	fmt.Println(answer.Code, n.Hosted()[0].ID)
	// Output: 200 http://127.0.0.1:7999/api/v2/actors/vendor
}
