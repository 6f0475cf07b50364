package usage

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestTrees(t *testing.T) {
	p := func(pid, parent, session int) Process {
		return Process{PID: pid, Parent: parent, Session: session, CPU: time.Duration(pid), Memory: int64(pid)}
	}
	trees := Trees([]Process{
		p(1, 0, 1), p(10, 1, 10), p(11, 10, 10), p(12, 11, 10), // in the session
		p(13, 11, 13),                // left the session
		p(14, 1, 10),                 // its parent has ended
		p(20, 10, 20), p(21, 20, 20), // a leader below another one
		p(30, 31, 30), p(31, 30, 31), // a circle
		p(40, 99, 40), // of nobody
	}, []int{10, 20, 77})
	assert.Equal(t, []int{10, 11, 12, 13, 14}, trees[10].PIDs)
	assert.Equal(t, time.Duration(60), trees[10].CPU)
	assert.Equal(t, int64(60), trees[10].Memory)
	assert.Equal(t, []int{20, 21}, trees[20].PIDs)
	assert.Empty(t, trees[77].PIDs)
}
