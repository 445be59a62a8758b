package mrc_test

import (
	"testing"

	"lamella/loaders"
	"lamella/loaders/loadertest"
	"lamella/loaders/mrc"
)

var registry = loaders.Registry{mrc.Driver{}}

func TestSharedFiles(t *testing.T) { loadertest.Manifest(t, registry, "mrc", nil) }
