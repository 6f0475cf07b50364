package wal

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// While one commit is on its way to the disk the groups of others gather, and then share one write and one sync.
func TestGroupsShareACommit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newSimDisk(1)
		w := open(t, d, 0, 0)
		release := make(chan struct{})
		start := len(d.ops)
		d.fate = func(op int, what string) fate {
			if op == start+1 {
				assert.Equal(t, "sync", what)
				<-release
			}
			return works
		}
		w.append(1)
		synctest.Wait()
		w.append(3)
		synctest.Wait()
		assert.Zero(t, w.called, "nothing is said to be durable before its sync is over")
		close(release)
		synctest.Wait()
		assert.EqualValues(t, 4, w.durable)
		assert.Equal(t, []string{"write", "sync", "write", "sync", "write"}, d.ops[start:], "the last write is the mark")
		require.NoError(t, w.close())
	})
}

func TestAppend(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newSimDisk(1)
		memory := &collected{}
		log, report, err := Open("", memory, Options{disk: d})
		require.NoError(t, err)
		assert.Zero(t, report)

		before := len(d.ops)
		require.ErrorIs(t, log.Append(make([]byte, MaxGroup+1), nil), ErrTooLarge)
		require.NoError(t, log.Append([]byte("one"), nil), "who does not want to know passes nil")
		reached := false
		require.NoError(t, log.Append(nil, func(err error) {
			assert.NoError(t, err)
			assert.Contains(t, d.ops[before:], "sync", "an empty group tells of those before it")
			reached = true
		}))
		require.NoError(t, log.Append(make([]byte, 2*maxIdle), nil))
		require.NoError(t, log.Close())
		assert.True(t, reached)
		require.ErrorIs(t, log.Append([]byte("late"), nil), ErrClosed)
		require.NoError(t, log.Close(), "a second Close is the same")

		again := &collected{}
		log, report, err = Open("", again, Options{disk: d.powerLoss()})
		require.NoError(t, err)
		require.NoError(t, log.Close())
		assert.Equal(t, 2, report.Groups)
		require.Len(t, again.groups, 2)
		assert.Equal(t, "one", string(again.groups[0]))
		assert.Len(t, again.groups[1], 2*maxIdle)
	})
}

// Only who appended a group that the memory refuses hears of it.
func TestARefusedGroupIsNotWritten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newSimDisk(1)
		w := open(t, d, 0, 0)
		var refused, accepted error
		require.NoError(t, w.log.Append([]byte("nonsense"), func(err error) { refused = err }))
		require.NoError(t, w.log.Append(entryOf(1), func(err error) { accepted = err }))
		require.NoError(t, w.log.Close())
		assert.Error(t, refused)
		assert.NoError(t, accepted)
		require.NoError(t, open(t, d.powerLoss(), 1, 1).close())
	})
}

// However much is appended, the files stay in proportion to what is worth remembering.
func TestSizeStaysBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newSimDisk(1)
		w := open(t, d, 0, 0)
		most := 0
		for range 300 {
			w.append(10)
			synctest.Wait()
			most = max(most, d.size())
		}
		live := len(salt(1).snapshot(w.memory))
		assert.Less(t, most, 5*live+10*200, "four times the content, one commit, and the next file")
		require.NoError(t, w.close())
		require.NoError(t, open(t, d.powerLoss(), 3000, 3000).close())
	})
}

// There is no room for a fresh file, but the one at hand can be appended to.
func TestAFreshFileCanWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newSimDisk(1)
		w := open(t, d, 0, 0)
		tried := 0
		d.fate = func(_ int, what string) fate {
			if what == "create" {
				tried++
				return fails
			}
			return works
		}
		for range 100 {
			w.append(1)
			synctest.Wait()
		}
		assert.Empty(t, w.outages)
		assert.EqualValues(t, 100, w.durable)
		assert.Greater(t, tried, 1)
		assert.Less(t, tried, 10, "not at every commit")
		require.NoError(t, w.close())
		require.NoError(t, open(t, d.powerLoss(), 100, 100).close())
	})
}

// Nobody knows whether the fresh file has its name on the disk, so the old one must not be appended to any more.
func TestAFreshFileInDoubt(t *testing.T) {
	for seed := range uint64(20) { // it has, or it has not
		synctest.Test(t, func(t *testing.T) {
			d := newSimDisk(seed)
			w := open(t, d, 0, 0)
			doubts := 0
			d.decide(func(_ int, what string) fate {
				if what == "syncdir" && doubts == 0 {
					doubts++
					return fails
				}
				return works
			})
			for doubts == 0 {
				w.append(1)
				synctest.Wait()
			}
			w.append(3)
			synctest.Wait()
			require.NoError(t, open(t, d.glance().powerLoss(), w.durable, w.appended).close())
			require.NoError(t, w.close())
		})
	}
}

// In an outage everybody is told at once, the attempts become rare, and nothing piles up on the disk.
func TestOutage(t *testing.T) {
	for _, what := range []string{"create", "write", "sync", "rename", "syncdir"} {
		t.Run(what, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := newSimDisk(1)
				w := open(t, d, 0, 0)
				w.append(1)
				synctest.Wait()
				var attempts []time.Time
				count := func(op string) {
					if op == "create" {
						attempts = append(attempts, time.Now())
					}
				}
				d.decide(func(_ int, op string) fate {
					count(op)
					if op == what || op == "sync" && len(attempts) == 0 {
						return fails
					}
					return works
				})
				begin := time.Now()
				w.append(1)
				synctest.Wait()
				assert.Equal(t, begin, time.Now())
				require.Len(t, w.outages, 1)
				assert.EqualValues(t, 2, w.called)
				assert.EqualValues(t, 1, w.durable)

				for range 60 {
					time.Sleep(time.Second)
					w.append(1)
					synctest.Wait()
					assert.Equal(t, w.appended, w.called, "answered at once")
				}
				assert.Len(t, w.outages, 1, "told once")
				assert.Equal(t, lastPause, attempts[len(attempts)-1].Sub(attempts[len(attempts)-2]))
				assert.Less(t, len(attempts), 20)
				assert.LessOrEqual(t, d.size(), 2*len(salt(1).snapshot(w.memory)), "nothing piles up")
				again := open(t, d.glance(), 1, w.appended)
				assert.True(t, again.report.Outage)
				require.NoError(t, again.close())

				d.decide(func(_ int, op string) fate { count(op); return works })
				time.Sleep(lastPause)
				synctest.Wait()
				require.Len(t, w.outages, 2)
				assert.NoError(t, w.outages[1])
				quiet := len(attempts)
				time.Sleep(time.Minute)
				assert.Len(t, attempts, quiet, "nothing is tried any more")
				w.append(1)
				synctest.Wait()
				assert.Equal(t, w.appended, w.durable)
				require.NoError(t, w.close())
				again = open(t, d.powerLoss(), w.appended, w.appended)
				assert.False(t, again.report.Outage)
				require.NoError(t, again.close())
			})
		})
	}
}

// The machine stops in an outage, too, and the next start knows of it.
func TestTheMarkOfAnOutageIsDurable(t *testing.T) {
	for seed := range uint64(20) {
		synctest.Test(t, func(t *testing.T) {
			d := newSimDisk(seed)
			w := open(t, d, 0, 0)
			d.decide(func(_ int, what string) fate {
				if what == "mark" || what == "syncdir" {
					return works
				}
				return fails
			})
			w.append(1)
			synctest.Wait()
			d.decide(nil)
			again := open(t, d.glance().powerLoss(), 0, 1)
			assert.True(t, again.report.Outage)
			require.NoError(t, again.close())
			require.NoError(t, w.close())
		})
	}
}

// A log that ends in an outage says so, and has left what was durable.
func TestCloseInAnOutage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newSimDisk(1)
		w := open(t, d, 0, 0)
		w.append(3)
		synctest.Wait()
		d.decide(everythingFails)
		w.append(3)
		require.Error(t, w.close())

		d = d.powerLoss()
		assert.Empty(t, d.names[outageMark], "not even that could be written")
		d.decide(everythingFails)
		w = open(t, d, 3, 6)
		assert.Len(t, w.outages, 1, "it opens on a full disk, too")
		d.decide(nil)
		require.NoError(t, w.close(), "the last attempt")
	})
}
