package sequence_test

import (
	"testing"

	"lamella/loaders"
	"lamella/loaders/loadertest"
	"lamella/loaders/sequence"
	"lamella/loaders/tiff"
)

var formats = loaders.Registry{tiff.Driver{}, sequence.Picture{}, sequence.Driver{}}

func TestManifest(t *testing.T) {
	loadertest.Manifest(t, formats, "sequence", nil)
}
