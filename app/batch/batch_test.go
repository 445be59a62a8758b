package main

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/testing/passert"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/testing/ptest"

	"lamella/loaders/loadertest"
)

// TestMain has a folder for the programs that tests build.
func TestMain(m *testing.M) {
	folder, err := os.MkdirTemp("", "lamella-batch-")
	if err != nil {
		panic(err)
	}
	binaries.folder = folder
	beam.Init()
	slog.SetDefault(slog.New(slog.DiscardHandler)) // as main does
	code := m.Run()
	os.RemoveAll(folder)
	os.Exit(code)
}

// binaries are the programs that were built, by their packages.
var binaries = struct {
	folder string
	sync.Mutex
	at map[string]string
}{at: map[string]string{}}

// built makes a program as one that workers can run, once for all tests.
func built(t *testing.T, dir, pkg string, more ...string) string {
	t.Helper()
	binaries.Lock()
	defer binaries.Unlock()
	at := binaries.at[pkg]
	if at == "" {
		at = filepath.Join(binaries.folder, strconv.Itoa(len(binaries.at)))
		cmd := exec.Command("go", slices.Concat([]string{"build", "-ldflags=-s -w", "-o", at}, more, []string{pkg})...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "CGO_ENABLED=0")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Skipf("not run: %s cannot be built here: %v: %s", pkg, err, out)
		}
		binaries.at[pkg] = at
	}
	return at
}

// here is the folder of this package; tests change theirs.
var here, _ = os.Getwd()

func lamella(t *testing.T) string {
	return built(t, filepath.Join(here, "..", ".."), "./app", "-tags", "headless")
}

// asked is a request as the words would make it.
func asked(t *testing.T, source, chain, out string) request {
	t.Helper()
	r := request{Source: source, Chain: chain, Out: out}
	if err := r.check("64MiB"); err != nil {
		t.Fatal(err)
	}
	return r
}

// plain writes what one run of the command line does.
func plain(t *testing.T, source, chain, out string, more ...string) {
	t.Helper()
	args := append([]string{"export", source, "--filter", chain, "--out", out, "--quiet", "--memory", "64MiB"}, more...)
	if said, err := exec.Command(lamella(t), args...).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
}

func same(t *testing.T, got, want string) {
	t.Helper()
	if out, err := exec.Command("diff", "-r", got, want).CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
	if _, err := os.Lstat(got + ".part"); err == nil {
		t.Errorf("%s.part is left", got)
	}
}

// A pipeline in this process makes the bytes of `lamella export`; once more, it has nothing to do.
func TestAPipelineMakesTheBytesOfTheCommandLine(t *testing.T) {
	t.Chdir(t.TempDir())
	plain(t, "sample:cells", "", "cells.ome.zarr", "--roi", "z=20:60,y=100:400,x=200:300")
	server := httptest.NewServer(http.StripPrefix("/bucket", http.FileServer(http.Dir("."))))
	defer server.Close()
	t.Setenv("AWS_ENDPOINT_URL", server.URL)
	for _, c := range []struct {
		source, chain, ome string
		shares             int
		verify             bool
	}{
		{"cells.ome.zarr", "gaussian sigma=0.2um | sobel", "", 3, true},
		{server.URL + "/bucket/cells.ome.zarr", "laplace", "", 2, true},
		{"s3://bucket/cells.ome.zarr", "laplace", "", 2, true},
		{"sample:random?shape=1x40x2x300x300&dtype=uint8&chunk=1x8x1x64x64", "sobel | threshold method=otsu", "0.5", 5, true},
		{"sample:random?shape=40x300x300&dtype=uint16", "", "", 0, false},
	} {
		layout := []string{}
		if c.ome != "" {
			layout = []string{"--ome", c.ome}
		}
		plain(t, c.source, c.chain, "one.zarr", layout...)
		r := asked(t, c.source, c.chain, "beam.zarr")
		r.OME = c.ome
		for range 2 {
			if err := run(context.Background(), r, c.shares, c.verify); err != nil {
				t.Fatal(err)
			}
			same(t, "beam.zarr", "one.zarr")
		}
		os.RemoveAll("beam.zarr")
		os.RemoveAll("one.zarr")
	}
}

// What a run of the command line has finished is not written again by a pipeline.
func TestAPipelineGoesOnWithWhatThereIs(t *testing.T) {
	t.Chdir(t.TempDir())
	const source, chain = "sample:random?shape=40x300x300&dtype=uint8&chunk=8x64x64", "mean"
	plain(t, source, chain, "one.zarr")
	plain(t, source, chain, "beam.zarr", "--shard", "2/5")
	chunks, _ := filepath.Glob("beam.zarr.part/0/0/0/*/*/*")
	if len(chunks) == 0 {
		t.Fatal("the share wrote nothing")
	}
	before, err := os.Stat(chunks[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := run(context.Background(), asked(t, source, chain, "beam.zarr"), 5, true); err != nil {
		t.Fatal(err)
	}
	same(t, "beam.zarr", "one.zarr")
	rel, _ := filepath.Rel("beam.zarr.part", chunks[0])
	if after, err := os.Stat(filepath.Join("beam.zarr", rel)); err != nil || !os.SameFile(before, after) {
		t.Errorf("%s was written again: %v", rel, err)
	}
}

// A pipeline writes into a bucket, or behind a server of the web, what the command line writes into a folder.
func TestAPipelineWritesToAddresses(t *testing.T) {
	const source, chain = "sample:random?shape=40x300x300&dtype=uint8&chunk=8x64x64", "sobel"
	for _, lists := range []bool{true, false} {
		at, address := loadertest.NewDepot(t, lists)
		t.Chdir(t.TempDir())
		plain(t, source, chain, "one.zarr")
		for range 2 {
			if err := run(context.Background(), asked(t, source, chain, address), 3, true); err != nil {
				t.Fatal(err)
			}
			for key, text := range at.All() {
				at := filepath.Join("there.zarr", filepath.FromSlash(key))
				if err := os.MkdirAll(filepath.Dir(at), 0o777); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(at, []byte(text), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			same(t, "there.zarr", "one.zarr")
		}
	}
}

// Runners may give a share to two workers at once, or again when it is there.
func TestSharesThatComeTwiceChangeNothing(t *testing.T) {
	t.Chdir(t.TempDir())
	const source, chain = "sample:random?shape=40x300x300&dtype=uint8&chunk=8x64x64", "sobel"
	plain(t, source, chain, "one.zarr")
	r := asked(t, source, chain, "beam.zarr")
	if err := r.resolve(t.Context()); err != nil {
		t.Fatal(err)
	}
	p, s := beam.NewPipelineWithRoot()
	there := beam.ParDo(s, &share{Request: r, Of: 3}, beam.Reshuffle(s, beam.CreateList(s, []int{2, 0, 1, 1, 0, 2, 0})))
	passert.Equals(s, there, 0, 0, 0, 1, 1, 2, 2)
	if err := ptest.Run(p); err != nil {
		t.Fatal(err)
	}
	if err := run(context.Background(), r, 3, true); err != nil {
		t.Fatal(err)
	}
	same(t, "beam.zarr", "one.zarr")
}

// What goes wrong in a worker is told in one line, without what the runner did meanwhile.
func TestAPipelineThatCannotRunSaysWhy(t *testing.T) {
	t.Chdir(t.TempDir())
	plain(t, "sample:cells", "", "cells.zarr", "--roi", "z=20:40,y=100:400,x=200:300")
	for _, c := range []struct{ source, chain, out, want string }{
		{"gone.tif", "", "a.zarr", "gone.tif: no such file or directory"},
		{"sample:ones", "frob", "a.zarr", "frob"},
		{"sample:ones", "", "a.tif", "--out a.tif: its ending is not .zarr"},
		{"sample:ones", "", "", "--source and --out FILE.zarr are needed"},
		{"cells.zarr", "", "cells.zarr", "it is the source itself"},
		{"sample:ones", `external "./nothing"`, "a.zarr", `share 0 of 2: external "./nothing": block t=0:1 z=`},
	} {
		r := request{Source: c.source, Chain: c.chain, Out: c.out}
		err := r.check("")
		if err == nil {
			err = run(context.Background(), r, 2, true)
		}
		if err == nil || !strings.HasPrefix(strings.TrimPrefix(cause(err), "loaders: "), c.want) && !strings.Contains(cause(err), c.want) || strings.Contains(cause(err), "DoFn") {
			t.Errorf("%+v: %v", c, err)
		}
	}
	r := request{Source: "sample:ones", Out: "a.zarr"}
	if err := r.check("much"); err == nil || !strings.Contains(err.Error(), "--memory much") {
		t.Errorf("%v", err)
	}
}

// A step of the pipeline holds no voxels and nothing of this machine, so that it can be sent to another.
func TestStepsAreWords(t *testing.T) {
	r := request{Folder: "/data", Source: "a.tif", Chain: "sobel", Out: "a.zarr", Level: 2, Axes: "zyx", Memory: 1 << 30}
	text, err := json.Marshal(share{Request: r, Of: 3, Verify: true})
	if err != nil || len(text) > 1000 {
		t.Fatalf("%d bytes: %v", len(text), err)
	}
	var back share
	if err := json.Unmarshal(text, &back); err != nil || back != (share{Request: r, Of: 3, Verify: true}) {
		t.Errorf("%+v: %v", back, err)
	}
}

// Workers know neither the window nor the graphics device, and need no C library.
func TestWorkersAreLight(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "-f", "{{.ImportPath}} {{len .CgoFiles}}", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(out)) {
		name, cgo, _ := strings.Cut(strings.TrimSpace(line), " ")
		if strings.HasPrefix(name, "fyne.io/") || strings.HasPrefix(name, "github.com/go-gl/") || strings.HasPrefix(name, "lamella/viewer") || name == "lamella/gpu" || name == "lamella/app/cli" || cgo != "0" {
			t.Errorf("batch reaches %s (%s files of cgo)", name, cgo)
		}
	}
}
