package mgh_test

import (
	"testing"

	"lamella/loaders"
	"lamella/loaders/loadertest"
	"lamella/loaders/mgh"
)

var registry = loaders.Registry{mgh.Driver{}}

func TestSharedFiles(t *testing.T) { loadertest.Manifest(t, registry, "mgh", nil) }
