package nifti_test

import (
	"testing"

	"lamella/loaders"
	"lamella/loaders/loadertest"
	"lamella/loaders/nifti"
)

var registry = loaders.Registry{nifti.Driver{}}

func TestSharedFiles(t *testing.T) { loadertest.Manifest(t, registry, "nifti", nil) }
