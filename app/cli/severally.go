package cli

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"lamella/app/export"
	"lamella/loaders"
)

// severally is the words about writing a file in several runs.
type severally struct {
	resume, verify bool
	shard          string

	way       loaders.Way
	share, of int
}

func (r *severally) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.BoolVar(&r.resume, "resume", false, "go on with FILE.part, begin if there is none, and leave it when stopped (.zarr)")
	f.BoolVar(&r.verify, "verify", false, "read again what was written and compare checksums before the file has its name (.zarr)")
	f.StringVar(&r.shard, "shard", "", "`I/N` writes share I of N, counted from 0, into FILE.part; finish closes it when all are there (.zarr)")
}

// mostShares is more than the files of any volume that is divided; a typing error is told at once.
const mostShares = 1 << 20

// check reads the words and tells the target what they allow.
func (r *severally) check(t *target) error {
	zarr := hasEnding(strings.TrimRight(t.out, "/"), ".zarr")
	switch {
	case (r.resume || r.verify || r.shard != "") && t.out != "" && !zarr:
		return usagef("--resume, --verify and --shard go with --out FILE.zarr; --out %s is written as one object", t.out)
	case r.shard == "finish":
		r.way = loaders.Finish
	case r.shard != "":
		i, n, ok := strings.Cut(r.shard, "/")
		var e1, e2 error
		r.share, e1 = strconv.Atoi(i)
		r.of, e2 = strconv.Atoi(n)
		if !ok || e1 != nil || e2 != nil {
			return usagef("--shard %s: not I/N, such as 3/64, or finish", r.shard)
		}
		if r.of < 1 || r.share < 0 || r.share >= r.of {
			return usagef("--shard %s: shares are counted from 0, so that the last is %d/%d", r.shard, max(r.of, 1)-1, max(r.of, 1))
		}
		if r.of > mostShares {
			return usagef("--shard %s: at most %d shares", r.shard, mostShares)
		}
		r.way = loaders.Share
	case r.resume:
		r.way = loaders.Resume
	}
	t.goesOn = r.way != loaders.Afresh
	return nil
}

func (r *severally) set(j *export.Job) {
	j.Way, j.Share, j.Of, j.Verify = r.way, r.share, r.of, r.verify
}

// unfinished is why a run that others go on with has ended.
type unfinished struct {
	error
	path string
}

func (u unfinished) Unwrap() error { return u.error }

func (u unfinished) Error() string { return u.error.Error() + "; " + u.what() }

func (u unfinished) what() string {
	return export.Kept(u.path) + " keeps what is finished, and the same words go on with it"
}

// still says whether the source still holds the voxels that the input was opened with.
func (c *choice) still(ctx context.Context, source string, was *input) error {
	now, err := c.open(ctx, source)
	if err != nil {
		return fmt.Errorf("%s was removed or changed while it was being read: %w", source, err)
	}
	defer now.Close()
	if now.level.Array.Node().Hash != was.level.Array.Node().Hash {
		return fmt.Errorf("%s has changed while it was being read", source)
	}
	return nil
}
