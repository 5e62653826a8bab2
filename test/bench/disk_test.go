package bench

import (
	"testing"

	"bateleur/adapters/driven/memory"
	"bateleur/core/ports"
)

func onDisk(b *testing.B) ports.Stores { return memory.New() }
