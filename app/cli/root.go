package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// A session is what the verbs of one run share.
type session struct {
	stdin          io.Reader
	stdout, stderr io.Writer
}

// Verbs are the words that choose the command line instead of the window.
func Verbs() []string {
	words := []string{"help", "completion"}
	for _, c := range newRoot(&session{}).Commands() {
		words = append(words, c.Name())
	}
	return words
}

func newRoot(s *session) *cobra.Command {
	root := &cobra.Command{
		Use:   "lamella",
		Short: "Look at 3-D to 5-D microscopy volumes, computing only what is on view",
		Long: `Lamella opens microscopy volumes of any size and computes just the slice that is asked for.

Without a verb it opens a window:

  lamella [--device DEVICE] [SOURCE ...]

With a verb it needs no display. A SOURCE is a file, a folder, a glob in quotes, an address
(https://host/embryo.ome.zarr, s3://bucket/embryo.ome.zarr), or a built-in sample: sample:cells, or
sample:labels, sample:blobs, sample:random, sample:ones, sample:slow with words such as
'sample:blobs?shape=64x512x512&chunk=32x64x64&dtype=uint16'.

Of an address only what is needed is downloaded. AWS_REGION, AWS_ENDPOINT_URL, AWS_PROFILE and
AWS_ACCESS_KEY_ID with AWS_SECRET_ACCESS_KEY are for s3, as are the files of the AWS tools; without
credentials it is read anonymously. LAMELLA_CACHE is the size of the cache on disk (2GiB; off),
LAMELLA_CACHE_DIR its folder, LAMELLA_PATIENCE when a silent server is given up (30s).

Indices count from 0. Axes are called t, z, c, y, x.

Exit codes: 0 done, 1 could not, 2 wrong words.`,
		Example: `  lamella info embryo.ome.zarr
  lamella info https://example.org/embryo.ome.zarr
  lamella slice embryo.ome.zarr --filter 'gaussian sigma=0.4um | sobel' --out edges.png
  lamella export stack.tif --roi z=10:20,y=0:512,x=0:512 --out crop.ome.zarr
  lamella plan 'sample:ones?shape=1000000x1000x1000&chunk=125x1000x1000' --filter mean`,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usagef("%q is not a verb; see lamella --help", args[0])
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error {
		var number *strconv.NumError
		if wrong := new(pflag.InvalidValueError); errors.As(err, &wrong) && errors.As(err, &number) {
			return usagef("--%s %s: not a number that goes here", wrong.GetFlag().Name, wrong.GetValue())
		}
		return usage{err}
	})
	root.AddCommand(newInfo(s), newSlice(s), newExport(s), newPlan(s), newFilters(s), newDevices(s), newBench(s), newVersion(s))
	return root
}

// NoWindow is the answer, in a build without a window, to words that ask for one, and its exit code.
func NoWindow(args []string, stderr io.Writer) int {
	for _, a := range args {
		_, missing := os.Lstat(a)
		if missing != nil && !strings.ContainsAny(a, "*?[:") {
			fmt.Fprintf(stderr, "lamella: %q is neither a verb nor a file; lamella --help lists the verbs\n", a)
			return wrongWords
		}
	}
	fmt.Fprintln(stderr, "lamella: this build has no window; lamella --help lists the verbs, such as lamella slice SOURCE --out plane.png")
	return couldNot
}

// oneSource is for verbs that take a single source.
func oneSource(_ *cobra.Command, args []string) error {
	switch len(args) {
	case 0:
		return usagef("no source: name a file, a folder, a glob in quotes, an address or a sample")
	case 1:
		if args[0] == "" {
			return usagef("the name of the source is empty")
		}
		return nil
	}
	return usagef("one source, not %d: put a glob in quotes, so that the shell does not take it apart", len(args))
}

// filesAfterFlags makes sources of arguments that begin with "-" and name an existing file: they
// move behind a "--". The names of flags keep their meaning, and so does what a flag takes.
func filesAfterFlags(root *cobra.Command, args []string) []string {
	cmd, _, err := root.Find(args)
	if err != nil {
		return args
	}
	var words, files []string
	for i := 0; i < len(args); i++ {
		a := args[i]
		if a == "--" {
			return append(append(append(words, "--"), files...), args[i+1:]...)
		}
		if !strings.HasPrefix(a, "-") || a == "-" {
			words = append(words, a)
			continue
		}
		flag := flagOf(cmd, a)
		_, err := os.Lstat(a)
		switch {
		case flag == nil && err == nil:
			files = append(files, a)
			continue
		case flag != nil && flag.NoOptDefVal == "" && !strings.Contains(a, "=") && i+1 < len(args):
			words = append(words, a, args[i+1])
			i++
			continue
		}
		words = append(words, a)
	}
	if files == nil {
		return words
	}
	return append(append(words, "--"), files...)
}

func flagOf(cmd *cobra.Command, arg string) *pflag.Flag {
	name, _, _ := strings.Cut(strings.TrimLeft(arg, "-"), "=")
	cmd.InitDefaultHelpFlag()
	if strings.HasPrefix(arg, "--") {
		return cmd.Flags().Lookup(name)
	}
	if len(name) == 1 {
		return cmd.Flags().ShorthandLookup(name)
	}
	return nil
}
