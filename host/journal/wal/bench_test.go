package wal

import (
	"encoding/binary"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// bareSync is how long one write of size bytes and its fdatasync take.
func bareSync(b *testing.B, size int) time.Duration {
	f, err := os.Create(filepath.Join(b.TempDir(), "bare"))
	require.NoError(b, err)
	defer f.Close()
	const n = 200
	block := make([]byte, size)
	begin := time.Now()
	for range n {
		_, err := f.Write(block)
		require.NoError(b, err)
		require.NoError(b, datasync(f))
	}
	return time.Since(begin) / n
}

// Each writer waits until its group is durable before it appends the next one. The figure to look at is the time of a
// group in units of a bare write and fdatasync: 1 for a single writer, and the less the more share one.
func BenchmarkAppend(b *testing.B) {
	const size = 400
	for _, writers := range []int{1, 20, 200} {
		b.Run(fmt.Sprintf("writers=%d", writers), func(b *testing.B) {
			bare := bareSync(b, size)
			log, _, err := Open(filepath.Join(b.TempDir(), "log"), &many{}, Options{})
			require.NoError(b, err)
			group := make([]byte, size)
			work := make(chan struct{}, writers)
			b.ResetTimer()
			var all sync.WaitGroup
			for range writers {
				all.Go(func() {
					done := make(chan error, 1)
					for range work {
						_ = log.Append(group, func(err error) { done <- err })
						if err := <-done; err != nil {
							panic(err)
						}
					}
				})
			}
			for range b.N {
				work <- struct{}{}
			}
			close(work)
			all.Wait()
			b.StopTimer()
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "groups/s")
			b.ReportMetric(float64(b.Elapsed())/float64(b.N)/float64(bare), "×fdatasync")
			require.NoError(b, log.Close())
		})
	}
}

// many is a Memory of n groups of a size, whatever is appended.
type many struct{ n, size int }

func (m *many) Apply([]byte) error { return nil }
func (m *many) Recovered(Report)   {}
func (m *many) Snapshot() iter.Seq[[]byte] {
	group := make([]byte, m.size)
	return func(yield func([]byte) bool) {
		for i := range m.n {
			binary.LittleEndian.PutUint64(group, uint64(i))
			if !yield(group) {
				return
			}
		}
	}
}

// A start with 100,000 groups.
func BenchmarkOpen(b *testing.B) {
	d := newSimDisk(1)
	log, _, err := Open("", &many{n: 100_000, size: 400}, Options{disk: d})
	require.NoError(b, err)
	require.NoError(b, log.Close())
	names, err := d.list()
	require.NoError(b, err)
	data, err := d.read(names[0])
	require.NoError(b, err)
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		c, err := readContent(data, 0)
		require.NoError(b, err)
		require.Len(b, c.groups, 100_000)
	}
}
