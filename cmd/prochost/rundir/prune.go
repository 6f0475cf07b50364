package rundir

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"

	"github.com/prochost/prochost/host/statedir"
)

// Keep is how many folders of runs that are over stay.
const Keep = 2

// runName is what Open names a folder; whatever else lies beside them is left alone.
var runName = regexp.MustCompile(`^\d{8}-\d{6}\.\d{3}-\d+$`)

// Prune removes the folders of earlier runs of the project, but for the newest Keep and those that are in use, as its
// own is.
func (r *Run) Prune() error {
	unlock, err := r.lockProject()
	if err != nil {
		return fmt.Errorf("remove old logs: %w", err)
	}
	defer unlock()
	entries, err := os.ReadDir(r.runs()) // sorted by name, so the oldest first
	if err != nil {
		return fmt.Errorf("remove old logs: %w", err)
	}
	var (
		failed error
		kept   int
	)
	for _, e := range slices.Backward(entries) {
		dir := filepath.Join(r.runs(), e.Name())
		if !e.IsDir() || !runName.MatchString(e.Name()) {
			continue
		}
		held, err := statedir.Acquire(filepath.Join(dir, "lock"), false)
		switch {
		case errors.Is(err, statedir.ErrLocked):
			continue
		case err != nil:
			failed = errors.Join(failed, fmt.Errorf("remove old logs: %w", err))
			continue
		}
		if kept++; kept > Keep {
			if err := os.RemoveAll(dir); err != nil {
				failed = errors.Join(failed, fmt.Errorf("remove old logs: %w", err))
			}
		}
		held.Close()
	}
	return failed
}
