//go:build unix

package cli

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
)

func TestWordsOfShares(t *testing.T) {
	t.Chdir(t.TempDir())
	for words, hint := range map[string]string{
		"--out a.zarr --shard 3":              "not I/N",
		"--out a.zarr --shard x/3":            "not I/N",
		"--out a.zarr --shard 3/3":            "the last is 2/3",
		"--out a.zarr --shard -1/3":           "counted from 0",
		"--out a.zarr --shard 0/0":            "counted from 0",
		"--out a.tif --shard 0/2":             "--out FILE.zarr",
		"--out a.npy --resume":                "--out FILE.zarr",
		"--out - --verify":                    "--out FILE.zarr",
		"--out a.zarr --shard finish --ome 1": "0.4 and 0.5",
	} {
		got := lamella(append([]string{"export", "sample:cells"}, strings.Fields(words)...)...)
		if got.code != wrongWords || !strings.Contains(got.stderr, hint) {
			t.Errorf("%s: exit %d: %s", words, got.code, got.stderr)
		}
	}
	// Chains that mean the same are one, however they are written.
	cells := []string{"export", "sample:random?shape=40x300x300", "--out", "same.zarr"}
	must(t, append(cells, "--shard", "0/2", "--filter", "gaussian | mean size=3")...)
	must(t, append(cells, "--shard", "1/2", "--filter", "gaussian border=reflect sigma=1.0,1,1 | mean")...)
	must(t, append(cells, "--resume", "--filter", "gaussian sigma=1 | mean size=3,3,3")...)
	if text, _ := os.ReadFile("same.zarr/.zattrs"); !strings.Contains(string(text), `"chain": "gaussian | mean"`) {
		t.Errorf("the metadata are %s", text)
	}
	if err := os.RemoveAll("same.zarr"); err != nil {
		t.Fatal(err)
	}
	for _, way := range [][]string{nil, {"--resume"}, {"--shard", "0/2"}} {
		got := lamella(append([]string{"export", "sample:random?shape=40x300x300&dtype=uint16", "--filter", "sobel", "--out", "a.zarr", "--memory", "4MiB"}, way...)...)
		if got.code != couldNot || !strings.Contains(got.stderr, "at least 12.0 MiB of memory are needed") || strings.Contains(got.stderr, ".part") {
			t.Errorf("%v: exit %d: %s", way, got.code, got.stderr)
		}
	}
	if left, _ := os.ReadDir("."); len(left) > 0 {
		t.Errorf("%v is left", left)
	}
	must(t, "export", "sample:random?shape=40x300x300", "--out", "a.zarr", "--shard", "1/3")
	got := lamella("export", "sample:random?shape=40x300x300", "--out", "a.zarr", "--shard", "finish")
	if got.code != couldNot || !strings.Contains(got.stderr, "of 3 shares these are not done: 0, 2") {
		t.Errorf("exit %d: %s", got.code, got.stderr)
	}
	got = lamella("export", "sample:random?shape=40x300x300", "--out", "a.zarr", "--shard", "1/4")
	if got.code != couldNot || !strings.Contains(got.stderr, "a.zarr.part was begun in 3 shares, not in 4: --shard I/3 goes on with it") || strings.Count(got.stderr, "\n") != 1 {
		t.Errorf("exit %d: %s", got.code, got.stderr)
	}
}

// Two runs that are asked for the same file at the same time both end with it: the slower is told that it is complete.
func TestTwoResumedExportsAtTheSameTime(t *testing.T) {
	t.Chdir(t.TempDir())
	words := strings.Fields("export sample:random?shape=40x300x300&dtype=uint8 --filter sobel --memory 64MiB --out")
	must(t, append(words, "one.zarr")...)
	for range 3 {
		var all sync.WaitGroup
		for range 3 {
			all.Go(func() {
				if got := lamella(append(words, "a.zarr", "--resume")...); got.code != done || got.stderr != "" && !strings.Contains(got.stderr, "lamella: a.zarr is complete already\n") {
					t.Errorf("exit %d: %s", got.code, got.stderr)
				}
			})
		}
		all.Wait()
		sameFolders(t, "a.zarr", "one.zarr")
		if left, _ := filepath.Glob("*"); fmt.Sprint(left) != "[a.zarr one.zarr]" {
			t.Errorf("the folder holds %q", left)
		}
		os.RemoveAll("a.zarr")
	}
}

// Shares that run at the same time, two of them twice, make the image of one run.
func TestSharesAtTheSameTime(t *testing.T) {
	t.Chdir(t.TempDir())
	words := strings.Fields("export sample:random?shape=40x300x300&dtype=uint8&chunk=8x64x64 --filter sobel --quiet --memory 64MiB --out")
	must(t, append(words, "one.zarr")...)
	var all sync.WaitGroup
	for _, share := range []string{"0/3", "1/3", "2/3", "1/3", "0/3"} {
		all.Go(func() {
			if got := lamella(append(words, "shared.zarr", "--shard", share)...); got.code != done {
				t.Errorf("share %s: exit %d: %s", share, got.code, got.stderr)
			}
		})
	}
	all.Wait()
	must(t, append(words, "shared.zarr", "--shard", "finish")...)
	sameFolders(t, "shared.zarr", "one.zarr")
	must(t, append(words, "shared.zarr", "--shard", "finish")...)
	must(t, append(words, "shared.zarr", "--shard", "2/3")...)
}

func sameFolders(t *testing.T, got, want string) {
	t.Helper()
	if out, err := exec.Command("diff", "-r", got, want).CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}

// script puts a program of the name of another before it in the path.
func script(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/bash\n"+text), 0o755); err != nil {
		t.Fatal(err)
	}
}

// asProgram puts this program into the path as lamella.
func asProgram(t *testing.T, dir string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	script(t, dir, "lamella", fmt.Sprintf("LAMELLA_AS_A_PROGRAM=1 exec %q \"$@\"\n", self))
}

// The script for Slurm, with a stand-in for sbatch that runs what it is given at once.
func TestTheScriptForSlurm(t *testing.T) {
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("not run: there is no bash")
	}
	slurm, err := filepath.Abs("../../docs/cluster/slurm.sh")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	t.Chdir(dir)
	asProgram(t, dir)
	script(t, dir, "sbatch", `
for a in "$@"; do case "$a" in --array=*) range=${a#--array=};; --wrap=*) wrap=${a#--wrap=};; --parsable) echo 17;; esac; done
for i in $(seq ${range%-*} ${range#*-}); do SLURM_ARRAY_TASK_ID=$i sh -c "$wrap" >&2; done
if [ -z "${range:-}" ]; then sh -c "$wrap" >&2; fi
`)
	cmd := exec.Command(slurm, "sample:random?shape=20x300x300&dtype=uint8", "edges of it's Å.zarr", "gaussian sigma=1 | sobel", "3")
	cmd.Env = append(os.Environ(), "LC_ALL=C", "PATH="+dir+":"+os.Getenv("PATH"))
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	must(t, "export", "sample:random?shape=20x300x300&dtype=uint8", "--filter", "gaussian sigma=1 | sobel", "--out", "one.zarr")
	sameFolders(t, "edges of it's Å.zarr", "one.zarr")
}

// The commands of the manifest for Kubernetes, with the indices filled in that it would give them.
func TestTheCommandsForKubernetes(t *testing.T) {
	text, err := os.ReadFile("../../docs/cluster/kubernetes.yaml")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	must(t, "export", "sample:cells", "--roi", "z=20:40,y=0:300,x=0:100", "--c", "0", "--out", "embryo.ome.zarr")
	args := regexp.MustCompile(`(?s)args: \[(.*?)\]`).FindAllStringSubmatch(string(text), -1)
	if len(args) != 2 {
		t.Fatalf("%d commands", len(args))
	}
	words := func(i int) []string {
		var all []string
		for _, w := range strings.Split(args[i][1], ",") {
			all = append(all, strings.ReplaceAll(strings.TrimSpace(w), "/data/", ""))
		}
		return all
	}
	for index := range 64 {
		share := words(0)
		for i := range share {
			share[i] = strings.ReplaceAll(share[i], "$(JOB_COMPLETION_INDEX)", fmt.Sprint(index))
		}
		must(t, share...)
	}
	must(t, words(1)...)
	must(t, "export", "embryo.ome.zarr", "--filter", "gaussian sigma=0.4um | sobel", "--out", "one.ome.zarr")
	sameFolders(t, "edges.ome.zarr", "one.ome.zarr")
}
