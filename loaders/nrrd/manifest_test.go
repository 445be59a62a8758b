package nrrd_test

import (
	"testing"

	"lamella/loaders"
	"lamella/loaders/loadertest"
	"lamella/loaders/nrrd"
)

var registry = loaders.Registry{nrrd.Driver{}}

func TestSharedFiles(t *testing.T) { loadertest.Manifest(t, registry, "nrrd", nil) }
