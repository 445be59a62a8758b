package main

import (
	"context"
	"flag"
	"fmt"

	"lamella/app/export"
	"lamella/app/formats"
	"lamella/filters"
	"lamella/lazy"
	"lamella/lazy/engine"
	"lamella/loaders"
)

// A request is what was asked for. It travels to the workers.
type request struct {
	Folder             string // of the one that submitted it: names that are not whole begin there
	Source, Chain, Out string
	Image, Level       int
	Axes, Raw          string // see loaders.Options
	Stored             bool
	OME, Compression   string
	Levels             int
	Memory             int64 // bytes of voxels that a worker may hold; 0 is a quarter of its machine's

	shares int // as many as fit the size of the work
}

func (r *request) flags(f *flag.FlagSet) {
	f.StringVar(&r.Source, "source", "", "`SOURCE` to read: a file, a folder, an http(s):// or s3:// address, a sample")
	f.StringVar(&r.Chain, "filter", "", "`CHAIN` of filters: 'gaussian sigma=0.4um | sobel'")
	f.StringVar(&r.Out, "out", "", "`FILE` to write, whose ending is .zarr; it may be an s3:// or http(s):// address")
	f.IntVar(&r.Image, "image", 0, "`INDEX` of the image in info's list")
	f.IntVar(&r.Level, "level", 0, "resolution `LEVEL`; 0 is the finest")
	f.StringVar(&r.Axes, "axes", "", "`ORDER` of the axes, slowest first, instead of what the file says")
	f.StringVar(&r.Raw, "raw", "", "`LAYOUT` of headerless data: shape=9x30x34,dtype=uint16,offset=0,order=little")
	f.BoolVar(&r.Stored, "stored-values", false, "values as stored, without a rescale slope and intercept")
	f.StringVar(&r.OME, "ome", "", "`VERSION` of OME-Zarr: 0.4 (default) or 0.5")
	f.StringVar(&r.Compression, "compression", "", "zstd (default), lz4 or `NONE`")
	f.IntVar(&r.Levels, "levels", 0, "at most `N` resolutions, the finest counted; 0 is as many as are useful")
}

// An input is a level of an image, and the chain that goes over it.
type input struct {
	set   lazy.Dataset
	image lazy.Image
	array lazy.Array // before the chain
	chain filters.Chain
	aside []lazy.Dataset // files that filters use, such as the PSF of a deconvolution
}

// input opens the source. The caller closes it.
func (r *request) input(ctx context.Context) (*input, error) {
	chain, err := filters.Parse(r.Chain)
	if err != nil {
		return nil, err
	}
	for _, command := range chain.Programs() { // whoever wrote the chain on the command line wants them run
		programs().Allow(command)
	}
	in := &input{}
	if in.set, err = formats.Open(ctx, r.Source, loaders.Options{Axes: r.Axes, Raw: r.Raw, Stored: r.Stored}); err != nil {
		return nil, err
	}
	if r.Image < 0 || r.Image >= len(in.set.Images) || r.Level < 0 || r.Level >= len(in.set.Images[r.Image].Levels) {
		in.close()
		return nil, fmt.Errorf("%s has no image %d with a level %d", r.Source, r.Image, r.Level)
	}
	in.image = in.set.Images[r.Image]
	in.array = in.image.Levels[r.Level].Array
	if in.chain, err = chain.Open(func(name string) (lazy.Array, error) { return in.beside(ctx, name) }); err != nil {
		in.close()
		return nil, err
	}
	return in, nil
}

// beside opens a file that a filter names.
func (in *input) beside(ctx context.Context, name string) (lazy.Array, error) {
	set, err := formats.Open(ctx, name, loaders.Options{})
	if err != nil {
		return lazy.Array{}, err
	}
	in.aside = append(in.aside, set)
	if len(set.Images) == 0 {
		return lazy.Array{}, fmt.Errorf("%s: there is no image in it", name)
	}
	return set.Images[0].Levels[0].Array, nil
}

func (in *input) close() {
	for _, set := range append(in.aside, in.set) {
		if set.Close != nil {
			set.Close() // reading has ended; nothing can be lost
		}
	}
}

// bytesOfShare is how many bytes of the result a share holds, if nobody says how many shares there are: enough that
// what is read twice at its borders weighs little, few enough that a share lost is soon made again.
const bytesOfShare = 128 << 20

// resolve finds the numbers that the chain takes from the voxels or from the memory, so that all workers have the same.
func (r *request) resolve(ctx context.Context) error {
	in, err := r.input(ctx)
	if err != nil {
		return err
	}
	defer in.close()
	memory := r.Memory
	if memory == 0 {
		memory = engine.DefaultMemory()
	}
	if in.chain, err = in.chain.Within(memory).Settle(in.array, nil); err != nil {
		return err
	}
	e := engine.New(engine.Options{Memory: r.Memory})
	defer e.Close()
	in.chain, err = in.chain.Resolve(in.array, func(a lazy.Array, part lazy.Region) (*lazy.Block, error) {
		b, _, err := e.Get(ctx, a, part, engine.Priority{})
		return b, err
	}, nil)
	if err != nil {
		return fmt.Errorf("%s: %w", r.Source, err)
	}
	a, err := in.chain.Apply(in.array)
	if err != nil {
		return err
	}
	r.Chain = in.chain.String()
	r.shares = max(1, a.Meta().Shape.Voxels()*a.Meta().DType.Size()/bytesOfShare)
	return nil
}

// A work is a request on the machine that works on it.
type work struct {
	*input
	request request
	job     export.Job
}

// open opens what all shares have in common.
func (r request) open(ctx context.Context) (*work, error) {
	enter(r.Folder)
	in, err := r.input(ctx)
	if err != nil {
		return nil, err
	}
	a, err := in.chain.Apply(in.array)
	if err != nil {
		in.close()
		return nil, err
	}
	w := &work{input: in, request: r, job: export.Of(in.set.Source, in.image, r.Level, in.chain, a)}
	w.job.Layout = loaders.Layout{Version: r.OME, Compression: r.Compression, Levels: r.Levels}
	w.job.Still = w.still
	return w, nil
}

// export does what one run has to do.
func (w *work) export(ctx context.Context, run loaders.Run, verify bool) error {
	j := w.job
	j.Way, j.Share, j.Of, j.Verify = run.Way, run.Share, run.Of, verify
	j, err := j.Watched(ctx)
	if err != nil {
		return err
	}
	file, err := formats.Create(ctx, w.request.Out, j.Description())
	if err != nil {
		return err
	}
	_, err = export.Run(ctx, engineOf(w.request.Memory), j, file, nil)
	return err
}

// still says whether the source holds the voxels that it was opened with: shares of two sources must not mix.
func (w *work) still(ctx context.Context) error {
	now, err := w.request.input(ctx)
	if err != nil {
		return fmt.Errorf("%s was removed or changed while it was being read: %w", w.request.Source, err)
	}
	defer now.close()
	if now.array.Node().Hash != w.array.Node().Hash {
		return fmt.Errorf("%s has changed while it was being read", w.request.Source)
	}
	return nil
}
