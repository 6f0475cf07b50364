package main

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"golang.org/x/sys/unix"
)

// scriptCommands are, besides those of testscript:
//
//	exits CODE COMMAND…            run it; it ends with CODE
//	bg NAME COMMAND…               start it in the background
//	bg -unread NAME COMMAND…       the same, and nobody reads its stdout
//	seen [-stderr] NAME REGEXP     wait until NAME has written this, after what was seen before
//	signal NAME SIGNAL…            send it signals, one directly after the other
//	exited NAME CODE               wait until it has ended, which is with CODE; what it wrote becomes stdout and stderr
//	fifo FILE                      make a named pipe
//	await FILE                     wait until somebody has written a line to a named pipe
//	events                         stdout is JSON lines: check them, and put a line of words for each in its place
//	steady                         put N and T in stdout for what differs from run to run: process ids and times
//	nosurvivors                    no process of this script is left
var scriptCommands = map[string]func(ts *testscript.TestScript, neg bool, args []string){
	"exits":       cmdExits,
	"bg":          cmdBg,
	"seen":        cmdSeen,
	"signal":      cmdSignal,
	"exited":      cmdExited,
	"fifo":        cmdFifo,
	"await":       cmdAwait,
	"events":      cmdEvents,
	"steady":      cmdSteady,
	"nosurvivors": cmdNoSurvivors,
}

// limit is how long a script waits for what must come.
const limit = time.Minute

func arguments(ts *testscript.TestScript, neg bool, args []string, least int, form string) {
	if neg || len(args) < least {
		ts.Fatalf("usage: %s", form)
	}
}

func cmdExits(ts *testscript.TestScript, neg bool, args []string) {
	arguments(ts, neg, args, 2, "exits CODE COMMAND…")
	err := ts.Exec(args[1], args[2:]...)
	code := 0
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		code = exit.ExitCode()
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if strconv.Itoa(code) != args[0] {
		ts.Fatalf("exit code %d, want %s", code, args[0])
	}
}

func cmdBg(ts *testscript.TestScript, neg bool, args []string) {
	arguments(ts, neg, args, 2, "bg [-unread] NAME COMMAND…")
	unread := args[0] == "-unread"
	if unread {
		args = args[1:]
	}
	path, err := lookPath(ts, args[1])
	ts.Check(err)
	cmd := exec.Command(path, args[2:]...)
	cmd.Dir = ts.MkAbs(".")
	for _, name := range []string{"PATH", "HOME", "WORK", "TMPDIR", "XDG_STATE_HOME", "GORACE", "GOCOVERDIR", "NO_COLOR", "PROCHOST_PROJECT", markName} {
		if v := ts.Getenv(name); v != "" {
			cmd.Env = append(cmd.Env, name+"="+v)
		}
	}
	b, err := startBackground(cmd, unread)
	ts.Check(err)
	backgrounds(ts)[args[0]] = b
}

// lookPath finds a program on the script's PATH.
func lookPath(ts *testscript.TestScript, name string) (string, error) {
	for _, dir := range strings.Split(ts.Getenv("PATH"), ":") {
		if path, err := exec.LookPath(dir + "/" + name); err == nil {
			return path, nil
		}
	}
	return "", fmt.Errorf("%s: %w", name, exec.ErrNotFound)
}

func named(ts *testscript.TestScript, name string) *background {
	b := backgrounds(ts)[name]
	if b == nil {
		ts.Fatalf("nothing named %s runs in the background", name)
	}
	return b
}

func cmdSeen(ts *testscript.TestScript, neg bool, args []string) {
	arguments(ts, neg, args, 2, "seen [-stderr] NAME REGEXP")
	stderr := args[0] == "-stderr"
	if stderr {
		args = args[1:]
	}
	b := named(ts, args[0])
	from := &b.stdout
	if stderr {
		from = &b.stderr
	}
	if err := from.expect(args[1], b.over); err != nil {
		ts.Fatalf("%v\nstdout:\n%s\nstderr:\n%s", err, b.stdout.text(), b.stderr.text())
	}
}

func cmdSignal(ts *testscript.TestScript, neg bool, args []string) {
	arguments(ts, neg, args, 2, "signal NAME SIGNAL…")
	for _, name := range args[1:] {
		s := unix.SignalNum("SIG" + name)
		if s == 0 {
			ts.Fatalf("unknown signal %s", name)
		}
		ts.Check(named(ts, args[0]).cmd.Process.Signal(s))
	}
}

func cmdExited(ts *testscript.TestScript, neg bool, args []string) {
	arguments(ts, neg, args, 2, "exited NAME CODE")
	b := named(ts, args[0])
	select {
	case <-b.over:
	case <-time.After(limit):
		ts.Fatalf("%s still runs\nstdout:\n%s\nstderr:\n%s", args[0], b.stdout.text(), b.stderr.text())
	}
	fmt.Fprint(ts.Stdout(), b.stdout.text())
	fmt.Fprint(ts.Stderr(), b.stderr.text())
	if code := b.cmd.ProcessState.ExitCode(); strconv.Itoa(code) != args[1] {
		ts.Fatalf("%s: %v, want exit code %s\nstdout:\n%s\nstderr:\n%s", args[0], b.cmd.ProcessState, args[1], b.stdout.text(), b.stderr.text())
	}
}

func cmdFifo(ts *testscript.TestScript, neg bool, args []string) {
	arguments(ts, neg, args, 1, "fifo FILE")
	ts.Check(unix.Mkfifo(ts.MkAbs(args[0]), 0o600))
}

func cmdAwait(ts *testscript.TestScript, neg bool, args []string) {
	arguments(ts, neg, args, 1, "await FILE")
	f, err := os.OpenFile(ts.MkAbs(args[0]), os.O_RDWR, 0) // with a writer of our own, so that it does not end
	ts.Check(err)
	defer f.Close()
	ts.Check(f.SetReadDeadline(time.Now().Add(limit)))
	line, err := bufio.NewReader(f).ReadString('\n')
	if err != nil {
		ts.Fatalf("nobody writes to %s: %v", args[0], err)
	}
	fmt.Fprint(ts.Stdout(), line)
}

var (
	pids  = regexp.MustCompile(`\bpid \d+`)
	times = regexp.MustCompile(`\bafter [\dms.]+\b`)
)

func cmdSteady(ts *testscript.TestScript, neg bool, args []string) {
	arguments(ts, neg, args, 0, "steady")
	out := pids.ReplaceAllString(ts.ReadFile("stdout"), "pid N")
	fmt.Fprint(ts.Stdout(), times.ReplaceAllString(out, "after T"))
}

func cmdNoSurvivors(ts *testscript.TestScript, neg bool, args []string) {
	arguments(ts, neg, args, 0, "nosurvivors")
	left := marked(ts.Getenv(markName))
	for name, b := range backgrounds(ts) {
		if b.running() {
			ts.Fatalf("%s still runs", name)
		}
	}
	if len(left) > 0 {
		ts.Fatalf("%d processes are left: %v", len(left), left)
	}
}

// survivor is a process of a script.
type survivor struct {
	pid     int
	command string
}

func (s survivor) String() string { return fmt.Sprintf("%d (%s)", s.pid, s.command) }

func (s survivor) kill() { syscall.Kill(s.pid, syscall.SIGKILL) }

// marked returns the processes that have the mark in their environment.
func marked(mark string) []survivor {
	out, err := exec.Command("ps", "axeww", "-o", "pid=,command=").Output()
	if err != nil {
		panic(err)
	}
	var found []survivor
	for line := range strings.Lines(string(out)) {
		fields := strings.Fields(line)
		if len(fields) < 2 || !slices.Contains(fields, markName+"="+mark) {
			continue
		}
		pid, err := strconv.Atoi(fields[0])
		if err == nil && pid != os.Getpid() {
			found = append(found, survivor{pid, fields[1]})
		}
	}
	return found
}
