package host

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/prochost/prochost/host/api"
	"github.com/prochost/prochost/manager/proc"
	"github.com/prochost/prochost/manager/proctest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func init() { roles["outage"] = hostWithoutADisk }

// outage is what a host told while its disk was of no use.
type outage struct {
	Troubles []string
	Matched  []string
	Log      string // of the process, with runs of x as their length
	Late     string // how the one ended that was started meanwhile
	Said     int64  // bytes that the process has written
	Written  int64  // of these, those that came to the disk
	Dropped  int64
}

// The disk of the logs is full, then the folder of the logs is removed, then nothing can be made in it: the processes go
// on, also one that is started meanwhile, every match is found, and each outage is told once when it begins and once
// when it is over.
func TestLogsCannotBeWritten(t *testing.T) {
	for name, ordinary := range map[string]bool{"as it is": false, "ordinary user": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			out := proctest.Stage{
				Script:     `mount -t tmpfs -o size=1m,mode=700 none /mnt && exec "$0"`,
				Namespaces: syscall.CLONE_NEWNS, Ordinary: ordinary,
			}.Play(t, "outage")
			var got outage
			require.NoError(t, json.Unmarshal([]byte(out), &got), out)

			want := []string{
				`no space left on device; output is dropped until it works again$`,
				`writing works again; \d+ bytes were dropped$`,
				`taken away while in use`,
				`writing works again$`,
				`^open the log of "late": .*: read-only file system$`,
			}
			require.Len(t, got.Troubles, len(want), "%q", got.Troubles)
			for i, re := range want {
				assert.Regexp(t, re, got.Troubles[i])
			}
			assert.Equal(t, got.Said, got.Written+got.Dropped, "what is missing is counted")
			assert.Greater(t, got.Dropped, int64(900_000))
			assert.Equal(t, []string{"wrote 1000", "wrote 2000000", "wrote 10", "wrote 20", "wrote 30", "late"}, got.Matched)
			assert.Equal(t, "x20 wrote 20 x30 wrote 30", got.Log, "what was written after the folder had been removed")
			assert.Equal(t, "exited 6", got.Late)
		})
	}
}

// writer writes as many bytes as it is told to, and then says so.
const writer = `process "p" {
	command = "while read n; do head -c $n /dev/zero | tr '\\0' x; echo; echo wrote $n; done",
	notify = { logMatches = { %s } },
}
process "late" { command = "echo late; exit 6", auto = false, notify = { logMatches = { { pattern = "late" } } } }
`

func hostWithoutADisk() {
	var got outage
	matched, troubles := make(chan string, 100), make(chan string, 100)
	late := make(chan struct{})
	var matchers strings.Builder
	for _, n := range []int{1000, 2_000_000, 10, 20, 30} {
		fmt.Fprintf(&matchers, "{ pattern = '^wrote %d$', mode = 'regex' },", n)
	}
	a := act(fmt.Sprintf(writer, matchers.String()), FeedOptions{}, func(_ *actor, e api.Event) {
		switch e := e.(type) {
		case *api.Notified:
			if e.Notification.Kind == "log_match" {
				matched <- e.Notification.LogMatch.Line
			}
		case *api.Trouble:
			troubles <- e.Message
		case *api.Ended:
			if e.Process.Name == "late" {
				got.Late = fmt.Sprint(e.Process.Status, " ", *e.Process.ExitCode)
				close(late)
			}
		}
	}, stay, func(o *Options) { o.LogDir = "/mnt/logs" })
	ctx, s := context.Background(), a.Service()
	order := func(n int) {
		text := fmt.Sprintln(n)
		_, err := s.Write(ctx, api.WriteIn{ID: "p", Input: text})
		must(err)
		got.Said += int64(n + len("\nwrote ") + len(text))
	}
	write := func(n int) {
		order(n)
		got.Matched = append(got.Matched, <-matched)
	}
	// until writes a little, which nobody waits for, again and again until the host has told of something.
	until := func(what string) {
		for {
			select {
			case m := <-troubles:
				got.Troubles = append(got.Troubles, m)
				if strings.Contains(m, what) {
					return
				}
			case <-time.After(20 * time.Millisecond):
				order(1)
			}
		}
	}

	write(1000)
	write(2_000_000)
	until("no space left")
	must(syscall.Mount("none", "/mnt", "tmpfs", syscall.MS_REMOUNT, "size=64m"))
	until("works again")
	write(10)

	must(os.RemoveAll("/mnt/logs"))
	until("taken away")
	until("works again")
	files, err := s.LogFiles(ctx, api.Ref{ID: "p"})
	must(err)
	write(20)
	write(30)
	i, err := s.Get(ctx, api.Ref{ID: "p"})
	must(err)
	size := a.logs.get(proc.ID(i.ID)).Sizes()[proc.Stdout]
	got.Written, got.Dropped = size.Written, size.Dropped

	must(syscall.Mount("/mnt/logs", "/mnt/logs", "", syscall.MS_BIND, ""))
	must(syscall.Mount("", "/mnt/logs", "", syscall.MS_BIND|syscall.MS_REMOUNT|syscall.MS_RDONLY, ""))
	_, err = s.Start(ctx, api.StartIn{Name: "late"})
	must(err)
	got.Matched = append(got.Matched, <-matched)
	<-late
	a.Shutdown(false)
	a.end()
	for len(troubles) > 0 {
		got.Troubles = append(got.Troubles, <-troubles)
	}
	text, err := os.ReadFile(files.Stdout)
	must(err)
	got.Log = logText(string(text))
	must(json.NewEncoder(os.Stdout).Encode(got))
}

var manyX = regexp.MustCompile(`x+`)

// logText is what write had written, on one line.
func logText(s string) string {
	_, s, _ = strings.Cut(s, strings.Repeat("x", 20))
	s = strings.Repeat("x", 20) + s
	return strings.Join(strings.Fields(manyX.ReplaceAllStringFunc(s, func(x string) string { return fmt.Sprint("x", len(x)) })), " ")
}
