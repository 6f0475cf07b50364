package manager

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/prochost/prochost/manager/proc"
)

func TestLastWordsPrecedeTheEnd(t *testing.T) {
	h := openHost(t)
	var ids []proc.ID
	for range 50 {
		ids = append(ids, h.start(h.sh("printf 'last words'; printf 'complaint' >&2; exit 1")))
	}
	for _, id := range ids {
		h.ended(id)
		assert.Equal(t, "last words", h.observer(id).text(proc.Stdout))
		assert.Equal(t, "last words", h.log(id).text(proc.Stdout))
		assert.Equal(t, "complaint", h.observer(id).text(proc.Stderr))
		assert.Equal(t, 1, h.observer(id).flushed)
	}
}

func TestNoLineIsLost(t *testing.T) {
	h := openHost(t)
	var ids []proc.ID
	for range 200 {
		ids = append(ids, h.start(h.sh("seq 1 50")))
	}
	for _, id := range ids {
		h.ended(id)
		assert.Equal(t, 50, strings.Count(h.observer(id).text(proc.Stdout), "\n"))
	}
}

func TestFullPipeIsHandedOnWhole(t *testing.T) { // more than a block, and a grandchild that holds the pipe
	h := openHost(t)
	id := h.start(h.sh("$nap & seq 1 300000; exit 2"))
	end := h.ended(id)
	assert.Equal(t, proc.ExitedWith(2), end.End)
	assert.Equal(t, 300000, strings.Count(h.observer(id).text(proc.Stdout), "\n"))
}

func TestEndIsToldThoughLeftoversFlood(t *testing.T) {
	h := openHost(t)
	gate := newGate(t)
	id := h.start(h.sh("yes " + h.token + " & read x <" + gate.path + "; exit 6"))
	h.await("the flood", func() bool { return h.observer(id).text(proc.Stdout) != "" })
	gate.open()
	assert.Equal(t, proc.ExitedWith(6), h.ended(id).End)
}

func TestStreamsThatAreClosedEarly(t *testing.T) {
	h := openHost(t)
	gate := newGate(t)
	id := h.start(h.sh("echo first; exec >&- 2>&-; read x <" + gate.path + "; exit 11"))
	h.await("the end of the streams", func() bool { return len(pipesHeld(h, id)) == 0 })
	before := cpuTime(t)
	info, _ := h.Info(id)
	assert.Equal(t, proc.Running, info.Status)
	gate.open()
	assert.Equal(t, proc.ExitedWith(11), h.ended(id).End)
	assert.Less(t, cpuTime(t)-before, int64(100), "hundredths of a second spent while nothing happened")
}

func TestBothStreamsComeInOrder(t *testing.T) { // of arrival, as far as it can be told
	h := openHost(t)
	first, second := newGate(t), newGate(t)
	id := h.running(h.sh("echo ready; read x <" + first.path + "; echo two >&2; read x <" + second.path + "; echo three"))
	first.open()
	h.await("two", func() bool { return h.log(id).text(proc.Stderr) != "" })
	second.open()
	h.ended(id)
	h.log(id).mu.Lock()
	defer h.log(id).mu.Unlock()
	assert.Equal(t, "ready\ntwo\nthree\n", h.log(id).order.String())
}

func TestLogIsClosedWhenNothingCanComeAnyMore(t *testing.T) {
	h := openHost(t)
	id := h.start(h.sh("echo x"))
	h.ended(id)
	h.await("the log to be closed", h.log(id).isClosed)
}

// pipesHeld returns the output streams that a process still holds.
func pipesHeld(h *host, id proc.ID) []string {
	info, _ := h.Info(id)
	var held []string
	for _, fd := range []string{"1", "2"} {
		link, err := os.Readlink("/proc/" + strconv.Itoa(info.PID) + "/fd/" + fd)
		if info.PID == 0 || err == nil && strings.HasPrefix(link, "pipe:") {
			held = append(held, link)
		}
	}
	return held
}

// cpuTime returns the processor time of this process in hundredths of a second.
func cpuTime(t *testing.T) int64 {
	stat, err := os.ReadFile("/proc/self/stat")
	assert.NoError(t, err)
	f := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
	user, _ := strconv.ParseInt(f[11], 10, 64)
	system, _ := strconv.ParseInt(f[12], 10, 64)
	return user + system
}
