package ui

import (
	"strings"
	"testing"

	"lamella/viewer"
)

func TestTheChannelsOfAFilterArePickedInItsRow(t *testing.T) {
	english(t)
	s := withVolume(t)
	s.act(viewer.AddFilter("gaussian"))
	row := s.chain.rows[0]
	if !row.whichOn.Visible() || row.which.Text != "All channels" {
		t.Fatalf("the row says %q", row.which.Text)
	}
	pick := func(step int, name string) {
		t.Helper()
		for _, item := range s.chain.channelMenu(step).Items {
			if item.Label == name {
				item.Action()
				return
			}
		}
		t.Fatalf("there is no channel %s", name)
	}
	pick(0, "GFP")
	if row.which.Text != "GFP" || !strings.HasSuffix(s.session.State().Chain.String(), "channels=2") {
		t.Errorf("the row says %q of %s", row.which.Text, s.session.State().Chain)
	}
	s.act(viewer.AddFilter("median"))
	pick(-1, "DAPI")
	if got := s.session.State().Chain.String(); strings.Count(got, "channels=1") != 2 {
		t.Errorf("all filters on one channel are %s", got)
	}
	pick(-1, "All channels")
	if got := s.session.State().Chain.String(); strings.Contains(got, "channels") {
		t.Errorf("on all channels they are %s", got)
	}
}
