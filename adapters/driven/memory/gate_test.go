package memory

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
)

// A waiting writer keeps new readers out and, when its context ends, lets them
// in again.
func TestGateLetsReadersPassAWriterThatGaveUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var g gate
		if err := g.enter(t.Context(), false); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		wrote, read := make(chan error, 1), make(chan error, 1)
		go func() { wrote <- g.enter(ctx, true) }()
		synctest.Wait()
		go func() { read <- g.enter(t.Context(), false) }()
		synctest.Wait()
		select {
		case err := <-read:
			t.Fatalf("a reader passed a waiting writer: %v", err)
		default:
		}
		cancel()
		if err := <-wrote; !errors.Is(err, context.Canceled) {
			t.Fatalf("the writer got %v, want its context's error", err)
		}
		if err := <-read; err != nil {
			t.Fatal(err)
		}
		g.leave(false)
		g.leave(false)
		if err := g.enter(t.Context(), true); err != nil {
			t.Fatal(err)
		}
	})
}

func TestGateRefusesAnEndedContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var g gate
	if err := g.enter(ctx, true); !errors.Is(err, context.Canceled) {
		t.Fatalf("enter = %v", err)
	}
	if err := g.enter(t.Context(), true); err != nil {
		t.Fatal(err)
	}
}
