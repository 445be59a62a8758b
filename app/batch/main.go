package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"regexp"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/log"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/transforms/stats"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"
	"github.com/dustin/go-humanize"

	"lamella/app/export"
)

func main() {
	var r request
	shares := flag.Int("shares", 0, "how many `SHARES` the work is cut into (default one for each 128 MiB of voxels)")
	verify := flag.Bool("verify", true, "have other workers read what was written and compare checksums, before the file has its name")
	memory := flag.String("memory", "", "`MOST` memory of a worker for voxels, such as 2GiB (default a quarter of its machine's)")
	level := flag.String("log", "", "what Beam tells on standard error: debug, info, warn or `ERROR` (default nothing)")
	r.flags(flag.CommandLine)
	flag.Parse()
	if *level != "" {
		log.LogLevel = *level
	}
	beam.Init() // a worker does not return from here
	if *level == "" {
		slog.SetDefault(slog.New(slog.DiscardHandler)) // an error is told once, by the line below
	}

	err := r.check(*memory)
	if err == nil {
		err = run(context.Background(), r, *shares, *verify)
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "batch: %s\n", cause(err))
		os.Exit(1)
	}
}

// run does the whole of it. Numbers that filters take from the voxels are found once, here, and are part of the chain
// from then on.
func run(ctx context.Context, r request, shares int, verify bool) error {
	if err := r.resolve(ctx); err != nil {
		return err
	}
	if shares < 1 {
		shares = r.shares
	}
	err := beamx.Run(ctx, pipeline(r, shares, verify))
	if err != nil {
		err = fmt.Errorf("%w; %s keeps what is finished, and the same words go on with it", err, export.Kept(r.Out))
	}
	return err
}

// pipeline is the work of a request in shares.
func pipeline(r request, shares int, verify bool) *beam.Pipeline {
	p, s := beam.NewPipelineWithRoot()
	numbers := make([]int, shares)
	for i := range numbers {
		numbers[i] = i
	}
	there := beam.ParDo(s.Scope("Write"), &share{Request: r, Of: shares}, beam.Reshuffle(s, beam.CreateList(s, numbers)))
	if verify {
		there = beam.ParDo(s.Scope("Verify"), &share{Request: r, Of: shares, Verify: true}, beam.Reshuffle(s, there))
	}
	count := stats.Sum(s, beam.ParDo(s, one, there))
	beam.ParDo0(s.Scope("Close"), &closing{Request: r, Of: shares, Verify: verify}, count)
	return p
}

// one is what each share counts.
func one(int) int { return 1 }

// check looks at the words themselves.
func (r *request) check(memory string) error {
	if r.Source == "" || r.Out == "" {
		return errors.New("--source and --out FILE.zarr are needed")
	}
	if !strings.HasSuffix(strings.ToLower(r.Out), ".zarr") {
		return fmt.Errorf("--out %s: its ending is not .zarr, and other files are written as one object", r.Out)
	}
	if r.Levels < 0 {
		return fmt.Errorf("--levels %d: 1 is the finest alone", r.Levels)
	}
	if memory != "" {
		n, err := humanize.ParseBytes(memory)
		if err != nil || n < 1<<20 {
			return fmt.Errorf("--memory %s: not a size of 1MiB or more, such as 2GiB", memory)
		}
		r.Memory = int64(n)
	}
	var err error
	if r.Folder, err = os.Getwd(); err != nil {
		return err
	}
	return export.Check(r.Out, r.Source, true)
}

// ours is what stands in front of the error of a DoFn, when a runner has wrapped it in what it was doing itself.
var ours = regexp.MustCompile(`(?s)^.*DoFn\[[^\n]*\] failed:\n`)

// cause is what went wrong, in one line.
func cause(err error) string {
	return strings.Join(strings.Fields(ours.ReplaceAllString(err.Error(), "")), " ")
}
