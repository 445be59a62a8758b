package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"
)

// What was found is told, goes into the file with the chain, and computes the same when it is given.
func TestAFoundThresholdIsPartOfTheChain(t *testing.T) {
	t.Chdir(t.TempDir())
	source := []string{"sample:random?shape=2x9x33x67&dtype=uint16", "--axes", "czyx"}
	for _, verb := range []string{"slice", "export"} {
		open := "gaussian sigma=1 | threshold method=otsu channel=2 | project how=mean | rescale method=minmax"
		got := lamella(append([]string{verb}, append(source, "--filter", open, "--out", verb+".tif")...)...)
		found := regexp.MustCompile(`(?m)^lamella: (threshold method=otsu channel=2 value=\S+), from all \d+ voxels \(\d+ chunks read\)\nlamella: (rescale method=minmax low=\S+ high=\S+), from all \d+ voxels`).FindStringSubmatch(got.stderr)
		if got.code != 0 || found == nil {
			t.Fatalf("%s: exit %d: %s", verb, got.code, got.stderr)
		}
		must(t, append([]string{verb}, append(source, "--filter", "gaussian sigma=1 | "+found[1]+" | project how=mean | "+found[2], "--out", verb+"-again.tif")...)...)
		must(t, append([]string{verb}, append(source, "--filter", open, "--out", verb+"-quiet.tif", "--quiet")...)...)
		first, err := os.ReadFile(verb + ".tif")
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Contains(first, utf16of(found[1])) { // as ImageJ writes the information of an image
			t.Errorf("%s: the file does not carry %q", verb, found[1])
		}
		for _, name := range []string{verb + "-again.tif", verb + "-quiet.tif"} {
			if b, err := os.ReadFile(name); err != nil || !bytes.Equal(b, first) {
				t.Errorf("%s differs from the first: %v", name, err)
			}
		}
	}
}

// utf16of is ASCII text in 16 bits a letter, the lower byte first.
func utf16of(text string) []byte {
	var b []byte
	for i := range len(text) {
		b = append(b, text[i], 0)
	}
	return b
}

// A plane of a large volume with a found threshold reads five planes more, however many there are.
func TestAFoundThresholdDoesNotPullTheVolume(t *testing.T) {
	t.Chdir(t.TempDir())
	got := lamella("slice", "sample:blobs?shape=10000x512x512&chunk=1x512x512&dtype=uint16", "--filter", "threshold method=otsu", "--out", "a.npy", "--stats", "s.json")
	if got.code != 0 || !strings.Contains(got.stderr, "from 1310720 voxels in 5 planes (5 chunks read)") {
		t.Fatalf("exit %d: %s", got.code, got.stderr)
	}
	var stats struct {
		Chunks int `json:"chunks_read"`
	}
	b, err := os.ReadFile("s.json")
	if err == nil {
		err = json.Unmarshal(b, &stats)
	}
	if err != nil || stats.Chunks != 1 {
		t.Errorf("%d chunks read for the plane, %v", stats.Chunks, err)
	}
}

func TestAPlanSaysWhatIsFoundFirst(t *testing.T) {
	got := lamella("plan", "sample:ones?shape=1000000x1000x1000&dtype=int8&chunk=125x1000x1000", "--filter", "mean | threshold method=otsu | rescale method=percentile", "--json")
	want := "lamella: threshold method=otsu is found before the run, from 4176960 voxels in 80 tiles of 5 planes; that is not in this plan\n"
	if got.code != 0 || !strings.HasPrefix(got.stderr, want) || !strings.Contains(got.stderr, "rescale method=percentile is found") {
		t.Errorf("exit %d: %s", got.code, got.stderr)
	}
	var stats map[string]any
	if err := json.Unmarshal([]byte(got.stdout), &stats); err != nil || stats["chunks_planned"] != 2.0 {
		t.Errorf("%v, %v", stats, err)
	}
	if got := lamella("plan", "sample:cells", "--filter", "threshold method=otsu channel=9"); got.code != wrongWords || !strings.Contains(got.stderr, "channel=9: the image has 3 channels") {
		t.Errorf("exit %d: %s", got.code, got.stderr)
	}
}
