package filewatch

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// patience is how long a test waits for what must happen.
const patience = 10 * time.Second

// probe is a Watcher with what a test can know of it.
type probe struct {
	*Watcher
	t       *testing.T
	settled chan bool // one for each burst that ended: was it reported?
	notices chan string
}

func watch(t *testing.T, o Options) *probe {
	t.Helper()
	p := &probe{t: t, settled: make(chan bool, 1000), notices: make(chan string, 1000)}
	o.settled = func(reported bool) { p.settled <- reported }
	o.Notice = func(message string) { p.notices <- message }
	p.Watcher = New(o)
	t.Cleanup(p.Close)
	return p
}

// track tracks paths with what they hold.
func (p *probe) track(paths ...string) {
	files := make([]File, len(paths))
	for i, path := range paths {
		files[i] = Fingerprint(path)
	}
	p.Track(files)
}

// changed waits for a report.
func (p *probe) changed(what string) {
	p.t.Helper()
	select {
	case <-p.Changes():
	case <-time.After(patience):
		require.FailNow(p.t, "no report", what)
	}
}

// unreported waits for the end of a burst and requires that it was not reported.
func (p *probe) unreported(what string) {
	p.t.Helper()
	select {
	case reported := <-p.settled:
		require.False(p.t, reported, what)
	case <-time.After(patience):
		require.FailNow(p.t, "nobody looked", what)
	}
}

// silent requires that no report is waiting.
func (p *probe) silent(what string) {
	p.t.Helper()
	require.Empty(p.t, p.Changes(), what)
}

// reports returns how many bursts were reported so far, and forgets them.
func (p *probe) reports() (n int) {
	for {
		select {
		case reported := <-p.settled:
			if reported {
				n++
			}
		default:
			return n
		}
	}
}

func (p *probe) notice() string {
	p.t.Helper()
	select {
	case message := <-p.notices:
		return message
	case <-time.After(patience):
		require.FailNow(p.t, "no notice")
		return ""
	}
}

// dir is a directory of a test, with shorthands that cannot fail.
type dir struct {
	t    *testing.T
	path string
}

func newDir(t *testing.T) dir {
	path, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	return dir{t, path}
}

func (d dir) at(name string) string { return filepath.Join(d.path, name) }

func (d dir) write(name, content string) {
	d.t.Helper()
	require.NoError(d.t, os.WriteFile(d.at(name), []byte(content), 0o644))
}

func (d dir) mkdir(name string) {
	d.t.Helper()
	require.NoError(d.t, os.MkdirAll(d.at(name), 0o755))
}

func (d dir) rename(from, to string) {
	d.t.Helper()
	require.NoError(d.t, os.Rename(d.at(from), d.at(to)))
}

func (d dir) remove(name string) {
	d.t.Helper()
	require.NoError(d.t, os.RemoveAll(d.at(name)))
}

// link makes name a symlink to target, which is relative to the directory of name.
func (d dir) link(target, name string) {
	d.t.Helper()
	require.NoError(d.t, os.Symlink(target, d.at(name)))
}

// save writes as an atomic save does.
func (d dir) save(name, content string) {
	d.t.Helper()
	d.write(name+".tmp", content)
	d.rename(name+".tmp", name)
}
