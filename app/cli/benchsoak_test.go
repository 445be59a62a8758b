package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"testing"
)

// Go's tests run in a process whose memory other tests move, so the figures are asked to be there, not to be small.
func TestASoakTellsTimeAndMemoryOfEachPass(t *testing.T) {
	var out, errs bytes.Buffer
	words := []string{"bench", "soak", "sample:random?shape=6x64x64&dtype=uint16", "--planes", "6", "--passes", "3", "--opens", "10", "--view", "80x60", "--filter", "mean", "--device", "cpu", "--memory", "32MiB"}
	if status := Main(words, os.Stdin, &out, &errs); status != 0 {
		t.Fatalf("it ended with %d: %s", status, errs.String())
	}
	var got soaked
	if err := json.Unmarshal(out.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Passes) != 3 || len(got.Opens) != 1 || got.Opens[0] <= 0 {
		t.Fatalf("it tells %+v", got)
	}
	for i, p := range got.Passes {
		if p.Median <= 0 || p.P95 < p.Median || p.Resident <= 0 {
			t.Errorf("pass %d is %+v", i+1, p)
		}
	}
	out.Reset()
	words = append(words, "--exporting", "median")
	if status := Main(words, os.Stdin, &out, &errs); status != 0 {
		t.Fatalf("with an export beside it ended with %d: %s", status, errs.String())
	}
	if err := json.Unmarshal(out.Bytes(), &got); err != nil || len(got.Passes) != 3 {
		t.Errorf("with an export beside it tells %+v, %v", got, err)
	}
	words[len(words)-1] = "nosuch"
	if status := Main(words, os.Stdin, &out, &errs); status == 0 {
		t.Error("a filter that there is not is exported through")
	}
	if status := Main([]string{"bench", "soak", "sample:cells", "--view", "large"}, os.Stdin, &out, &errs); status != 2 {
		t.Errorf("a size that is none ends with %d", status)
	}
}
