package statedir

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func newDir(t *testing.T) Dir {
	t.Helper()
	home := t.TempDir()
	d, err := Of(env{"HOME": home}.get, "/p/shop")
	require.NoError(t, err)
	return d
}

func TestLockIsHeldByOne(t *testing.T) {
	d := newDir(t)
	_, ok := d.Holder()
	assert.False(t, ok)
	assert.Equal(t, d.Socket, d.HostSocket())

	l, err := d.Lock(Holder{Socket: "/elsewhere.sock", Version: "1.2", Started: 7})
	require.NoError(t, err)
	want := Holder{PID: os.Getpid(), Project: "/p/shop", Socket: "/elsewhere.sock", Version: "1.2", Started: 7}
	got, ok := d.Holder()
	assert.True(t, ok)
	assert.Equal(t, want, got)
	assert.Equal(t, "/elsewhere.sock", d.HostSocket(), "it was started with another runtime directory")
	all, err := Holders(filepath.Dir(d.State))
	require.NoError(t, err)
	assert.Equal(t, []Holder{want}, all)

	_, err = d.Lock(Holder{})
	var held *HeldError
	require.ErrorAs(t, err, &held)
	assert.Equal(t, want, held.Host)
	assert.Regexp(t, `^"/p/shop" has a host already, process \d+$`, err.Error())

	require.NoError(t, l.Release())
	_, ok = d.Holder()
	assert.False(t, ok)
	l, err = d.Lock(Holder{})
	require.NoError(t, err)
	assert.NoError(t, l.Release())
}

func TestHoldersOfNothing(t *testing.T) {
	all, err := Holders(filepath.Join(t.TempDir(), "never"))
	assert.NoError(t, err)
	assert.Empty(t, all)
	_, err = Holders("main_test.go")
	assert.ErrorContains(t, err, "look for hosts: ")
}

// The record of a host that was killed is not that of the one that has the lock.
func TestWhoHasTheLockIsNotTheOneThatWasKilled(t *testing.T) {
	for name, record := range map[string]string{
		"a process that is gone": `{"pid":2147483646}`, "half a record": `{"pid":`, "no process": `{"pid":-1}`, "none": "",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDir(t)
			require.NoError(t, Own(d.State))
			require.NoError(t, os.WriteFile(d.record(), []byte(record), 0o600))
			f, err := Acquire(filepath.Join(d.State, "host.lock"), false)
			require.NoError(t, err)
			defer f.Close()
			_, err = d.Lock(Holder{})
			assert.EqualError(t, err, `"/p/shop" is about to have another host`)
		})
	}
}

func TestLockSaysWhyItCannot(t *testing.T) {
	d := newDir(t)
	require.NoError(t, os.MkdirAll(filepath.Dir(d.State), 0o700))
	require.NoError(t, os.Symlink(t.TempDir(), d.State))
	_, err := d.Lock(Holder{})
	assert.EqualError(t, err, `become the host of "/p/shop": use `+d.State+`: it is a link, or no folder`)
}

// A lock on a file that is no longer there would exclude nobody.
func TestAcquireLocksTheFileThatIsThere(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	first, err := Acquire(path, true)
	require.NoError(t, err)
	second := make(chan *os.File)
	go func() {
		f, err := Acquire(path, true)
		assert.NoError(t, err)
		second <- f
	}()
	// It waits for the lock of this file, or has not opened it yet; either way it must get the other one.
	require.NoError(t, os.Remove(path))
	fresh, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	require.NoError(t, err)
	defer fresh.Close()
	require.NoError(t, first.Close())
	got := <-second
	defer got.Close()
	a, err := fresh.Stat()
	require.NoError(t, err)
	b, err := got.Stat()
	require.NoError(t, err)
	assert.True(t, os.SameFile(a, b))
}

// Many contend for many rounds: never do two have it, and whoever loses learns who won.
func TestLockExcludes(t *testing.T) {
	d := newDir(t)
	var inside, won atomic.Int32
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			for range 20 {
				l, err := d.Lock(Holder{})
				var held *HeldError
				if errors.As(err, &held) {
					continue
				}
				if !assert.NoError(t, err) {
					return
				}
				assert.Equal(t, int32(1), inside.Add(1))
				won.Add(1)
				inside.Add(-1)
				assert.NoError(t, l.Release())
			}
		})
	}
	all.Wait()
	assert.Positive(t, won.Load())
}

// verdict is what a host of playHost says.
type verdict struct {
	Won  bool
	Host Holder // who has it
}

// playHost becomes the host of the project, if it can, and is it until its input ends.
func playHost() {
	d, err := Of(env{"HOME": os.Getenv("HOME")}.get, "/p/shop")
	if err != nil {
		panic(err)
	}
	var v verdict
	_, err = d.Lock(Holder{})
	var held *HeldError
	switch {
	case errors.As(err, &held):
		v.Host = held.Host
	case err != nil:
		panic(err)
	default:
		v.Won = true
		v.Host, _ = d.Holder()
	}
	child := exec.Command("cat") // outlives a host that is killed, until the input ends
	child.Stdin = os.Stdin
	if err := child.Start(); err != nil {
		panic(err)
	}
	json.NewEncoder(os.Stdout).Encode(v)
	child.Wait()
}

// player is a process that plays a role.
type player struct {
	cmd   *exec.Cmd
	stdin io.Closer
	out   *bufio.Reader
}

func start(t *testing.T, home string) *player {
	t.Helper()
	p := &player{cmd: exec.Command(os.Args[0])}
	p.cmd.Env = append(os.Environ(), roleVar+"=host", "HOME="+home, "GORACE=atexit_sleep_ms=0")
	p.cmd.Stderr = os.Stderr
	stdin, err := p.cmd.StdinPipe()
	require.NoError(t, err)
	out, err := p.cmd.StdoutPipe()
	require.NoError(t, err)
	p.stdin, p.out = stdin, bufio.NewReader(out)
	require.NoError(t, p.cmd.Start())
	return p
}

func (p *player) verdict(t *testing.T) (v verdict) {
	t.Helper()
	line, err := p.out.ReadString('\n')
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal([]byte(line), &v))
	return v
}

func (p *player) end(t *testing.T) {
	p.stdin.Close()
	assert.NoError(t, p.cmd.Wait())
}

// Twenty at once after a kill -9: one wins, the others are told who; what the killed one left, a child among it, is no
// obstacle.
func TestOneHostAfterAKill(t *testing.T) {
	d := newDir(t)
	home := strings.TrimSuffix(filepath.Dir(d.State), "/.local/state/prochost")
	killed := start(t, home)
	defer killed.stdin.Close() // ends its child
	v := killed.verdict(t)
	require.True(t, v.Won)
	require.NoError(t, killed.cmd.Process.Kill())
	killed.cmd.Wait()
	old, ok := d.Holder()
	require.True(t, ok, "it has left its record")
	require.Equal(t, killed.cmd.Process.Pid, old.PID)

	began := time.Now()
	var players []*player
	for range 20 {
		players = append(players, start(t, home))
	}
	winners := map[int]int{}
	won := 0
	for _, p := range players {
		v := p.verdict(t)
		winners[v.Host.PID]++
		if v.Won {
			won++
			assert.Equal(t, p.cmd.Process.Pid, v.Host.PID)
		}
	}
	t.Logf("twenty hosts in %v", time.Since(began))
	assert.Equal(t, 1, won)
	assert.Len(t, winners, 1, "all name the same host")
	assert.NotContains(t, winners, old.PID)
	for _, p := range players {
		p.end(t)
	}
}
