package logs

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/prochost/prochost/manager/proc"
)

const benchLine = "2026-11-30T12:00:00.000Z INFO  http: request served method=GET path=/api/v1/items status=200 ms=12.5\n"

// block64k is a block as a busy pipe gives it.
var block64k = []byte(strings.Repeat(benchLine, 64<<10/len(benchLine)))

// BenchmarkAppend compares Append with the plain writes of the same blocks to files that are replaced at the
// same size. What it prints as ratio is how many times as long Append takes, both taking turns.
func BenchmarkAppend(b *testing.B) {
	for name, block := range map[string][]byte{"64KiB": block64k, "line": []byte(benchLine)} {
		b.Run(name, func(b *testing.B) {
			l, err := Open(b.TempDir(), id, Options{})
			if err != nil {
				b.Fatal(err)
			}
			defer l.Close()
			p := plain{path: filepath.Join(b.TempDir(), "plain")}
			defer p.close()
			b.SetBytes(int64(len(block)))
			var ours, theirs time.Duration
			for b.Loop() {
				begin := time.Now()
				for range 64 {
					l.Append(proc.Stdout, block)
				}
				ours += time.Since(begin)
				b.StopTimer()
				begin = time.Now()
				for range 64 {
					p.write(block)
				}
				theirs += time.Since(begin)
				b.StartTimer()
			}
			b.SetBytes(int64(64 * len(block)))
			b.ReportMetric(float64(ours)/float64(theirs), "ratio")
		})
	}
}

// plain is two files, of which the newer is written.
type plain struct {
	path string
	f    *os.File
	size int
}

func (p *plain) write(b []byte) {
	if p.f != nil && p.size+len(b) > DefaultCap/2 {
		p.close()
		os.Remove(p.path + ".1")
		os.Rename(p.path, p.path+".1")
	}
	if p.f == nil {
		p.f, _ = os.OpenFile(p.path, os.O_CREATE|os.O_APPEND|os.O_RDWR, 0o600)
		p.size = 0
	}
	p.f.Write(b)
	p.size += len(b)
}

func (p *plain) close() {
	p.f.Close()
	p.f = nil
}

// BenchmarkRead reads a log of 32 MiB.
func BenchmarkRead(b *testing.B) {
	l, err := Open(b.TempDir(), id, Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer l.Close()
	total := 0
	for i := 0; total < 32<<20; i++ {
		block := block64k
		if i%2 == 1 {
			block = []byte(benchLine)
		}
		l.Append(proc.Stream(i%3%2), block)
		total += len(block)
	}
	b.Run("chunks", func(b *testing.B) {
		b.SetBytes(int64(total))
		for b.Loop() {
			r := l.Reader(View{})
			n := 0
			for c, ok := r.Next(); ok; c, ok = r.Next() {
				n += len(c.Data)
			}
			r.Close()
			if n != total {
				b.Fatal(n)
			}
		}
	})
	b.Run("lines", func(b *testing.B) {
		b.SetBytes(int64(total))
		for b.Loop() {
			r := l.Lines(View{})
			n := 0
			for line, ok := r.Next(); ok; line, ok = r.Next() {
				n += len(line.Raw) + 1
			}
			r.Close()
			if n != total {
				b.Fatal(n)
			}
		}
	})
	b.Run("tail", func(b *testing.B) {
		for b.Loop() {
			r := l.Lines(View{From: Tail(100)})
			n := 0
			for _, ok := r.Next(); ok; _, ok = r.Next() {
				n++
			}
			r.Close()
			if n != 100 {
				b.Fatal(n)
			}
		}
	})
}

// BenchmarkFollow appends lines while some readers have seen everything and are called for each.
func BenchmarkFollow(b *testing.B) {
	for name, readers := range map[string]int{"nobody": 0, "one": 1, "ten": 10} {
		b.Run(name, func(b *testing.B) {
			l, err := Open(b.TempDir(), id, Options{})
			if err != nil {
				b.Fatal(err)
			}
			defer l.Close()
			var rs []*Reader
			for range readers {
				r := l.Reader(View{Wake: func() {}})
				defer r.Close()
				rs = append(rs, r)
			}
			for b.Loop() {
				l.Append(proc.Stdout, []byte(benchLine))
				for _, r := range rs {
					for _, ok := r.Next(); ok; _, ok = r.Next() {
					}
				}
			}
		})
	}
}
