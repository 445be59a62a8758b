package metaimage_test

import (
	"testing"

	"lamella/loaders"
	"lamella/loaders/loadertest"
	"lamella/loaders/metaimage"
)

var registry = loaders.Registry{metaimage.Driver{}}

func TestSharedFiles(t *testing.T) { loadertest.Manifest(t, registry, "metaimage", nil) }
