package cli

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestTheStatsFollowTheRulesOfTheFile(t *testing.T) {
	t.Chdir(t.TempDir())
	npy(t, "a.npy", "<f4", []int{2, 3}, count(6))
	put(t, "old.json", "mine")
	must(t, "export", "a.npy", "--out", "s.zarr")
	for link, to := range map[string]string{"alias.npy": "a.npy", "here": ".", "nowhere": "gone"} {
		if err := os.Symlink(to, link); err != nil {
			t.Fatal(err)
		}
	}
	before, _ := os.ReadFile("a.npy")
	for _, c := range []struct {
		words string
		code  int
		hint  string
	}{
		{"slice a.npy --out o.npy --stats a.npy --overwrite", couldNot, "the source itself"},
		{"slice a.npy --out o.npy --stats alias.npy --overwrite", couldNot, "the source itself"},
		{"export a.npy --out o.npy --stats here/a.npy --overwrite", couldNot, "the source itself"},
		{"export s.zarr --out o.npy --stats s.zarr/.zattrs --overwrite", couldNot, "a part of the source"},
		{"export s.zarr --out o.npy --stats s.zarr/cost.json", couldNot, "in the source"},
		{"slice a.npy --out o.npy --stats old.json", couldNot, "--overwrite"},
		{"slice a.npy --out o.npy --stats nowhere --overwrite", couldNot, "link to nowhere"},
		{"slice a.npy --out o.npy --stats none/cost.json", couldNot, "none/cost.json"},
		{"slice a.npy --out o.npy --stats o.npy", wrongWords, "one place"},
		{"slice a.npy --out o.npy --stats ./here/o.npy --overwrite", wrongWords, "one place"},
		{"export a.npy --out o.zarr --stats o.zarr/cost.json", wrongWords, "one place"},
		{"slice a.npy --out - --stats -", wrongWords, "standard output"},
	} {
		got := lamella(strings.Fields(c.words)...)
		if got.code != c.code || !strings.Contains(got.stderr, c.hint) || strings.Count(got.stderr, "\n") != 1 || got.stdout != "" {
			t.Errorf("%s: exit %d, want %d: %s", c.words, got.code, c.code, got.stderr)
		}
	}
	if after, _ := os.ReadFile("a.npy"); !slices.Equal(before, after) {
		t.Error("a.npy was changed")
	}
	left, _ := filepath.Glob("*")
	if want := []string{"a.npy", "alias.npy", "here", "nowhere", "old.json", "s.zarr"}; !slices.Equal(left, want) {
		t.Errorf("the folder holds %q, want %q", left, want)
	}
	must(t, "slice", "a.npy", "--out", "o.npy", "--stats", "old.json", "--overwrite")
	if b, _ := os.ReadFile("old.json"); !strings.Contains(string(b), "tasks_total") {
		t.Errorf("old.json holds %q", b)
	}
}

// What an export wrote into its source would be read as a part of it the next time.
func TestNothingIsWrittenIntoTheSource(t *testing.T) {
	t.Chdir(t.TempDir())
	npy(t, "a.npy", "<f4", []int{2, 3}, count(6))
	must(t, "export", "a.npy", "--out", "s.zarr")
	if err := os.Symlink("s.zarr", "alias"); err != nil {
		t.Fatal(err)
	}
	for _, out := range []string{"s.zarr/0.npy", "alias/0/0.npy", "s.zarr/again.zarr"} {
		if got := lamella("export", "s.zarr", "--out", out); got.code != couldNot || !strings.Contains(got.stderr, "in the source") {
			t.Errorf("to %s: exit %d: %s", out, got.code, got.stderr)
		}
	}
}
