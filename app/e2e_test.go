//go:build !headless

package main

import (
	"bytes"
	"context"
	"fmt"
	"hash/fnv"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// These tests run the program itself on an X server of their own and press its keys. Without Xvfb and
// xdotool they say so and do nothing.

// A screen is an X server without a monitor.
type screen struct {
	testing.TB
	display string
	home    string // where programs keep what they keep; "" is another place for each
	area    string // of the screen that picture looks at, as ImageMagick writes it
}

// binary is the program to test: $LAMELLA_BIN, else one built from here.
var binary string

func newScreen(t testing.TB, tools ...string) *screen {
	t.Helper()
	for _, tool := range append([]string{"Xvfb", "xdotool", "import"}, tools...) {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("not run: %s is missing, so the window cannot be tested", tool)
		}
	}
	if binary == "" {
		if binary = os.Getenv("LAMELLA_BIN"); binary == "" {
			dir, err := os.MkdirTemp("", "lamella-e2e-")
			if err != nil {
				t.Fatal(err)
			}
			binary = filepath.Join(dir, "lamella")
			if out, err := exec.Command("go", "build", "-o", binary, ".").CombinedOutput(); err != nil {
				t.Fatalf("building the program: %v\n%s", err, out)
			}
		}
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	server := exec.Command("Xvfb", "-displayfd", "3", "-noreset", "-screen", "0", "1280x900x24")
	server.ExtraFiles = []*os.File{w}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	w.Close()
	t.Cleanup(func() {
		server.Process.Kill()
		server.Wait()
	})
	number := make([]byte, 16)
	n, err := r.Read(number)
	if err != nil {
		t.Fatal(err)
	}
	return &screen{TB: t, display: ":" + strings.TrimSpace(string(number[:n])), area: "720x560+260+60"}
}

// env is where programs on the screen find it, with a home of their own.
func (s *screen) env() []string {
	home := s.home
	if home == "" {
		home = s.TempDir()
	}
	return append(os.Environ(), "DISPLAY="+s.display, "LANG=en_US.UTF-8", "LC_ALL=", "FYNE_SCALE=1", "XDG_CONFIG_HOME="+home)
}

// A running program.
type running struct {
	*screen
	cmd    *exec.Cmd
	stderr bytes.Buffer
	ended  chan error
	win    string
}

// start runs the program with sources and waits until its window has the title of what is open.
func (s *screen) start(title string, sources ...string) *running {
	s.Helper()
	p := &running{screen: s, cmd: exec.Command(binary, sources...), ended: make(chan error, 1)}
	p.cmd.Env, p.cmd.Stderr = s.env(), &p.stderr
	if err := p.cmd.Start(); err != nil {
		s.Fatal(err)
	}
	go func() { p.ended <- p.cmd.Wait() }()
	s.Cleanup(func() { p.cmd.Process.Kill() })
	p.waitFor("the window "+title, func() bool {
		id, _, _ := strings.Cut(s.xdotool("search", "--onlyvisible", "--name", "Lamella"), "\n")
		p.win = strings.TrimSpace(id)
		return p.win != "" && p.title() == title
	})
	s.xdotool("windowfocus", p.win)
	return p
}

// xdotool gives what it prints; a window that is not there yet is no failure.
func (s *screen) xdotool(words ...string) string {
	s.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, "xdotool", words...)
	cmd.Env = s.env()
	out, _ := cmd.Output()
	return strings.TrimSpace(string(out))
}

func (p *running) title() string { return p.xdotool("getwindowname", p.win) }

func (p *running) key(names ...string) {
	p.xdotool(append([]string{"key", "--delay", "40"}, names...)...)
}

func (p *running) typed(text string) { p.xdotool("type", "--delay", "15", text) }

// waitFor looks again and again. How long it takes is not judged; that it never comes is.
func (p *running) waitFor(what string, ok func() bool) {
	p.Helper()
	for end := time.Now().Add(2 * time.Minute); time.Now().Before(end); time.Sleep(60 * time.Millisecond) {
		if ok() {
			return
		}
		select {
		case err := <-p.ended:
			p.Fatalf("waiting for %s, the program ended: %v\n%s", what, err, p.stderr.String())
		default:
		}
	}
	p.shoot("never came: " + what)
	p.Fatalf("never came: %s\n%s", what, p.stderr.String())
}

// shoot keeps what the screen shows under $LAMELLA_FAILED.
func (s *screen) shoot(name string) {
	dir := os.Getenv("LAMELLA_FAILED")
	if dir == "" {
		return
	}
	cmd := exec.Command("import", "-window", "root", filepath.Join(dir, strings.NewReplacer("/", "-", ":", "").Replace(name)+".png"))
	cmd.Env = s.env()
	cmd.Run()
}

// picture names the colours of the part of the screen where the volume is, without the panels, sliders
// and edges, so that two pictures can be told apart. It is 0 while there is nothing to see.
func (s *screen) picture() uint64 {
	s.Helper()
	cmd := exec.Command("import", "-window", "root", "-crop", s.area, "-depth", "8", "rgb:-")
	cmd.Env = s.env()
	out, err := cmd.Output()
	if err != nil || len(out) < 3 {
		s.Fatalf("taking a picture of the screen: %v", err)
	}
	colors := map[[3]byte]bool{}
	for i := 0; i+3 <= len(out); i += 3 * 37 {
		colors[[3]byte(out[i:])] = true
	}
	if len(colors) < 16 {
		return 0
	}
	h := fnv.New64a()
	h.Write(out)
	return h.Sum64()
}

// steady is the picture once it has stopped changing.
func (p *running) steady() uint64 {
	p.Helper()
	var was uint64
	same := 0
	p.waitFor("a picture that stays", func() bool {
		now := p.picture()
		if now == was && now != 0 {
			same++
		} else {
			same = 0
		}
		was = now
		return same >= 5
	})
	return was
}

// changes does something and waits until the picture is another.
func (p *running) changes(what string, do func()) uint64 {
	p.Helper()
	before := p.steady()
	do()
	p.waitFor(what, func() bool { return p.picture() != before })
	return p.steady()
}

// quit presses the keys for it and waits until the program has ended in order.
func (p *running) quit() {
	p.Helper()
	p.key("ctrl+q")
	p.endsWell()
}

func (p *running) endsWell() {
	p.Helper()
	select {
	case err := <-p.ended:
		if err != nil {
			p.Errorf("the program ended with %v", err)
		}
	case <-time.After(20 * time.Second):
		p.shoot("does not end")
		p.Fatal("the program does not end")
	}
	for _, bad := range []string{"panic", "Error in Fyne call thread", "Translation failure", "fatal error", "DATA RACE"} {
		if strings.Contains(p.stderr.String(), bad) {
			p.Errorf("standard error holds %q:\n%s", bad, p.stderr.String())
		}
	}
}

func TestWheelKeysAndZoomChangeThePicture(t *testing.T) {
	p := newScreen(t).start("sample:cells — Lamella", "sample:cells")
	p.xdotool("mousemove", "600", "350")
	first := p.steady()
	second := p.changes("the next plane", func() { p.xdotool("click", "5") })
	if back := p.changes("the plane before", func() { p.xdotool("click", "4") }); back != first {
		t.Error("one notch there and one back give another picture")
	}
	if by := p.changes("the next plane by key", func() { p.key("period") }); by != second {
		t.Error("the key goes to another plane than the wheel")
	}
	p.changes("a larger picture", func() { p.xdotool("keydown", "ctrl", "click", "4", "keyup", "ctrl") })
	p.changes("the whole again", func() { p.key("r") })
	p.changes("one channel less", func() { p.key("1") })
	p.quit()
}

func TestFilesWithAnyNameOpenByArgumentAndByDrop(t *testing.T) {
	s := newScreen(t, "/usr/bin/python3")
	if err := exec.Command("/usr/bin/python3", "-c", "import gi; gi.require_version('Gtk','3.0')").Run(); err != nil {
		t.Skip("not run: python3-gi and gir1.2-gtk-3.0 are missing, so nothing can be dropped on the window")
	}
	dir := t.TempDir()
	odd := filepath.Join(dir, "名字 with space%20 and #1.npy")
	other := filepath.Join(dir, "a%b.npy")
	for i, path := range []string{odd, other} {
		run(t, "export", fmt.Sprintf("sample:random?shape=6x40x50&seed=%d", i), "--out", path)
	}
	p := s.start(filepath.Base(odd)+" — Lamella", odd)
	before := p.steady()
	p.dropFor(filepath.Base(other)+" — Lamella", other)
	if p.steady() == before {
		t.Error("the dropped file shows the picture of the one before")
	}

	// Several at once are one stack, if that is answered; a folder is dropped like a file.
	planes := filepath.Join(dir, "planes")
	if err := os.Mkdir(planes, 0o777); err != nil {
		t.Fatal(err)
	}
	var files []string
	for _, n := range []int{2, 10, 1} {
		f := filepath.Join(planes, fmt.Sprintf("p%d.tif", n))
		run(t, "slice", fmt.Sprintf("sample:random?shape=1x40x50&seed=%d", n), "--out", f)
		files = append(files, f)
	}
	p.dropFor("p1.tif +2 — Lamella", files...) // named in the order of the stack
	p.dropFor("planes — Lamella", planes)
	p.drop(300*time.Millisecond, filepath.Join(dir, "gone.tif"))()
	time.Sleep(500 * time.Millisecond)
	if p.title() != "planes — Lamella" {
		t.Errorf("a file that is not there made the title %q", p.title())
	}
	p.quit()
}

// dropFor drops files and waits for the title that they give. On a busy machine the toolkits answer each other
// later than the hand moves, and a drag that nobody has accepted yet is lost when it ends: each try moves more slowly.
func (p *running) dropFor(title string, paths ...string) {
	p.Helper()
	for pause := 80 * time.Millisecond; pause < 2*time.Second; pause *= 2 {
		end := p.drop(pause, paths...)
		for late := time.Now().Add(5 * time.Second); time.Now().Before(late); time.Sleep(60 * time.Millisecond) {
			if p.title() == title {
				end()
				return
			}
			if len(paths) > 1 { // what they make is asked for, and the first answer has the focus; else the key means nothing
				p.key("Return")
			}
		}
		end()
	}
	p.shoot("never came: " + title)
	p.Fatalf("the drop never made the title %q, it is %q", title, p.title())
}

// drop drags files from a window of another program onto the picture, with a pause after each movement. The other
// program stays until end is called: a window that is gone before its target has answered ends the target, which GLFW
// leaves to X.
func (p *running) drop(pause time.Duration, paths ...string) (end func()) {
	p.Helper()
	source := exec.Command("/usr/bin/python3", append([]string{"testdata/dragsource.py"}, paths...)...)
	source.Env = p.env()
	out, err := source.StdoutPipe()
	if err != nil {
		p.Fatal(err)
	}
	if err := source.Start(); err != nil {
		p.Fatal(err)
	}
	end = sync.OnceFunc(func() {
		time.Sleep(300 * time.Millisecond)
		source.Process.Kill()
		source.Wait()
	})
	p.Cleanup(end)
	said := make(chan string, 8)
	go func() {
		line := make([]byte, 64)
		for {
			n, err := out.Read(line)
			if err != nil {
				close(said)
				return
			}
			said <- string(line[:n])
		}
	}()
	if !strings.Contains(<-said, "ready") {
		p.Fatal("the source of the drag did not start")
	}
	win, _, _ := strings.Cut(p.xdotool("search", "--onlyvisible", "--name", "^drag source$"), "\n")
	p.xdotool("windowraise", win)
	at := p.xdotool("getwindowgeometry", "--shell", win)
	var x, y int
	for line := range strings.Lines(at) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		n, _ := strconv.Atoi(value)
		switch name {
		case "X":
			x = n
		case "Y":
			y = n
		}
	}
	move := func(x, y int) {
		p.xdotool("mousemove", strconv.Itoa(x), strconv.Itoa(y))
		time.Sleep(pause) // the other program takes part in every movement
	}
	move(x+80, y+50)
	p.xdotool("mousedown", "1")
	for i := 1; i <= 5; i++ {
		move(x+80+8*i, y+50-6*i)
	}
	for i := range 6 {
		move(560+6*i, 320+4*i)
	}
	p.xdotool("mouseup", "1")
	select {
	case <-said:
	case <-time.After(20 * time.Second):
		p.Fatal("the drag did not end")
	}
	return end
}

// run runs a verb of the program.
func run(t *testing.T, words ...string) {
	t.Helper()
	if out, err := exec.Command(binary, append(words, "--quiet", "--overwrite")...).CombinedOutput(); err != nil {
		t.Fatalf("lamella %s: %v\n%s", strings.Join(words, " "), err, out)
	}
}

func TestThePlaneOnViewIsExportedAsTheCommandLineDoes(t *testing.T) {
	p := newScreen(t).start("sample:cells — Lamella", "sample:cells")
	dir := t.TempDir()
	p.xdotool("mousemove", "600", "350")
	p.changes("the next plane", func() { p.xdotool("click", "5") })
	export := func(keys, path string) {
		t.Helper()
		p.key(keys)
		time.Sleep(500 * time.Millisecond) // the dialog takes the focus
		p.key("ctrl+a")
		p.typed(path)
		p.key("Return")
		p.waitFor(path, func() bool { _, err := os.Stat(path); return err == nil })
	}
	got, want := filepath.Join(dir, "window.npy"), filepath.Join(dir, "cli.npy")
	export("ctrl+s", got)
	run(t, "slice", "sample:cells", "--at", "33", "--out", want)
	must := func(data []byte, err error) []byte {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	if a, b := must(os.ReadFile(got)), must(os.ReadFile(want)); !bytes.Equal(a, b) {
		t.Errorf("the window wrote %d bytes, the command line %d, and they differ", len(a), len(b))
	}
	around, region := filepath.Join(dir, "around.npy"), filepath.Join(dir, "region.npy")
	p.key("ctrl+s")
	time.Sleep(500 * time.Millisecond)
	p.key("ctrl+a")
	p.typed(around)
	p.key("shift+Tab", "shift+Tab", "shift+Tab", "Down", "Tab", "ctrl+a", "2", "Return") // planes around it, ± 2
	p.waitFor(around, func() bool { _, err := os.Stat(around); return err == nil })
	run(t, "export", "sample:cells", "--roi", "z=31:36", "--out", region)
	if a, b := must(os.ReadFile(around)), must(os.ReadFile(region)); !bytes.Equal(a, b) {
		t.Errorf("of planes around it the window wrote %d bytes, the command line %d, and they differ", len(a), len(b))
	}
	shot := filepath.Join(dir, "window.png")
	export("ctrl+shift+s", shot)
	f, err := os.Open(shot)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if c, err := png.DecodeConfig(f); err != nil || c.Width != 512 || c.Height != 512 {
		t.Errorf("the picture is %d by %d: %v", c.Width, c.Height, err)
	}
	p.quit()
}

func TestItEndsAtOnceWhateverGoesOn(t *testing.T) {
	s := newScreen(t)
	slow := "sample:slow?ms=600000&shape=40x64x64&chunk=1x64x64"
	p := s.start(slow+" — Lamella", slow)
	p.xdotool("mousemove", "600", "350", "click", "5", "click", "5")
	p.quit()

	p = s.start(slow+" — Lamella", slow)
	p.xdotool("mousemove", "600", "350", "click", "5")
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	p.endsWell()
}

func TestBR018MemoryDoesNotGrowWithEveryRedraw(t *testing.T) {
	p := newScreen(t).start("sample:random?shape=60x512x512 — Lamella", "sample:random?shape=60x512x512")
	p.xdotool("mousemove", "600", "350")
	pass := func() int {
		p.xdotool("key", "--repeat", "60", "--delay", "12", "period")
		p.xdotool("key", "--repeat", "60", "--delay", "12", "comma")
		p.steady()
		return resident(t, p.cmd.Process.Pid)
	}
	pass()
	second := pass()
	var last int
	for range 4 {
		last = pass()
	}
	if last > second+second/10 {
		t.Errorf("after pass 2 it holds %d kB, after pass 6 %d kB", second, last)
	}
	p.quit()
}

// resident is a process's memory in kB.
func resident(t *testing.T, pid int) int {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if v, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			n, err := strconv.Atoi(strings.Fields(v)[0])
			if err != nil {
				t.Fatal(err)
			}
			return n
		}
	}
	t.Fatal("the system does not say how much memory the program holds")
	return 0
}

func TestWithoutADisplayOneLineSaysSo(t *testing.T) {
	s := newScreen(t)
	for _, display := range []string{"", ":4711"} {
		cmd := exec.Command(binary, "sample:cells")
		cmd.Env = append(s.env(), "DISPLAY="+display, "WAYLAND_DISPLAY=", "LANG=C.UTF-8")
		out, err := cmd.CombinedOutput()
		if err == nil || cmd.ProcessState.ExitCode() != 1 {
			t.Errorf("DISPLAY=%q: it ended with %v, want 1", display, err)
		}
		if n := bytes.Count(out, []byte("\n")); n != 1 || !bytes.HasPrefix(out, []byte("lamella: opening the window: ")) {
			t.Errorf("DISPLAY=%q: it says %q", display, out)
		}
	}
}
