package logs

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/prochost/prochost/manager/proc"
	"github.com/prochost/prochost/notify"
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

// fill makes a log in dir of so many bytes, some in large arrivals and some in small ones.
func fill(b *testing.B, dir string, size int) (l *Log, total int) {
	l, err := Open(dir, id, Options{})
	if err != nil {
		b.Fatal(err)
	}
	for i := 0; total < size; i++ {
		block := block64k
		if i%2 == 1 {
			block = []byte(benchLine)
		}
		l.Append(proc.Stream(i%3%2), block)
		total += len(block)
	}
	return l, total
}

// BenchmarkRead reads a log of 32 MiB.
func BenchmarkRead(b *testing.B) {
	l, total := fill(b, b.TempDir(), 32<<20)
	defer l.Close()
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

// BenchmarkLoad opens a log of 64 MiB that was written earlier, and reads its last lines.
func BenchmarkLoad(b *testing.B) {
	for _, crashed := range []bool{false, true} {
		b.Run(map[bool]string{false: "closed", true: "index lost"}[crashed], func(b *testing.B) {
			dir := b.TempDir()
			l, _ := fill(b, dir, 64<<20)
			l.Close()
			if crashed {
				os.Remove(l.index.path)
			}
			for b.Loop() {
				l, err := Load(dir, id, Options{})
				if err != nil {
					b.Fatal(err)
				}
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
}

// BenchmarkSearch looks through a log of 64 MiB for what is in its first and its last line alone. What it prints as
// ratio is how many times as long it takes as to read all of the log, both taking turns.
func BenchmarkSearch(b *testing.B) {
	l, err := Open(b.TempDir(), id, Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer l.Close()
	const needle = "0x00c0ffee: connection refused\n"
	l.Append(proc.Stdout, []byte(needle))
	total := 2 * len(needle)
	for i := 0; total < 64<<20; i++ {
		l.Append(proc.Stream(i%3/2), block64k)
		total += len(block64k)
	}
	l.Append(proc.Stdout, []byte(needle))
	for _, tt := range []struct {
		name, pattern string
		mode          notify.Mode
	}{
		{"literal", "connection refused", notify.Literal},
		{"regex", `(?i)0x[0-9a-f]+: connection (refused|reset)`, notify.Regex},
	} {
		for direction, search := range map[string]func(View, Pattern) *Search{"forward": l.Search, "backward": l.SearchBack} {
			b.Run(tt.name+"/"+direction, func(b *testing.B) {
				p, err := notify.NewPattern(tt.pattern, tt.mode)
				if err != nil {
					b.Fatal(err)
				}
				b.SetBytes(int64(total))
				var searched, read time.Duration
				for b.Loop() {
					begin := time.Now()
					s := search(View{}, p)
					n := 0
					for _, ok, _ := s.Next(b.Context()); ok; _, ok, _ = s.Next(b.Context()) {
						n++
					}
					s.Close()
					if n != 2 {
						b.Fatal(n)
					}
					searched += time.Since(begin)
					b.StopTimer()
					begin = time.Now()
					r := l.Reader(View{})
					for _, ok := r.Next(); ok; _, ok = r.Next() {
					}
					r.Close()
					read += time.Since(begin)
					b.StartTimer()
				}
				b.ReportMetric(float64(searched)/float64(read), "ratio")
			})
		}
	}
}
