package zarr_test

import (
	"testing"

	"lamella/loaders"
	"lamella/loaders/loadertest"
	"lamella/loaders/zarr"
)

var registry = loaders.Registry{zarr.Driver{}}

func TestSharedFiles(t *testing.T) { loadertest.Manifest(t, registry, "zarr", nil) }
