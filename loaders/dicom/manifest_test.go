package dicom_test

import (
	"testing"

	"lamella/loaders"
	"lamella/loaders/dicom"
	"lamella/loaders/loadertest"
)

var registry = loaders.Registry{dicom.Driver{}}

func TestSharedFiles(t *testing.T) { loadertest.Manifest(t, registry, "dicom", nil) }
