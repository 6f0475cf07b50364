package manager

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"

	"github.com/prochost/prochost/manager/proc"
)

// benchHost runs processes that write into nothing.
func benchHost(b *testing.B) (*Manager, chan proc.Event) {
	events := make(chan proc.Event, 1<<16)
	m, err := New(Options{Events: func(e proc.Event) { events <- e }, OwnsOrphans: true})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { m.Close(context.Background()) })
	return m, events
}

func await[E proc.Event](events chan proc.Event, n int) {
	for n > 0 {
		if _, is := (<-events).(E); is {
			n--
		}
	}
}

func benchSpec(argv ...string) proc.Spec {
	return proc.Spec{Name: "bench", Argv: argv, Dir: "/", Env: []string{"PATH=/usr/bin:/bin"}}
}

// BenchmarkStartAndStop tells how long it takes to start many processes, and to stop them when they obey.
func BenchmarkStartAndStop(b *testing.B) {
	for _, n := range []int{1, 100, 500} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			var starting, stopping time.Duration
			for b.Loop() {
				m, events := benchHost(b)
				begin := time.Now()
				for range n {
					if err := m.Start(proc.NewID(), benchSpec("sleep", "60"), nil); err != nil {
						b.Fatal(err)
					}
				}
				await[proc.Started](events, n)
				starting += time.Since(begin)
				begin = time.Now()
				m.Close(context.Background())
				stopping += time.Since(begin)
			}
			b.ReportMetric(float64(starting.Microseconds())/1000/float64(b.N), "start-ms")
			b.ReportMetric(float64(stopping.Microseconds())/1000/float64(b.N), "stop-ms")
		})
	}
}

// BenchmarkEnd is the time from the start of a process to its end, and to that of os/exec as the ratio.
func BenchmarkEnd(b *testing.B) {
	m, events := benchHost(b)
	var ours, theirs time.Duration
	for b.Loop() {
		begin := time.Now()
		m.Start(proc.NewID(), benchSpec("true"), nil)
		await[proc.Ended](events, 1)
		ours += time.Since(begin)
		begin = time.Now()
		exec.Command("true").Run()
		theirs += time.Since(begin)
	}
	b.ReportMetric(float64(ours)/float64(theirs), "ratio")
}

// BenchmarkIngest reads one process at full speed, and tells the ratio to a plain read of the same pipe in the
// same blocks.
func BenchmarkIngest(b *testing.B) {
	const volume = "1000000000"
	m, events := benchHost(b)
	spec := benchSpec("head", "-c", volume, "/dev/zero")
	var ours, theirs time.Duration
	for b.Loop() {
		begin := time.Now()
		m.Start(proc.NewID(), spec, nil)
		await[proc.Ended](events, 1)
		ours += time.Since(begin)

		begin = time.Now()
		cmd := exec.Command(spec.Argv[0], spec.Argv[1:]...)
		out, err := cmd.StdoutPipe()
		if err != nil {
			b.Fatal(err)
		}
		cmd.Start()
		io.CopyBuffer(struct{ io.Writer }{io.Discard}, struct{ io.Reader }{out}, make([]byte, blockSize))
		cmd.Wait()
		theirs += time.Since(begin)
	}
	b.ReportMetric(1000*float64(b.N)/ours.Seconds(), "MB/s")
	b.ReportMetric(float64(ours)/float64(theirs), "ratio")
}

// BenchmarkIdle tells what a thousand silent processes cost.
func BenchmarkIdle(b *testing.B) {
	for b.Loop() {
		m, events := benchHost(b)
		for range 1000 {
			m.Start(proc.NewID(), benchSpec("sleep", "60"), nil)
		}
		await[proc.Started](events, 1000)
		var usage [2]syscall.Rusage
		syscall.Getrusage(syscall.RUSAGE_SELF, &usage[0])
		time.Sleep(time.Second)
		syscall.Getrusage(syscall.RUSAGE_SELF, &usage[1])
		idle := time.Duration(usage[1].Utime.Nano() + usage[1].Stime.Nano() - usage[0].Utime.Nano() - usage[0].Stime.Nano())
		var size, resident int
		statm, _ := os.ReadFile("/proc/self/statm")
		fmt.Sscan(string(statm), &size, &resident)
		threads, _ := os.ReadDir("/proc/self/task")
		b.ReportMetric(float64(resident*os.Getpagesize())/1e6, "rss-MB")
		b.ReportMetric(float64(len(threads)), "threads")
		b.ReportMetric(float64(idle.Microseconds()), "idle-µs/s")
		m.Close(context.Background())
	}
}
