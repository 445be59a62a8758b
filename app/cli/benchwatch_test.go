package cli

import (
	"encoding/json"
	"testing"
)

func TestADeconvolutionIsWatchedAndTimed(t *testing.T) {
	got := must(t, "bench", "watch", "sample:blobs?shape=8x64x64&dtype=uint16", "--view", "64x64", "--filter", "mean | richardson-lucy psf=gaussian(sigma=1) iterations=12", "--runs", "2")
	var out watchedTimes
	if err := json.Unmarshal([]byte(got), &out); err != nil {
		t.Fatal(err)
	}
	if out.Iterations != 12 || out.Box != [2]int{64, 64} || out.Support != [3]int{7, 7, 7} || len(out.Firsts) != 2 || len(out.Cancels) != 2 || !(out.Firsts[0] > 0 && out.Alls[0] >= out.Firsts[0]) {
		t.Errorf("%s", got)
	}
	for _, wrong := range []string{"gaussian", "richardson-lucy psf=nowhere.tif"} {
		if got := lamella("bench", "watch", "sample:blobs?shape=8x64x64", "--filter", wrong); got.code == 0 {
			t.Errorf("%s: %+v", wrong, got)
		}
	}
}
