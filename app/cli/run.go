package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"sync"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"lamella/gpu"
	"lamella/lazy/engine"
	"lamella/loaders"
)

// A machine is the words that say what the work may use.
type machine struct {
	device string
	memory string
	stats  string
	quiet  bool
}

func (m *machine) deviceFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&m.device, "device", "auto", "`DEVICE` that computes: auto (where it is faster), cpu or gpu; gpu fails where there is none that works")
	f.StringVar(&m.memory, "memory", "", "`MOST` memory for voxels, such as 2GiB (default a quarter of the machine's)")
}

func (m *machine) workFlags(cmd *cobra.Command) {
	m.deviceFlags(cmd)
	f := cmd.Flags()
	f.StringVar(&m.stats, "stats", "", "`FILE` for what it took, as JSON; - is standard output")
	f.BoolVar(&m.quiet, "quiet", false, "no progress and no warnings on standard error; what programs of external print is shown all the same")
}

// engine starts an engine as the words say. The caller closes it.
func (m *machine) engine(workers int) (*engine.Engine, error) {
	options := engine.Options{Workers: workers, Unwell: func(err error) {
		fmt.Fprintf(os.Stderr, "lamella: the graphics device failed (%v), the processor goes on\n", err)
	}}
	switch m.device {
	case "auto", "cpu":
	case "gpu":
		d, err := graphics()
		if err != nil {
			return nil, fmt.Errorf("--device gpu: %w; --device cpu works everywhere", err)
		}
		options.Device = d
	default:
		return nil, usagef("--device %s: not auto, cpu or gpu", m.device)
	}
	budget, err := parseMemory(m.memory)
	if err != nil {
		return nil, err
	}
	options.Memory = budget
	e := engine.New(options)
	if m.device == "auto" {
		go func() { // a driver may take longer to start than the work takes
			if d, err := hardware(); err == nil {
				e.Use(engine.Cheaper(d))
			}
		}()
	}
	e.TuneCollector(256 << 20)
	return e, nil
}

// graphics is the graphics device of the process, and hardware the one that is worth a choice. Each is opened
// at its first use, and stays open until the process ends.
var (
	graphics = sync.OnceValues(gpu.Open)
	hardware = sync.OnceValues(gpu.OpenHardware)
)

// parseMemory reads "2GiB"; "" is 0, which lets the engine choose.
func parseMemory(text string) (int64, error) {
	if text == "" {
		return 0, nil
	}
	n, err := humanize.ParseBytes(text)
	if err != nil {
		return 0, usagef("--memory %s: not a size such as 2GiB or 500MB", text)
	}
	if n < 1<<20 || n > math.MaxInt64/8 {
		return 0, usagef("--memory %s: at least 1MiB is needed", text)
	}
	return int64(n), nil
}

// tell writes the stats to the file that the words name; replace says whether that may exist.
func (m *machine) tell(s engine.Stats, stdout io.Writer, replace bool) error {
	if m.stats == "" {
		return nil
	}
	b, err := json.MarshalIndent(s, "", " ")
	if err != nil {
		return err
	}
	b = append(b, '\n')
	if m.stats == "-" {
		_, err = stdout.Write(b)
		return err
	}
	d, err := loaders.Create(m.stats, replace)
	if err != nil {
		return fmt.Errorf("--stats: %w", err)
	}
	if _, err := d.Write(b); err != nil {
		d.Abort()
		return fmt.Errorf("--stats %s: %w", m.stats, err)
	}
	if err := d.Commit(); err != nil {
		return fmt.Errorf("--stats: %w", err)
	}
	return nil
}
