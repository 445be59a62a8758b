//go:build !headless

package main

import (
	"os/exec"
	"slices"
	"testing"
	"time"
)

// BenchmarkStart starts the program on a sample, on an X server of its own, and waits for its window. What is told is how long that
// took after the first run, in seconds: the median and the longest.
func BenchmarkStart(b *testing.B) {
	s := newScreen(b)
	s.home = b.TempDir()
	var times []float64
	for n := 0; n <= max(1, b.N); n++ {
		began := time.Now()
		cmd := exec.Command(binary, "sample:cells")
		cmd.Env = s.env()
		if err := cmd.Start(); err != nil {
			b.Fatal(err)
		}
		for s.xdotool("search", "--onlyvisible", "--name", "Lamella$") == "" { // --sync looks every half second alone
			if time.Since(began) > time.Minute {
				b.Fatal("no window")
			}
			time.Sleep(5 * time.Millisecond)
		}
		if n > 0 {
			times = append(times, time.Since(began).Seconds())
		}
		cmd.Process.Kill()
		cmd.Wait()
	}
	slices.Sort(times)
	b.ReportMetric(times[len(times)/2], "s-median")
	b.ReportMetric(times[len(times)-1], "s-most")
	b.ReportMetric(0, "ns/op")
}
