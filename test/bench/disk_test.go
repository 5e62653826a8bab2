package bench

import (
	"testing"

	"bateleur/adapters/driven/sqlite"
	"bateleur/core/ports"
)

func onDisk(b *testing.B) ports.Stores {
	s, err := sqlite.Open("sqlite:///" + b.TempDir() + "/bench.sqlite")
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = s.Close() })
	return s
}
