package proctest

import (
	"os"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Usage is what this process holds.
type Usage struct {
	Descriptors int
	Threads     int
	Goroutines  int
	Heap        int64 // bytes of living objects
	HeapPeak    int64 // bytes that were ever set aside for objects
	Resident    int64 // bytes in memory
}

// Measure collects garbage and counts.
func Measure() Usage {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return Usage{
		Descriptors: Descriptors(), Threads: entries("/proc/self/task"),
		Goroutines: runtime.NumGoroutine(), Heap: int64(m.HeapAlloc), HeapPeak: int64(m.HeapSys), Resident: resident(),
	}
}

// Descriptors counts those that are open.
func Descriptors() int { return entries("/proc/self/fd") }

// resident returns the bytes of this process that are in memory; 0 if the system does not say.
func resident() int64 {
	statm, _ := os.ReadFile("/proc/self/statm")
	f := strings.Fields(string(statm))
	if len(f) < 2 {
		return 0
	}
	pages, _ := strconv.ParseInt(f[1], 10, 64)
	return pages * int64(os.Getpagesize())
}

func entries(dir string) int {
	all, _ := os.ReadDir(dir)
	return len(all)
}

// Processor returns the processor time that this process has used.
func Processor() time.Duration {
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
