package manager

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"golang.org/x/sys/unix"

	"github.com/prochost/prochost/manager/proc"
	"github.com/prochost/prochost/manager/proctest"
)

func init() {
	roles["signals"] = hostThatIgnores
	roles["limits"] = hostWithoutDescriptors
	roles["processes"] = hostWithoutProcesses
	roles["reuse"] = hostOfReusedNumbers
	roles["owner"] = hostThatOwnsOrphans
	roles["inner"] = hostBelowAHost
	roles["short"] = hostsOfShortLives
	roles["parent"] = hostWithOtherChildren
	if os.Getenv(roleVar) == "parent" {
		runtime.LockOSThread() // main stays on the first thread, to which orphans come
	}
}

func TestChildrenOfAHostThatIgnoresSignals(t *testing.T) {
	t.Parallel()
	got := play(t, "signals", `trap '' INT HUP USR1 TSTP TTOU; exec 7</dev/null; exec "$0"`, false, nil)
	assert.Equal(t, "SigIgn 0000000000000000\nSigIgn 0000000000000000\nfds 0 1 2\nstopped interrupt\nhost ignores INT true\n", got)
}

func hostThatIgnores() {
	h := openRole(Options{})
	fmt.Println("SigIgn", h.run("sed", "-n", "s/^SigIgn:[[:space:]]*//p", "/proc/self/status"))
	signal.Ignore(syscall.SIGTERM, syscall.SIGUSR2) // also what the host begins to ignore later
	fmt.Println("SigIgn", h.run("sed", "-n", "s/^SigIgn:[[:space:]]*//p", "/proc/self/status"))
	fmt.Println("fds", strings.Join(strings.Fields(h.run("sh", "-c", "for f in 0 1 2 3 4 5 6 7 8 9; do [ -e /proc/$$/fd/$f ] && echo $f; done")), " "))
	id := h.start("sleep", "60")
	r, err := h.Stop(context.Background(), id, proc.StopRequest{Spec: proc.StopSpec{Signal: syscall.SIGINT, Grace: patience}})
	if err != nil {
		panic(err)
	}
	s, _ := r.Info.End.Signal()
	fmt.Println("stopped", s)
	syscall.Kill(os.Getpid(), syscall.SIGINT) // still nothing to this process
	fmt.Println("host ignores INT", true)
	h.mustClose()
}

func TestDescriptorsAreUsedUp(t *testing.T) {
	t.Parallel()
	got := play(t, "limits", `ulimit -n 64; exec "$0"`, false, nil)
	assert.Equal(t, "refused: start \"sleep\": no file descriptor is left: the limit of the host is 64\n"+
		"stopped: true\nrecovered: hello\n", got)
}

func hostWithoutDescriptors() {
	h := openRole(Options{})
	ids, refused := h.startUntilRefused()
	fmt.Println("refused:", refused)
	r, err := h.Stop(context.Background(), ids[len(ids)-2], proc.StopRequest{})
	if err != nil {
		panic(err)
	}
	fmt.Println("stopped:", r.OK)
	for _, id := range ids[:4] {
		h.Stop(context.Background(), id, proc.StopRequest{})
	}
	fmt.Println("recovered:", h.run("echo", "hello"))
	h.mustClose()
}

// startUntilRefused starts processes until one cannot be, and returns why.
func (h *roleHost) startUntilRefused() (ids []proc.ID, refused string) {
	for range 200 {
		id := h.start("sleep", "60")
		ids = append(ids, id)
		for {
			select {
			case e := <-h.ends:
				return ids, e.End.Cause()
			case <-time.After(time.Millisecond):
			}
			if info, _ := h.Info(id); info.PID != 0 {
				break
			}
		}
	}
	panic("no limit was hit")
}

func TestProcessesAreUsedUp(t *testing.T) {
	t.Parallel()
	stage := proctest.Stage{Ordinary: true}
	if os.Getuid() != 0 { // this user runs more than this test; within a namespace only what is in it counts
		stage.Namespaces = syscall.CLONE_NEWUSER
	}
	got := stage.Play(t, "processes")
	assert.Equal(t, "refused: start \"sleep\": no further process is allowed: the limit of the user or of the control group is reached\n"+
		"recovered: hello\n", got)
}

func hostWithoutProcesses() {
	limit := unix.Rlimit{Cur: 60, Max: 60}
	if err := unix.Setrlimit(unix.RLIMIT_NPROC, &limit); err != nil {
		panic(err)
	}
	h := openRole(Options{})
	ids, refused := h.startUntilRefused()
	fmt.Println("refused:", refused)
	for _, id := range ids[:10] {
		h.Stop(context.Background(), id, proc.StopRequest{})
	}
	fmt.Println("recovered:", h.run("echo", "hello"))
	h.mustClose()
}

func TestReusedNumber(t *testing.T) {
	t.Parallel()
	got := proctest.Stage{
		Script: `mount -t proc proc /proc && exec "$0"`, Namespaces: syscall.CLONE_NEWPID | syscall.CLONE_NEWNS,
	}.Play(t, "reuse")
	assert.Equal(t, "stranger has the number: true\n"+
		"stop of what has ended: the process has ended\n"+
		"stranger lives: true\n"+
		"number is kept while the group lives: true\n"+
		"pidfds: true true true lost true\n"+
		"pidfds: false true true lost true\n"+
		"member: true true\n", got)
}

// hostOfReusedNumbers is the first process of a pid namespace, where it can choose the next number.
func hostOfReusedNumbers() {
	h := openRole(Options{})
	pidOf := func(id proc.ID) int {
		for {
			if info, _ := h.Info(id); info.PID != 0 {
				return info.PID
			}
			time.Sleep(time.Millisecond)
		}
	}
	// A process ends, and a stranger is given its number before a stop.
	id := h.start("sleep", "60")
	pid := pidOf(id)
	h.Signal(id, syscall.SIGKILL)
	<-h.ends
	for alive(pid) || stateOf(pid) != 0 {
		time.Sleep(time.Millisecond)
	}
	s, same := stranger(pid)
	fmt.Println("stranger has the number:", same)
	_, err := h.Stop(context.Background(), id, proc.StopRequest{Force: true})
	fmt.Println("stop of what has ended:", err)
	h.Signal(id, syscall.SIGKILL)
	fmt.Println("stranger lives:", staysAlive(pid))
	s.Process.Kill()
	s.Wait()

	// A leader is gone and its group is not: nobody can be given its number.
	id = h.start("sh", "-c", "trap '' TERM; sleep 60 & exit 0")
	<-h.ends
	pid = pidOf(id)
	_, same = stranger(pid)
	fmt.Println("number is kept while the group lives:", !same)

	// Somebody else reaps the leader, and a stranger is given its number: a signal to the group goes nowhere,
	// be it for the pidfd, or be it for the lost status where there are no pidfds.
	intake, err := newIntake()
	if err != nil {
		panic(err)
	}
	seat := intake.seat()
	for _, pidfds := range []bool{true, false} {
		l, err := launch("thief", proc.Spec{Name: "victim", Argv: []string{"sleep", "60"}, Dir: "/"}, nil)
		if err != nil {
			panic(err)
		}
		syscall.Kill(l.pid, syscall.SIGKILL)
		syscall.Wait4(l.pid, nil, 0, nil)
		s, same := stranger(l.pid)
		if !pidfds {
			l.pidfd = -1
		}
		// As far as the numbers go the stranger is a child of ours, so without a pidfd the theft has to be known.
		handle := &handle{number: l.pid, pidfd: -1, ended: make(chan struct{})}
		if pidfds {
			handle = newHandle(l, seat)
		} else {
			close(handle.ended)
		}
		if pidfds {
			handle.signalGroup(syscall.SIGKILL)
		}
		<-handle.over()
		status, is := handle.status()
		handle.signalGroup(syscall.SIGKILL)
		fmt.Println("pidfds:", pidfds, same, is, status.end(rules{}, 0).Reason(), staysAlive(l.pid))
		handle.close()
		s.Process.Kill()
		s.Wait()
	}
	intake.close()
	memberOfReusedNumber()
	h.mustClose()
}

// stranger starts a process that has the number, unless that is taken: now and then one of our own threads takes it
// first.
func stranger(pid int) (*exec.Cmd, bool) {
	var cmd *exec.Cmd
	for range 20 {
		if err := os.WriteFile("/proc/sys/kernel/ns_last_pid", fmt.Append(nil, pid-1), 0); err != nil {
			panic(err)
		}
		cmd = exec.Command("sleep", "60")
		cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		if err := cmd.Start(); err != nil {
			panic(err)
		}
		if cmd.Process.Pid == pid {
			return cmd, true
		}
		cmd.Process.Kill()
		cmd.Wait()
	}
	return cmd, false
}

// memberOfReusedNumber finds a member of a process, and a stranger is given its number before it is signalled.
func memberOfReusedNumber() {
	cmd, _ := stranger(7000)
	found, err := readEntry(cmd.Process.Pid)
	if err != nil {
		panic(err)
	}
	m := member{found.pid, found.started}
	cmd.Process.Kill()
	cmd.Wait()
	s, same := stranger(m.pid)
	for e, _ := readEntry(m.pid); e.started == m.started; e, _ = readEntry(m.pid) { // within one tick of that clock
		s.Process.Kill()
		s.Wait()
		s, same = stranger(m.pid)
	}
	m.signal(syscall.SIGKILL)
	gone, cancel, err := m.watch()
	if err != nil {
		panic(err)
	}
	<-gone
	cancel()
	fmt.Println("member:", same, staysAlive(m.pid))
	s.Process.Kill()
	s.Wait()
}

// staysAlive gives a signal the time to do what it must not.
func staysAlive(pid int) bool {
	for range 50 {
		time.Sleep(time.Millisecond)
		if !alive(pid) {
			return false
		}
	}
	return true
}

func TestChildrenOfOthersAreNotReaped(t *testing.T) {
	t.Parallel()
	got := play(t, "parent", `exec "$0"`, false, nil)
	assert.Equal(t, "0 1 2 3 4 5 6 7 8 9\n", got)
}

// hostWithOtherChildren starts children by other means on the very thread to which orphans come, every other as
// the leader of a session, and waits for them when the reaper has looked many times.
func hostWithOtherChildren() {
	h := openRole(Options{})
	var others []*exec.Cmd
	for i := range 10 {
		cmd := exec.Command("sh", "-c", fmt.Sprint("exit ", i))
		cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: i%2 == 0}
		if err := cmd.Start(); err != nil {
			panic(err)
		}
		others = append(others, cmd)
	}
	for range 20 {
		h.run("sh", "-c", "(setsid true &); exit 0")
	}
	var codes []string
	for _, cmd := range others {
		cmd.Wait()
		codes = append(codes, fmt.Sprint(cmd.ProcessState.ExitCode()))
	}
	fmt.Println(strings.Join(codes, " "))
	h.mustClose()
}

func TestOrphansOfNobodyKnown(t *testing.T) {
	t.Parallel()
	got := play(t, "owner", `exec "$0"`, false, nil)
	assert.Equal(t, "escaped: 1\nreaped: true\nother child: exit status 7\nsurvivors: false\n", got)
}

// hostThatOwnsOrphans declares that all session leaders are its own. An orphan that shows nothing is named by
// a stop, reaped if it dies, and ended by Close; a child that was started by other means is not touched.
func hostThatOwnsOrphans() {
	h := openRole(Options{OwnsOrphans: true})
	token := fmt.Sprintf("61.%09d", os.Getpid())
	hide := "setsid env -i sh -c 'exec sleep %s >/dev/null 2>&1 </dev/null' &"
	id := h.start("sh", "-c", "("+fmt.Sprintf(hide, token)+") ; ("+fmt.Sprintf(hide, "0.05")+"); sleep 60")
	hidden := func() bool {
		return slices.ContainsFunc(processesWith(token), func(s proctest.Survivor) bool { return strings.HasPrefix(s.Command, "sleep") })
	}
	for !hidden() {
		time.Sleep(time.Millisecond)
	}
	other := exec.Command("sh", "-c", "exit 7")
	other.Start()
	deadline := time.Now().Add(patience)
	reaped := false
	for !reaped && time.Now().Before(deadline) {
		time.Sleep(10 * time.Millisecond)
		zombies := 0
		all, _ := readTable()
		for _, e := range all {
			if e.ppid == os.Getpid() && e.dead && e.pid != other.Process.Pid {
				zombies++
			}
		}
		reaped = zombies == 0 && time.Until(deadline) < patience-2*orphanAge
	}
	r, err := h.Stop(context.Background(), id, proc.StopRequest{})
	if err != nil {
		panic(err)
	}
	fmt.Println("escaped:", len(r.Escaped))
	fmt.Println("reaped:", reaped)
	fmt.Println("other child:", other.Wait())
	h.mustClose()
	fmt.Println("survivors:", hidden())
}

func TestCloseLeavesNoZombie(t *testing.T) {
	t.Parallel()
	assert.Equal(t, "children: false\n", play(t, "short", `exec "$0"`, false, nil))
}

// hostsOfShortLives closes hosts right when an orphan has died, or is about to die, that nobody had seen alive and
// that shows nothing of where it came from.
func hostsOfShortLives() {
	left := false
	for range 20 {
		h := openRole(Options{OwnsOrphans: true})
		h.run("sh", "-c", "(setsid env -i true </dev/null >/dev/null 2>&1 &)")
		h.mustClose()
		_, err := syscall.Wait4(-1, nil, syscall.WNOHANG, nil)
		left = left || err != syscall.ECHILD
	}
	fmt.Println("children:", left)
}
