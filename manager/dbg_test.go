package manager
import ("testing";"os";"runtime/pprof";"runtime";"fmt";"github.com/prochost/prochost/manager/proc")
func TestDbg(t *testing.T) {
	ev := make(chan proc.Event, 10000)
	m, _ := New(Options{Events: func(e proc.Event){ev<-e}})
	var a, b runtime.MemStats
	runtime.GC(); runtime.ReadMemStats(&a)
	for range 1000 { m.Start(proc.NewID(), benchSpec("sleep","60"), nil) }
	await[proc.Started](ev, 1000)
	runtime.ReadMemStats(&b)
	fmt.Println("before gc heap", b.HeapAlloc/1000, "sys", b.HeapSys/1000)
	runtime.GC(); runtime.ReadMemStats(&b)
	fmt.Println("heap", (b.HeapAlloc-a.HeapAlloc)/1000, "stack", (b.StackInuse-a.StackInuse)/1000, "sys", b.Sys/1000, "heapsys", b.HeapSys/1000, runtime.NumGoroutine())
	f, _ := os.Create("/tmp/heap.out"); pprof.Lookup("heap").WriteTo(f,0); f.Close()
	f, _ = os.Create("/tmp/gor.out"); pprof.Lookup("goroutine").WriteTo(f,1); f.Close()
	m.Close(t.Context())
}
