package filtertest_test

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"testing"

	"lamella/filters/filtertest"
	"lamella/filters/stencil"
	"lamella/lazy"
)

// The loops are chosen when a process starts, so the plain ones run in a process of their own, which is
// this test again. It writes what it computed to standard output.
const plain = "LAMELLA_PLAIN_LOOPS"

type results struct {
	Processor string
	Digests   map[string][32]byte
}

func TestMain(m *testing.M) {
	if os.Getenv(plain) == "" {
		os.Exit(m.Run())
	}
	r, err := compute()
	if err == nil {
		err = json.NewEncoder(os.Stdout).Encode(r)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func compute() (results, error) {
	r := results{stencil.Processor, map[string][32]byte{}}
	for c := range filtertest.Cases() {
		b, err := filtertest.Processor(c)
		if err != nil {
			return r, fmt.Errorf("%s: %w", c.Name, err)
		}
		if _, twice := r.Digests[c.Name]; !twice {
			r.Digests[c.Name] = sha256.Sum256(b.Bytes())
		}
	}
	return r, nil
}

func TestPlainAndVectorLoopsGiveTheSameBits(t *testing.T) {
	vector, err := compute()
	if err != nil {
		t.Fatal(err)
	}
	if len(vector.Digests) < 1000 {
		t.Errorf("only %d cases", len(vector.Digests))
	}
	if runtime.GOARCH != "amd64" || vector.Processor == "Go" {
		return // what was computed are the plain loops, and that every case can be is tested
	}
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), plain+"=1", "GODEBUG=cpu.avx2=off")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var other results
	if err := json.Unmarshal(out, &other); err != nil {
		t.Fatal(err)
	}
	if other.Processor == vector.Processor {
		t.Fatalf("both ran %s", vector.Processor)
	}
	for name, d := range vector.Digests {
		if other.Digests[name] != d {
			t.Errorf("%s: %s and %s differ", name, vector.Processor, other.Processor)
		}
	}
}

func TestWhatIsToldApart(t *testing.T) {
	r := lazy.At(lazy.Index{}, lazy.Shape{1, 1, 1, 1, 2})
	one := lazy.BlockOf(r, []float32{1, -3})
	next := lazy.BlockOf(r, []float32{1.0000001, -3.0000005}) // one unit in the last place, and two
	for ulps, ok := range map[int]bool{0: false, 1: false, 2: true} {
		if err := filtertest.Same(next, one, ulps); (err == nil) != ok {
			t.Errorf("%d units: %v", ulps, err)
		}
	}
	if filtertest.Same(lazy.BlockOf(r, []uint8{1, 2}), lazy.BlockOf(r, []uint8{1, 3}), 2) == nil {
		t.Error("integers that differ are the same")
	}
}
