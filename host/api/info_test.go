package api

import (
	"errors"
	"fmt"
	"syscall"
	"testing"
	"time"

	"github.com/prochost/prochost/manager/proc"
	"github.com/stretchr/testify/assert"
)

// What crosses the wire is enough to tell the code that the end itself would have told.
func TestShellCodeOfTheWire(t *testing.T) {
	for _, end := range []proc.End{
		proc.ExitedWith(0), proc.ExitedWith(3), proc.ExitedWith(3, 3), proc.EndedBySignal(syscall.SIGTERM, true),
		proc.EndedBySignal(syscall.SIGSEGV, false), proc.NeverRan(errors.New("not executable")),
		proc.NeverRan(fmt.Errorf("start %q: %w: %q", "api", proc.ErrNoCommand, "apx")), proc.HadNoPID(), proc.Vanished(false),
	} {
		i := proc.Info{Status: end.Status(), Started: time.Unix(1, 0), Ended: time.Unix(2, 0), End: end}
		assert.Equal(t, end.ShellCode(), NewInfo(i, 0, nil).ShellCode(), "%+v", end)
	}
	assert.Zero(t, NewInfo(proc.Info{Started: time.Unix(1, 0)}, 0, nil).ShellCode(), "it lives")
}

func TestWhatIsWritten(t *testing.T) {
	assert.Equal(t, "y\n", string(WriteIn{Input: "y\n"}.Bytes()))
	assert.Equal(t, "\xff", string(WriteIn{Data: []byte{0xff}}.Bytes()))
	assert.Empty(t, WriteIn{End: true}.Bytes())
}
