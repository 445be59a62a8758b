package n5_test

import (
	"testing"

	"lamella/loaders"
	"lamella/loaders/loadertest"
	"lamella/loaders/n5"
)

var registry = loaders.Registry{n5.Driver{}}

func TestSharedFiles(t *testing.T) { loadertest.Manifest(t, registry, "n5", nil) }

func TestEveryLawOfTheDoor(t *testing.T) {
	for _, name := range []string{"types.n5", "codecs.n5", "bdv.n5", "cosem.n5"} {
		t.Run(name, func(t *testing.T) { loadertest.Run(t, loadertest.Case{Registry: registry, Path: "testdata/" + name}) })
	}
}
