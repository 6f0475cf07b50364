package manager
import ("testing";"time";"fmt";"syscall";"github.com/prochost/prochost/manager/proc")
func TestDbg(t *testing.T) {
	h := openHost(t)
	for i := range 60 {
	id := h.running(h.sh("trap '' TERM; trap 'exit 0' USR1; echo ready; while :; do sleep 0.01; done"))
	once := proc.StopRequest{NoKill: true, Spec: proc.StopSpec{Grace: 10 * time.Millisecond}}
	h.stop(id, once)
	once.Spec.Grace=patience/2
	once.Spec.Signal = syscall.SIGKILL
	a := time.Now()
	go func(){ time.Sleep(200*time.Millisecond); p,err := h.find(id); if err==nil && p.info().Status.Live() { fmt.Printf("%+v\n phase %#v\n census %+v\n", p.info(), p.state.phase, p.census); for _,m := range p.census.all() { fmt.Println(string(stateOf(m.pid)), commandOf(m.pid)); e,err := readEntry(m.pid); fmt.Println(e,err, p.changed==nil) }; fmt.Println("leader", string(stateOf(p.info().PID))) } }()
	r := h.stop(id, once)
	if d := time.Since(a); d > 100*time.Millisecond { fmt.Println(i, d, r.OK, r.Survivors) }
	}
	time.Sleep(300*time.Millisecond)
}
