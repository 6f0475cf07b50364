package proctest

import (
	"fmt"
	"os"
	"syscall"
	"testing"
	"time"
)

// patience is how long what the tests have begun may take to go.
const patience = 10 * time.Second

// Flat is the tests of a package, which fail if they leave this process with more descriptors than before or with
// a child.
func Flat(m *testing.M) interface{ Run() int } { return flat{m} }

type flat struct{ *testing.M }

func (f flat) Run() int {
	if r, w, err := os.Pipe(); err == nil { // the runtime's own descriptors are there from here on
		r.Close()
		w.Close()
	}
	before := Descriptors()
	code := f.M.Run()
	if code != 0 {
		return code
	}
	problem := ""
	for late := time.Now().Add(patience); time.Now().Before(late); time.Sleep(time.Millisecond) {
		var wait bool
		if problem, wait = excess(before); problem == "" {
			return code
		}
		if !wait {
			break
		}
	}
	fmt.Fprintln(os.Stderr, "the tests leave", problem)
	return 1
}

// excess says what there is that was not there before, and whether it may go yet.
func excess(descriptors int) (problem string, wait bool) {
	switch pid, err := syscall.Wait4(-1, nil, syscall.WNOHANG, nil); {
	case err == syscall.ECHILD:
	case pid > 0:
		return fmt.Sprintf("a dead child that nobody has reaped: %d", pid), false
	default:
		return "a child that lives", true
	}
	if n := Descriptors(); n > descriptors {
		var open []string
		all, _ := os.ReadDir("/proc/self/fd")
		for _, fd := range all {
			to, _ := os.Readlink("/proc/self/fd/" + fd.Name())
			open = append(open, fd.Name()+" "+to)
		}
		return fmt.Sprintf("%d descriptors where %d had been: %q", n, descriptors, open), true
	}
	return "", false
}
