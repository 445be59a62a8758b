package cli

import (
	"bytes"
	"testing"

	"lamella/filters"
	"lamella/lazy/engine"
)

// What is timed is the plane that a viewer would show.
func TestTheTimedKernelMakesThePlane(t *testing.T) {
	for _, words := range []string{"sobel", "median size=3", "gaussian sigma=2 border=reflect | sobel dims=2 | threshold value=0.1"} {
		chain, err := filters.Parse(words)
		if err != nil {
			t.Fatal(err)
		}
		k, err := newKernelBench(t.Context(), chain, "float32", 70)
		if err != nil {
			t.Fatal(err)
		}
		got, err := k.block(t.Context(), k.array.Node(), k.plane)
		if err != nil {
			t.Fatal(err)
		}
		e := engine.New(engine.Options{})
		want, _, err := e.Get(t.Context(), k.array, k.plane, engine.Priority{})
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got.Bytes(), want.Bytes()) {
			t.Errorf("%s: another plane", words)
		}
		e.Close()
		k.set.Close()
	}
}
