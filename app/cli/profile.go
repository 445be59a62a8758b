package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime/pprof"

	"github.com/spf13/cobra"
)

// profileFlag lets a verb write down where its processor time went, for `go tool pprof`. The profile is complete when
// the function that it returns was called.
func profileFlag(root *cobra.Command) (finish func() error) {
	var path string
	var file *os.File
	root.PersistentFlags().StringVar(&path, "profile", "", "write where the processor's time went to `FILE`, for go tool pprof")
	root.PersistentPreRunE = func(*cobra.Command, []string) (err error) {
		if path == "" {
			return nil
		}
		// Nothing is written over: the name might be a source's.
		if file, err = os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666); errors.Is(err, fs.ErrExist) {
			return fmt.Errorf("--profile: writing %s: a file of this name exists already", path)
		}
		if err != nil {
			return fmt.Errorf("--profile: writing the profile: %w", err)
		}
		return pprof.StartCPUProfile(file)
	}
	return func() error {
		if file == nil {
			return nil
		}
		pprof.StopCPUProfile()
		if err := file.Close(); err != nil {
			return fmt.Errorf("writing the profile: %w", err)
		}
		return nil
	}
}
