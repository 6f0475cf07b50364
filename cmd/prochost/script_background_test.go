package main

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"sync"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

type backgroundKey struct{}

func backgrounds(ts *testscript.TestScript) map[string]*background {
	return ts.Value(backgroundKey{}).(map[string]*background)
}

// background is a program that a script runs beside it.
type background struct {
	cmd            *exec.Cmd
	stdout, stderr transcript
	over           chan struct{} // closed when it has ended and all of its output is there
	unread         *os.File
}

func startBackground(cmd *exec.Cmd, unread bool) (*background, error) {
	b := &background{cmd: cmd, over: make(chan struct{})}
	b.stdout.init()
	b.stderr.init()
	cmd.Stdout, cmd.Stderr = &b.stdout, &b.stderr
	var theirs *os.File
	if unread {
		var err error
		if b.unread, theirs, err = os.Pipe(); err != nil {
			return nil, err
		}
		cmd.Stdout = theirs
	}
	err := cmd.Start()
	if theirs != nil {
		theirs.Close()
	}
	if err != nil {
		return nil, err
	}
	go func() {
		cmd.Wait()
		close(b.over)
	}()
	return b, nil
}

func (b *background) running() bool {
	select {
	case <-b.over:
		return false
	default:
		return true
	}
}

func (b *background) kill() {
	b.cmd.Process.Kill()
	<-b.over
	if b.unread != nil {
		b.unread.Close()
	}
}

// transcript is what a program writes, with a place up to which it was seen.
type transcript struct {
	mu   sync.Mutex
	all  []byte
	seen int
	more chan struct{} // closed and made anew when something was written
}

func (t *transcript) init() { t.more = make(chan struct{}) }

func (t *transcript) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.all = append(t.all, b...)
	close(t.more)
	t.more = make(chan struct{})
	return len(b), nil
}

func (t *transcript) text() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.all)
}

// find looks for a match behind what was seen, and returns what announces more.
func (t *transcript) find(re *regexp.Regexp) (found bool, more <-chan struct{}) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if at := re.FindIndex(t.all[t.seen:]); at != nil {
		t.seen += at[1]
		return true, nil
	}
	return false, t.more
}

// expect waits for a match behind what was seen.
func (t *transcript) expect(pattern string, over <-chan struct{}) error {
	re, err := regexp.Compile("(?m)" + pattern)
	if err != nil {
		return err
	}
	deadline := time.After(limit)
	for last := false; ; {
		found, more := t.find(re)
		switch {
		case found:
			return nil
		case last:
			return fmt.Errorf("it has ended and did not write %q", pattern)
		}
		select {
		case <-more:
		case <-over:
			last = true
		case <-deadline:
			return fmt.Errorf("it does not write %q", pattern)
		}
	}
}
