package memory_test

import (
	"testing"

	"bateleur/adapters/driven/memory"
	"bateleur/core/ports"
	"bateleur/core/ports/porttest"
)

// A store in memory lives as long as its Stores, which stands for the reopened
// place; a commit changes nothing that could fail.
func TestStores(t *testing.T) {
	porttest.Stores(t, porttest.Harness{
		Open:   func(testing.TB) ports.Stores { return memory.New() },
		Reopen: func(_ testing.TB, s ports.Stores) ports.Stores { return s },
	})
}
