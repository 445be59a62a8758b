//go:build unix

package cli

import (
	"bytes"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestMain lets the tests start this program as a process of its own, so that it can be killed.
func TestMain(m *testing.M) {
	if os.Getenv("LAMELLA_AS_A_PROGRAM") != "" {
		os.Exit(Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

// program starts the command line as a process.
func program(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, args...)
	cmd.Env = append(os.Environ(), "LAMELLA_AS_A_PROGRAM=1")
	cmd.Stderr = new(bytes.Buffer)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd
}

// files is what lies in a folder, by name, but for what begins with a dot at its top; nothing if there is no folder.
func files(t *testing.T, top string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(top, path)
		if d != nil && d.IsDir() && (rel == ".lamella" || rel == ".lamella.old") { // the journal, the latter half removed
			return fs.SkipDir
		}
		if err != nil || d.IsDir() {
			return nil // it may be renamed at any time
		}
		if p, err := os.ReadFile(path); err == nil {
			all[rel] = string(p)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// However often an export is killed, what a reader sees of it is always what it will be, and at the end it is that of
// an export which nothing disturbed.
func TestAnExportThatIsKilledAtThirtyMomentsIsThatOfOneRun(t *testing.T) {
	t.Chdir(t.TempDir())
	random := rand.New(rand.NewPCG(8, 30))
	for _, c := range []struct {
		words string
		kills int
	}{
		{"--filter sobel", 20},
		{"--filter gaussian|sobel --ome 0.5 --shard-shape 16,512,512 --compression lz4", 10},
	} {
		words := append([]string{"export", "sample:random?shape=40x300x530&chunk=16x128x128&dtype=uint8", "--quiet", "--memory", "48MiB"}, strings.Fields(c.words)...)
		must(t, append(words, "--out", "one.ome.zarr", "--overwrite")...)
		want := files(t, "one.ome.zarr")
		words = append(words, "--out", "killed.ome.zarr", "--resume")
		// The first killing tells about how long a run takes, so that the moments are spread over it.
		began, kills, resumed := time.Now(), 0, 0
		if err := program(t, words...).Wait(); err != nil {
			t.Fatal(err)
		}
		length := time.Since(began)
		for kills < c.kills {
			os.RemoveAll("killed.ome.zarr")
			for whole := false; !whole && kills < c.kills; {
				cmd := program(t, words...)
				time.Sleep(time.Duration(random.Float64() * 0.7 * float64(length)))
				cmd.Process.Signal([]os.Signal{syscall.SIGKILL, syscall.SIGKILL, syscall.SIGTERM}[kills%3]) // it may have ended
				whole = cmd.Wait() == nil
				if !whole {
					kills++
				}
				for name, text := range files(t, "killed.ome.zarr.part") {
					if resumed++; want[name] != text {
						t.Fatalf("killed %d times: %s is torn", kills, name)
					}
				}
			}
		}
		if resumed == 0 {
			t.Error("nothing was ever there to be resumed")
		}
		must(t, words...)
		got := files(t, "killed.ome.zarr")
		for name, text := range want {
			if got[name] != text {
				t.Errorf("%s: %s differs", c.words, name)
			}
		}
		if len(got) != len(want) {
			t.Errorf("%s: %d files instead of %d", c.words, len(got), len(want))
		}
		if left, _ := filepath.Glob("*"); fmt.Sprint(left) != "[killed.ome.zarr one.ome.zarr]" {
			t.Errorf("%s: the folder holds %q", c.words, left)
		}
		os.RemoveAll("killed.ome.zarr")
	}
}

// What an interrupt ends says that it can be gone on with.
func TestAnInterruptedRunSaysHowToGoOn(t *testing.T) {
	t.Chdir(t.TempDir())
	cmd := program(t, "export", "sample:slow?ms=3600000", "--out", "a.zarr", "--resume")
	for {
		if _, err := os.Stat("a.zarr.part/.lamella/request"); err == nil {
			break
		}
		time.Sleep(5 * time.Millisecond)
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	err := cmd.Wait()
	text := cmd.Stderr.(*bytes.Buffer).String()
	if err == nil || cmd.ProcessState.ExitCode() != couldNot || strings.Count(text, "\n") != 1 || !strings.Contains(text, "interrupted; a.zarr.part keeps what is finished") {
		t.Errorf("%v: %s", err, text)
	}
}
