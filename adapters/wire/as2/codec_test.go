package as2_test

import (
	"bytes"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bateleur/adapters/wire/as2"
)

// What was read does not change when the caller reuses its buffer.
func TestDecodeKeepsNothingOfItsInput(t *testing.T) {
	for _, w := range written {
		raw := encoded(t, &w.activity)
		want := decoded(t, string(raw))
		got, err := as2.Codec{}.Decode(raw)
		if err != nil {
			t.Fatal(err)
		}
		clear(raw)
		if diff := cmp.Diff(want, got, exact); diff != "" {
			t.Errorf("%s: %s", w.name, diff)
		}
	}
}

func TestCodecIsSafeForConcurrentUse(t *testing.T) {
	var codec as2.Codec
	var wg sync.WaitGroup
	for _, w := range written {
		raw := encoded(t, &w.activity)
		again := encoded(t, decoded(t, string(raw)))
		wg.Go(func() {
			for range 50 {
				a, err := codec.Decode(raw)
				if err != nil {
					t.Error(err)
					return
				}
				if got, err := codec.Encode(a); err != nil || !bytes.Equal(got, again) {
					t.Errorf("%s, %v", got, err)
				}
				if _, err := codec.Decode(raw[:len(raw)-1]); err == nil {
					t.Error("half a message was read")
				}
			}
		})
	}
	wg.Wait()
}
