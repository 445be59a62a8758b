//go:build !headless

package main

import "testing"

func TestEveryModuleThatIsLinkedHasItsLicence(t *testing.T) {
	b := build()
	if b.Version == "" || b.With == "" {
		t.Errorf("it says %+v", b)
	}
	for _, m := range b.Modules {
		if m.Licence == "" {
			t.Errorf("the licence of %s is not told", m.Path)
		}
	}
}
