//go:build goexperiment.simd && amd64 && !go1.27

package filters

import (
	"os"
	"os/exec"
	"path/filepath"
	"simd/archsimd"
	"testing"
)

// The loops for vectors that this processor has and would not choose.
func TestLoopsOfShorterVectorsAgreeToo(t *testing.T) {
	if !archsimd.X86.AVX512() {
		t.Skip("this processor has one kind of vectors at most, which the other tests take")
	}
	order256()
	defer order512()
	TestLoopsAgreeWithPlainOnes(t)
}

// The loops that are checked in are those that the command writes.
func TestTheVectorLoopsAreThoseThatAreWritten(t *testing.T) {
	folder := t.TempDir()
	if out, err := exec.Command("go", "run", "./internal/orders", folder).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	files, err := os.ReadDir(folder)
	if err != nil || len(files) != 2 {
		t.Fatalf("%d files were written: %v", len(files), err)
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
