//go:build !headless

package main

import (
	"errors"
	"testing"
)

func TestTheReasonOfAnErrorIsWithoutWhatTheWindowNamesItself(t *testing.T) {
	for text, want := range map[string]string{
		"loaders: a.tif: no such file or directory":         "a.tif: no such file or directory",
		"tiff: opening a.tif: directory at 9: damaged: cut": "directory at 9: damaged: cut",
		"permission denied":                                 "permission denied",
	} {
		if got := reasonOf(errors.New(text)); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	if got := reasonOf(nil); got != "?" {
		t.Errorf("no error: %q", got)
	}
}
