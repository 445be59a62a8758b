package extern

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"lamella/lazy"
	"lamella/lazy/engine"
	"lamella/lazy/lazytest"
)

const python = "/usr/bin/python3"

func needs(t testing.TB, module string) {
	t.Helper()
	if exec.Command(python, "-c", "import "+module).Run() != nil {
		t.Skipf("not run: there is no Python with %s", module)
	}
}

// compiled builds a program of testdata.
func compiled(t testing.TB, name string) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), name)
	if out, err := exec.Command("cc", "-O2", "-o", program, filepath.Join("testdata", name+".c")).CombinedOutput(); err != nil {
		t.Skipf("not run: there is no C compiler (%v: %s)", err, out)
	}
	return program
}

func newPrograms(t testing.TB, said func(string, string), allowed ...string) *Programs {
	p := New(Options{Most: 2, Said: said})
	t.Cleanup(p.Close)
	for _, c := range allowed {
		p.Allow(c)
	}
	return p
}

func newEngine(t testing.TB) *engine.Engine {
	e := engine.New(engine.Options{Memory: 64 << 20, Workers: 2})
	t.Cleanup(e.Close)
	return e
}

func volume(d lazy.DType, s, chunk lazy.Shape) lazy.Array {
	return lazytest.Array(lazytest.Meta(d, s, chunk), func(i lazy.Index) float64 {
		return float64((i[0]*31 + i[1]*7 + i[2]*11 + i[3]*i[4]*13 + i[3]*5 + i[4]*3) % 251)
	})
}

func applied(t testing.TB, p *Programs, of Program, a lazy.Array) lazy.Array {
	t.Helper()
	if of.Limit == 0 {
		of.Limit = time.Minute
	}
	op, err := p.Op(of)
	if err != nil {
		t.Fatal(err)
	}
	out, err := lazy.Apply(op, a)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func halo(n int) lazy.Halo {
	return lazy.Halo{Before: lazy.Index{0, n, 0, n, n}, After: lazy.Index{0, n, 0, n, n}}
}

// An array that is computed in blocks, with a halo, is what the program makes of all of it at once.
func TestAProgramInPythonSeesNoBlocks(t *testing.T) {
	needs(t, "scipy.ndimage")
	command := python + " testdata/median.py"
	p := newPrograms(t, nil, command)
	a := volume(lazy.U16, lazy.Shape{2, 9, 2, 40, 50}, lazy.Shape{1, 4, 1, 16, 16})
	blocks := applied(t, p, Program{Command: command, Halo: halo(1), Out: lazy.U16}, a)
	e := newEngine(t)
	for _, r := range []lazy.Region{
		a.Meta().Shape.Whole(),
		a.Meta().Shape.Whole().With(lazy.Z, 5, 6).With(lazy.C, 1, 2).With(lazy.T, 1, 2), // a plane
		a.Meta().Shape.Whole().With(lazy.X, 49, 50).With(lazy.T, 0, 1),
	} {
		got, _, err := e.Get(t.Context(), blocks, r, engine.Priority{})
		if err != nil {
			t.Fatal(err)
		}
		in, _, err := e.Get(t.Context(), a, a.Meta().Shape.Whole(), engine.Priority{})
		if err != nil {
			t.Fatal(err)
		}
		for at := range r.Tiles(lazy.Shape{1, 1, 1, 1, 1}) {
			if want := median(in, at.Min); got.Value(at.Min) != want {
				t.Fatalf("%v of %v is %v, want %v", at.Min, r, got.Value(at.Min), want)
			}
		}
	}
}

// median is that of 3 x 3 x 3 voxels, reflected at the edges as scipy.ndimage does.
func median(b *lazy.Block, at lazy.Index) float64 {
	var count [256]int
	fold := func(i, n int) int { return max(0, min(i, n-1)) } // which for a reach of 1 is reflect
	for dz := -1; dz <= 1; dz++ {
		for dy := -1; dy <= 1; dy++ {
			for dx := -1; dx <= 1; dx++ {
				i := at
				i[lazy.Z], i[lazy.Y], i[lazy.X] = fold(at[1]+dz, b.Region.Len(lazy.Z)), fold(at[3]+dy, b.Region.Len(lazy.Y)), fold(at[4]+dx, b.Region.Len(lazy.X))
				count[int(b.Value(i))]++
			}
		}
	}
	for v, seen := 0, 0; ; v++ {
		if seen += count[v]; seen > 13 {
			return float64(v)
		}
	}
}

func TestAProgramInPythonWithSkimage(t *testing.T) {
	needs(t, "skimage.restoration")
	command := python + " testdata/denoise.py"
	a := volume(lazy.U8, lazy.Shape{1, 3, 1, 30, 40}, lazy.Shape{1, 1, 1, 16, 16})
	p := newPrograms(t, nil, command)
	got, _, err := newEngine(t).Get(t.Context(), applied(t, p, Program{Command: command, Out: lazy.F32}, a), a.Meta().Shape.Whole(), engine.Priority{})
	if err != nil {
		t.Fatal(err)
	}
	want, err := exec.Command(python, "-c", `
import numpy as np
from skimage.restoration import denoise_tv_chambolle
z, y, x = np.mgrid[:3, :30, :40]
v = ((z*7 + y*x*13 + y*5 + x*3) % 251).astype(np.float32)
print(",".join("%.4f" % n for p in v for n in denoise_tv_chambolle(p, weight=20, max_num_iter=15, eps=0)[::7, ::7].ravel()))
`).Output()
	if err != nil {
		t.Fatal(err)
	}
	var text []string
	for at := range a.Meta().Shape.Whole().Tiles(lazy.Shape{1, 1, 1, 7, 7}) {
		text = append(text, fmt.Sprintf("%.4f", got.Value(at.Min)))
	}
	if strings.Join(text, ",") != strings.TrimSpace(string(want)) {
		t.Errorf("%s\nwant %s", strings.Join(text, ","), want)
	}
}

func TestAProgramInC(t *testing.T) {
	command := compiled(t, "invert")
	p := newPrograms(t, nil, command)
	a := volume(lazy.U8, lazy.Shape{1, 5, 3, 70, 90}, lazy.Shape{1, 2, 1, 32, 32})
	inverted := applied(t, p, Program{Command: command, Halo: halo(2), Out: lazy.U8}, a)
	got, _, err := newEngine(t).Get(t.Context(), inverted, a.Meta().Shape.Whole(), engine.Priority{})
	if err != nil {
		t.Fatal(err)
	}
	in, _, err := newEngine(t).Get(t.Context(), a, a.Meta().Shape.Whole(), engine.Priority{})
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range in.Bytes() {
		if got.Bytes()[i] != 255-v {
			t.Fatalf("voxel %d is %d, want %d", i, got.Bytes()[i], 255-v)
		}
	}
}

// script writes a program in Python that has about and block of each question, and answers what it says.
func script(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "script.py")
	text = `
import io, json, os, sys, time
import numpy as np
def answer(a):
    out = io.BytesIO(); np.save(out, a)
    sys.stdout.buffer.write(out.getvalue()); sys.stdout.buffer.flush()
while line := sys.stdin.buffer.readline():
    about = json.loads(line)
    block = np.load(io.BytesIO(sys.stdin.buffer.read(about["bytes"])))
    z = about["region"]["z"][0]
` + text
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return python + " '" + name + "'"
}

// A program that fails on one block costs that block, with a word on what happened; the others are there.
func TestWhatGoesWrongCostsItsBlockAlone(t *testing.T) {
	needs(t, "numpy")
	for what, c := range map[string]struct{ text, want string }{
		"a crash":                  {"    if z == 1: raise ValueError('no such luck')\n    answer(block)", "it ended with exit status 1; it said: .*ValueError: no such luck"},
		"a kill":                   {"    if z == 1: os.kill(os.getpid(), 9)\n    answer(block)", "it ended with signal: killed"},
		"an answer that is short":  {"    if z == 1: sys.stdout.buffer.write(b'\\x93NUMPY'); break\n    answer(block)", "its answer breaks off within its header"},
		"an answer cut by a crash": {"    if z == 1:\n        out = io.BytesIO(); np.save(out, block); sys.stdout.buffer.write(out.getvalue()[:-100]); sys.stdout.buffer.flush(); os._exit(3)\n    answer(block)", "its answer breaks off after 1100 of 1200 bytes of voxels; it ended with exit status 3"},
		"another shape":            {"    answer(block[:, 1:] if z == 1 else block)", "it answered an array of shape .1 29 40., expected .1 30 40."},
		"another type":             {"    answer(block.astype('f8') if z == 1 else block)", "it answered values of type <f8, expected .u1"},
		"Fortran's order":          {"    answer(np.asfortranarray(block.repeat(1, 0)) if z == 1 and block.ndim == 3 else block)", "Fortran's order"},
		"two answers":              {"    out = io.BytesIO(); np.save(out, block)\n    sys.stdout.buffer.write(out.getvalue() * (1 + (z == 1))); sys.stdout.buffer.flush()", "it wrote more than one answer to a block, from .*NUMPY"},
		"prints":                   {"    if z == 1: print('hello world')\n    answer(block)", "it answered \"hello wo\", which is no .npy"},
		"sleeps":                   {"    if z == 1: time.sleep(100)\n    answer(block)", "it took longer than the 1.5s that a block may take"},
	} {
		command := script(t, c.text)
		p := newPrograms(t, nil, command)
		a := volume(lazy.U8, lazy.Shape{1, 3, 1, 30, 40}, lazy.Shape{1, 1, 1, 30, 40})
		done := applied(t, p, Program{Command: command, Out: lazy.U8, Limit: 90 * time.Second}, a)
		if what == "sleeps" {
			done = applied(t, p, Program{Command: command, Out: lazy.U8, Limit: 1500 * time.Millisecond}, a)
		}
		e := newEngine(t)
		for _, z := range []int{0, 1, 2, 1, 0} {
			e.Clear()
			_, _, err := e.Get(t.Context(), done, a.Meta().Shape.Whole().With(lazy.Z, z, z+1), engine.Priority{})
			if (err != nil) != (z == 1) && what != "sleeps" {
				t.Fatalf("%s: plane %d: %v", what, z, err)
			}
			if z == 1 && !matches(c.want, err) {
				t.Errorf("%s: %v, want %s", what, err, c.want)
			}
		}
	}
}

func TestAProgramThatCannotBeStartedIsNamed(t *testing.T) {
	command := "/nowhere/denoise --fast"
	p := newPrograms(t, nil, command)
	a := volume(lazy.U8, lazy.Shape{1, 1, 1, 3, 4}, lazy.Shape{1, 1, 1, 3, 4})
	_, _, err := newEngine(t).Get(t.Context(), applied(t, p, Program{Command: command, Out: lazy.U8}, a), a.Meta().Shape.Whole(), engine.Priority{})
	if !matches("external \"/nowhere/denoise --fast\": block .*: it cannot be started: .*no such file", err) {
		t.Error(err)
	}
}

// What a program writes to standard error is told; one that ends after each answer is started again; a header tells
// what the docs say.
func TestWhatAProgramIsToldAndTells(t *testing.T) {
	needs(t, "numpy")
	command := script(t, "    print(line.decode().strip(), file=sys.stderr); answer(block); break")
	said := make(chan string, 100)
	p := newPrograms(t, func(_, line string) { said <- line }, command)
	a := volume(lazy.I16, lazy.Shape{2, 3, 1, 5, 6}, lazy.Shape{1, 3, 1, 5, 6})
	of := Program{Command: command, Halo: halo(1), Out: lazy.I16, Scale: [5]float64{0, 0.5, 0, 0.25, 0}, Unit: [5]string{"", "um", "", "um", ""}}
	e := newEngine(t)
	for _, at := range []int{0, 1} {
		if _, _, err := e.Get(t.Context(), applied(t, p, of, a), a.Meta().Shape.Whole().With(lazy.T, at, at+1).With(lazy.Z, 2, 3), engine.Priority{}); err != nil {
			t.Fatal(err)
		}
	}
	want := `{"axes":"zyx","dtype":"int16","shape":[3,7,8],"bytes":464,"t":1,"c":0,"region":{"x":[-1,7],"y":[-1,6],"z":[1,4]},"halo":{"x":[1,1],"y":[1,1],"z":[1,1]},"voxel_size_um":{"x":null,"y":0.25,"z":0.5},"answer_dtype":"int16"}`
	for _, at := range []string{`"t":0`, `"t":1`} {
		if got := <-said; got != strings.Replace(want, `"t":1`, at, 1) {
			t.Errorf("%s\nwant %s", got, want)
		}
	}
}

func TestNothingIsRunThatWasNotAllowed(t *testing.T) {
	dir := t.TempDir()
	p := newPrograms(t, nil, "touch "+filepath.Join(dir, "allowed"))
	if _, err := p.Op(Program{Command: "touch " + filepath.Join(dir, "evil"), Out: lazy.U8}); !errors.Is(err, ErrNotAllowed) || !strings.Contains(err.Error(), "evil") {
		t.Errorf("%v", err)
	}
}

func TestACancelledBlockIsLeftAtOnce(t *testing.T) {
	needs(t, "numpy")
	command := script(t, "    if z == 1: time.sleep(3600)\n    answer(block)")
	p := newPrograms(t, nil, command)
	a := volume(lazy.U8, lazy.Shape{1, 3, 1, 30, 40}, lazy.Shape{1, 1, 1, 30, 40})
	done := applied(t, p, Program{Command: command, Out: lazy.U8, Limit: time.Hour}, a)
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(50*time.Millisecond, cancel)
	e := newEngine(t)
	if _, _, err := e.Get(ctx, done, a.Meta().Shape.Whole().With(lazy.Z, 1, 2), engine.Priority{}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if _, _, err := e.Get(t.Context(), done, a.Meta().Shape.Whole().With(lazy.Z, 0, 1), engine.Priority{}); err != nil {
		t.Errorf("the next plane: %v", err)
	}
}

func TestEditedScriptsAreOtherPrograms(t *testing.T) {
	command := script(t, "    answer(block)")
	p := newPrograms(t, nil, command)
	one, err := p.Op(Program{Command: command, Out: lazy.U8})
	if err != nil {
		t.Fatal(err)
	}
	name := strings.Trim(strings.TrimPrefix(command, python+" "), "'")
	if err := os.WriteFile(name, []byte("pass"), 0o644); err != nil {
		t.Fatal(err)
	}
	two, err := p.Op(Program{Command: command, Out: lazy.U8})
	if err != nil || one.Key() == two.Key() {
		t.Errorf("%v, %v: %s", one.Key(), two.Key(), err)
	}
}

func TestWordsOfACommand(t *testing.T) {
	for command, want := range map[string]string{
		"python3 a.py": "[python3 a.py]", " a  b ": "[a b]", "a 'b c'd ''": "[a b cd ]", "a 'b": "ends within quotes", "": "no program", "''": "no program",
	} {
		words, err := split(command)
		if got := fmt.Sprint(words); got != want && !matches(want, err) {
			t.Errorf("%q: %s, %v", command, got, err)
		}
	}
}

// The docs show the programs that are tested here.
func TestTheDocsShowTheseProgramsAsTheyAre(t *testing.T) {
	docs, err := os.ReadFile("../../docs/EXTERNAL.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"median.py", "denoise.py", "invert.c"} {
		text, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(docs), string(text)) {
			t.Errorf("docs/EXTERNAL.md shows another %s", name)
		}
	}
}

// BenchmarkBlock is a block of 1 MB to a program that hands it back at once. The best time is told too, since on a busy machine
// the others are those of waiting for a processor.
func BenchmarkBlock(b *testing.B) {
	command := compiled(b, "invert")
	p := newPrograms(b, nil, command)
	a := volume(lazy.U8, lazy.Shape{1, 1, 1, 1024, 1024}, lazy.Shape{1, 1, 1, 1024, 1024})
	op := applied(b, p, Program{Command: command, Out: lazy.U8}, a).Node().Op
	r := a.Meta().Shape.Whole()
	src, dst := lazy.NewBlock(r, lazy.U8), lazy.NewBlock(r, lazy.U8)
	b.SetBytes(1 << 20)
	best := time.Hour
	for b.Loop() {
		began := time.Now()
		if err := op.Compute(b.Context(), dst, []*lazy.Block{src}); err != nil {
			b.Fatal(err)
		}
		best = min(best, time.Since(began))
	}
	b.ReportMetric(best.Seconds()*1000, "best-ms")
}

func matches(pattern string, err error) bool {
	return err != nil && regexp.MustCompile(pattern).MatchString(strings.ReplaceAll(err.Error(), "\n", " "))
}
