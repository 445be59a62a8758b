//go:build unix

package main

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

const beamTools = "github.com/apache/beam/sdks/v2/go/"

// serve starts a program and waits until it listens on a port. It ends with the test, and what it started too. A port that
// is not to be chosen may be that of somebody's connection for a while: the program is started again until it has it.
func serve(t *testing.T, port int, program string, args ...string) *bytes.Buffer {
	t.Helper()
	for tries := 0; ; tries++ {
		said, listens := begun(t, port, program, args...)
		switch {
		case listens:
			return said
		case tries == 60 || !strings.Contains(said.String(), "address already in use"):
			t.Fatalf("%s ended: %s", program, said)
		}
		time.Sleep(time.Second)
	}
}

// begun is what a program says that was started, and whether it listens; else it has ended.
func begun(t *testing.T, port int, program string, args ...string) (*bytes.Buffer, bool) {
	t.Helper()
	var said bytes.Buffer
	cmd := exec.Command(program, args...)
	cmd.Stdout, cmd.Stderr, cmd.Dir = &said, &said, t.TempDir() // they leave files where they work
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() { cmd.Wait(); close(ended) }()
	t.Cleanup(func() {
		syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		<-ended
	})
	for {
		if c, err := net.Dial("tcp", fmt.Sprintf("localhost:%d", port)); err == nil {
			c.Close()
			return &said, true
		}
		select {
		case <-ended:
			return &said, false
		case <-time.After(20 * time.Millisecond): // the test's own limit ends this
		}
	}
}

// free is a port that nobody listens on.
func free(t *testing.T) int {
	l, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

// poolPort is where a worker pool of Beam's listens; it cannot be told otherwise.
const poolPort = 50000

// A runner, a pool that starts workers, and one that submits, each a process of its own, make the bytes of one run.
// The worker is the program that is sent to it.
func TestAPipelineOfThreeProcesses(t *testing.T) {
	batch := built(t, here, ".")
	prism := built(t, here, beamTools+"cmd/prism")
	boot := built(t, here, beamTools+"container")
	if c, err := net.Dial("tcp", fmt.Sprintf("localhost:%d", poolPort)); err == nil {
		c.Close()
		t.Skipf("not run: something else listens on port %d, where a worker pool does", poolPort)
	}
	t.Chdir(t.TempDir())
	t.Setenv("TMPDIR", t.TempDir())
	const source, chain = "sample:random?shape=1x40x2x300x300&dtype=uint8&chunk=1x8x1x64x64", "gaussian sigma=1 | sobel | threshold method=otsu"
	plain(t, source, chain, "one.zarr")

	port := free(t)
	runner := serve(t, port, prism, "-job_port", fmt.Sprint(port), "-serve_http=false")
	pool := serve(t, poolPort, boot, "--worker_pool", "--semi_persist_dir", os.Getenv("TMPDIR"))
	submit := func(source string) (string, error) {
		out, err := exec.Command(batch, "--source", source, "--filter", chain, "--out", "beam.zarr", "--shares", "4", "--memory", "64MiB",
			"--endpoint", fmt.Sprintf("localhost:%d", port), "--environment_type", "EXTERNAL", "--environment_config", fmt.Sprintf("localhost:%d", poolPort),
			"--worker_binary", batch).CombinedOutput()
		return string(out), err
	}
	if out, err := submit(source); err != nil || out != "" {
		t.Fatalf("%v: %s\nrunner: %s\npool: %s", err, out, runner, pool)
	}
	same(t, "beam.zarr", "one.zarr")
	if left, _ := filepath.Glob("*"); len(left) != 2 {
		t.Errorf("the folder holds %q", left)
	}
	if out, err := submit("sample:random?shape=9x30x30"); err == nil || strings.Count(out, "\n") != 1 || !strings.Contains(out, "beam.zarr exists already") {
		t.Errorf("another image under the name: %v: %s", err, out)
	}
}
