package stencil

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// The loops that are checked in are those that the table gives.
func TestTheVectorLoopsAreThoseOfTheTable(t *testing.T) {
	folder := t.TempDir()
	if out, err := exec.Command("go", "run", "./internal/loops", folder).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	files, err := os.ReadDir(folder)
	if err != nil || len(files) == 0 {
		t.Fatal("no loops were written: ", err)
	}
	for _, f := range files {
		want, err := os.ReadFile(filepath.Join(folder, f.Name()))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(f.Name()); err != nil || string(got) != string(want) {
			t.Errorf("%s is not what go generate writes (%v)", f.Name(), err)
		}
	}
}
