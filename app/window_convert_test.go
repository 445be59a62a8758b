//go:build !headless

package main

import (
	"context"
	"os"
	"testing"

	"lamella/app/cli"
	"lamella/app/formats"
	"lamella/loaders"
)

func TestTheCostOfAVoxelIsThatOfWhatIsStored(t *testing.T) {
	files := written(t, "6x20x30", "6x20x30")
	for i, f := range files { // a TIFF, whose pages may be split
		files[i] = f + ".tif"
		if status := cli.Main([]string{"export", f, "--out", files[i], "--quiet"}, os.Stdin, os.Stdout, os.Stderr); status != 0 {
			t.Fatalf("writing %s ended with %d", files[i], status)
		}
	}
	plain, err := formats.Open(context.Background(), files[0], loaders.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer closeSet(&plain)
	want := unpacked(&plain)
	split, err := formats.Open(context.Background(), files[0], loaders.Options{Axes: "(zc3)yx"})
	if err != nil {
		t.Fatal(err)
	}
	defer closeSet(&split)
	joined, err := openSeveral(context.Background(), files, loaders.Options{}, "channels")
	if err != nil {
		t.Fatal(err)
	}
	defer closeSet(&joined)
	if a, b := unpacked(&split), unpacked(&joined); a != want || b != want || want == 0 {
		t.Errorf("split it costs %d bytes, as a channel %d, else %d", a, b, want)
	}
}
