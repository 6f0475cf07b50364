package wal

import (
	"fmt"
	"os"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// life is what a log goes through between two starts: commits of one group and of several, with rests between them,
// and enough to need fresh files.
func (w *writer) life() {
	for _, n := range []int{1, 1, 4, 1, 9, 2, 1, 12, 1, 1, 14, 1, 2, 7, 1} {
		w.append(n)
		synctest.Wait() // until they are written and the log rests, or waits for the end of an outage
	}
	w.append(3) // written by Close
}

// opsOfLife is how often a life that nothing happens to changes the disk.
func opsOfLife(t *testing.T) (n int) {
	synctest.Test(t, func(t *testing.T) {
		d := newSimDisk(1)
		w := open(t, d, 0, 0)
		w.life()
		require.NoError(t, w.close())
		n = len(d.ops)
	})
	require.Greater(t, n, 60)
	return n
}

// seeds is how many fates of what was not synced are tried.
func seeds() uint64 {
	if os.Getenv("PROCHOST_SOAK") != "" {
		return 200
	}
	return 1
}

// For every operation on the disk: the machine stops at it. What was said to be durable is found again, and nothing
// that was never appended, whatever the disk has made of what was not synced.
func TestEveryOperationIsTheLast(t *testing.T) {
	for n := range opsOfLife(t) {
		for seed := range seeds() {
			synctest.Test(t, func(t *testing.T) {
				d := newSimDisk(seed*1000 + uint64(n))
				d.fate = func(op int, _ string) fate {
					if op == n {
						return dies
					}
					return works
				}
				w := open(t, d, 0, 0)
				w.life()
				_ = w.close()

				d = d.powerLoss()
				where := fmt.Sprintf("operation %d, seed %d", n, seed)
				again := open(t, d, w.durable, w.appended)
				assert.Empty(t, again.report.Damage, where)
				again.append(20)
				require.NoError(t, again.close(), where)
				assert.Empty(t, again.outages, where)
				require.NoError(t, open(t, d.powerLoss(), again.appended, again.appended).close(), where)
			})
		}
	}
}

// stride is between the operations that are tried in tests with two faults.
func stride() int {
	if os.Getenv("PROCHOST_SOAK") != "" {
		return 1
	}
	return 3
}

// opsOfStart is how often a start changes the disk, or a little more often.
const opsOfStart = 8

// For every third operation on the disk (PROCHOST_SOAK: for every one): the process ends at it. During the start that
// follows the machine stops. What that start has found is as good as durable, though it may have been in the cache of
// the system alone.
func TestEveryOperationOfAStartIsTheLast(t *testing.T) {
	for n, ops := 0, opsOfLife(t); n < ops; n += stride() {
		for seed := range seeds() {
			synctest.Test(t, func(t *testing.T) {
				at := n
				fate := func(op int, _ string) fate {
					if op == at {
						return dies
					}
					return works
				}
				d := newSimDisk(seed*1000 + uint64(n))
				d.fate = fate
				w := open(t, d, 0, 0)
				w.life()
				_ = w.close()

				d = d.kill()
				at, d.fate = (n+int(seed))%opsOfStart, fate
				again := open(t, d, w.durable, w.appended)
				durable := w.durable
				if again.outages == nil {
					durable = again.memory.seen
				}
				_ = again.close()
				require.NoError(t, open(t, d.powerLoss(), durable, w.appended).close())
			})
		}
	}
}

// rows is how many operations fail in a row.
func rows(n int) []int {
	all := []int{1, 2, 5, 23}
	if os.Getenv("PROCHOST_SOAK") != "" {
		return all
	}
	return all[n%4:][:1]
}

// For every operation on the disk: it fails, and so do some of those that follow. The log goes on in a fresh file,
// tells of what is not durable, and in the end everything is.
func TestEveryOperationFails(t *testing.T) {
	for n := range opsOfLife(t) {
		for _, row := range rows(n) {
			synctest.Test(t, func(t *testing.T) {
				d := newSimDisk(uint64(n))
				d.fate = func(op int, _ string) fate {
					if n <= op && op < n+row {
						return fails
					}
					return works
				}
				where := fmt.Sprintf("%d operations fail from %d on", row, n)
				w := open(t, d, 0, 0)
				w.life()
				synctest.Wait()
				require.NoError(t, open(t, d.glance().powerLoss(), w.durable, w.appended).close(), where)

				time.Sleep(10 * time.Minute) // of the bubble: the outage ends
				synctest.Wait()
				require.NoError(t, w.close(), where)
				for i, err := range w.outages {
					assert.Equal(t, i%2 == 1, err == nil, "an outage begins and ends: %s", where)
				}
				last := open(t, d.powerLoss(), w.appended, w.appended)
				assert.Empty(t, last.report.Damage, where)
				require.NoError(t, last.close())
			})
		}
	}
}

// Every third operation (PROCHOST_SOAK: every one) fails, and a little later the machine stops.
func TestEveryOperationFailsBeforeTheLast(t *testing.T) {
	for n, ops := 0, opsOfLife(t); n < ops; n += stride() {
		for seed := range seeds() {
			synctest.Test(t, func(t *testing.T) {
				d := newSimDisk(seed*1000 + uint64(n))
				last := n + 1 + d.rng.IntN(12)
				d.fate = func(op int, _ string) fate {
					switch op {
					case n:
						return fails
					case last:
						return dies
					}
					return works
				}
				w := open(t, d, 0, 0)
				w.life()
				_ = w.close()
				again := open(t, d.powerLoss(), w.durable, w.appended)
				assert.Empty(t, again.report.Damage)
				require.NoError(t, again.close())
			})
		}
	}
}
