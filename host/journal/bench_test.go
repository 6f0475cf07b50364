package journal

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/prochost/prochost/host/journal/wal"
	"github.com/prochost/prochost/manager/proc"
	"github.com/stretchr/testify/require"
)

// ofLife are the records of one instance from its start to the last word about it, in the sizes that they have in
// life. The instance is number n, and the notification is, too.
func ofLife(n uint64) [][]Record {
	id := proc.ID(fmt.Sprintf("proc_%012d", n))
	return [][]Record{
		{&Instance{
			ID: id, Name: "web", Process: Process{PID: int(n), Boot: "1b4e28ba-2fa1-11d2-883f-0016d3cca427", Ticks: 123456789},
			At: time.Unix(1_700_000_000, 0), Command: "bundle exec rails server --port 3000", Dir: "/home/someone/src/project",
			Source: "recipe", Spec: "9f86d081884c7d659a2feaa0c55ad015", Recipe: "a3bf4f1b2b0b822cd15d6c15b0f00a08",
			Stdout: "/home/someone/.local/state/prochost/project-1f0c9a7be2/logs/" + string(id) + "-stdout.log",
			Stderr: "/home/someone/.local/state/prochost/project-1f0c9a7be2/logs/" + string(id) + "-stderr.log",
		}},
		{
			&Ended{ID: id, At: time.Unix(1_700_000_060, 0), End: proc.ExitedWith(1)},
			&Notified{Number: n, Attention: "turn", To: []Address{{"session_a", n}}, Payload: payload},
		},
		{&Delivered{"session_a", n, n}},
		{&Acknowledged{"session_a", n, n}},
		{&Cleared{[]proc.ID{id}}},
	}
}

var payload = `{"number":1,"kind":"crash","attention":"turn","triggerTurn":true,"deliverAs":"steer","processId":"proc_000000000001",` +
	`"processName":"web","command":"bundle exec rails server --port 3000","timestamp":1700000060000,"summary":"web crashed with exit code 1",` +
	`"fact":"process \"web\" crashed with exit code 1","status":"exited","exitCode":1,"endReason":"exit"}`

// Facts as they come in life, each writer waiting until its own is durable.
func BenchmarkWrite(b *testing.B) {
	for _, writers := range []int{1, 20, 200} {
		b.Run(fmt.Sprintf("writers=%d", writers), func(b *testing.B) {
			j, _, _, err := Open(b.TempDir(), Options{})
			require.NoError(b, err)
			work := make(chan uint64, writers)
			var all sync.WaitGroup
			b.ResetTimer()
			for range writers {
				all.Go(func() {
					for n := range work {
						for _, group := range ofLife(n) {
							if err := j.Write(group...); err != nil {
								panic(err)
							}
						}
					}
				})
			}
			groups := len(ofLife(1))
			for n := range uint64(b.N/groups + 1) {
				work <- n + 1
			}
			close(work)
			all.Wait()
			b.StopTimer()
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "facts/s")
			require.NoError(b, j.Close())
		})
	}
}

// 100,000 facts become a State: those of instances that are over, and those of instances of which all is still known.
func BenchmarkReplay(b *testing.B) {
	const facts = 100_000
	for _, row := range []struct {
		what   string
		groups int // of each life
	}{{"over", 5}, {"known", 2}} {
		b.Run(row.what, func(b *testing.B) {
			var groups [][]byte
			for n := uint64(1); len(groups) < facts; n++ {
				for _, records := range ofLife(n)[:row.groups] {
					groups = append(groups, encode(records))
				}
			}
			for b.Loop() {
				m := &memory{state: NewState()}
				for _, g := range groups {
					if err := m.Apply(g); err != nil {
						b.Fatal(err)
					}
				}
				m.Recovered(wal.Report{})
			}
		})
	}
}
