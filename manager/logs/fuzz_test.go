package logs

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/prochost/prochost/manager/proc"
)

// script is input that a fuzz test reads as things to do.
type script []byte

func (s *script) next() int {
	if len(*s) == 0 {
		return 0
	}
	b := (*s)[0]
	*s = (*s)[1:]
	return int(b)
}

// output makes some bytes of output, with line ends here and there.
func (s *script) output(serial int) []byte {
	n, every := s.next(), s.next()
	if n >= 0xf0 {
		n = (n - 0xef) * 700
	}
	p := make([]byte, n)
	for i := range p {
		p[i] = byte('a' + (serial+i)%26)
		if every > 0 && i%every == every-1 {
			p[i] = "\n\r"[i%5/4]
		}
	}
	return p
}

func FuzzLog(f *testing.F) {
	f.Add([]byte("\x00\x20\x05\x01\x20\x07\x00\x20\x05\x08\x01\x20\x00"), uint16(4000))
	f.Add([]byte("\x04\x06\x03\x00\xf9\x20\x07\x00\x00\xf9\x20\x07\x00\x01\xf1\x20\x07\x01"), uint16(4000))
	f.Add([]byte("\x04\x00\x20\x05\x09\x00\x20\x05\x08\xff\x09\x00\x20\x05\x07\x00\x07\x01"), uint16(9000))
	f.Add([]byte("\x0a\xf0\x04\x0b\x05\x0a\x20\x0c\x00\xff\x05\x08\x7f\x00\x20\x05\x07\x00"), uint16(60000))
	f.Add([]byte("\x04\x00\xf0\x20\x0d\x08\x7f\x00\x20\x05\x01\xf3\x05\x07\x00"), uint16(60000))
	f.Add([]byte("\x00\x20\x05\x01\x20\x07\x0e\x01\x09\x00\x20\x05\x01\x20\x05\x08\xff\x09\x00\x20\x05\x0e\x02"), uint16(4000))
	f.Add([]byte("\x01\x05\x00\x00\xf9\x20\x01\x05\x00\x0e\x03\x0c\x00\x20\x05\x01\x20\x05\x0e\x04"), uint16(4000))
	f.Fuzz(func(t *testing.T, b []byte, limit uint16) {
		if len(b) > 200 {
			return
		}
		r := newRigOf(t, int64(limit), 2+int(limit%3))
		m := &model{}
		var readers []*checked
		lossless, ordered, indexed := true, true, true
		add := func(v View) {
			c := check(r.Reader(v), m)
			c.ordered = ordered
			readers = append(readers, c)
		}
		put := func(s proc.Stream, p []byte) {
			before := r.Sizes()[s]
			r.Append(s, p)
			after := r.Sizes()[s]
			n := after.Written - before.Written
			if n+after.Dropped-before.Dropped != int64(len(p)) {
				t.Fatalf("of %d bytes %d were kept and %d dropped", len(p), n, after.Dropped-before.Dropped)
			}
			if n < int64(len(p)) && !r.disk.full && !r.disk.readOnly && !r.outage.pauses(r.now) {
				t.Fatal("dropped without a reason")
			}
			m.took(s, p, n)
			lossless = lossless && n == int64(len(p)) && after.Kept == after.Written
			ordered = ordered && !r.outage.order
		}
		for s := script(b); len(s) > 0 && len(m.arrivals) < 8000; {
			switch op := s.next() % 15; op {
			case 0, 1, 2, 3:
				put(proc.Stream(op%2), s.output(len(m.arrivals)))
			case 4:
				add(View{})
			case 5:
				add(View{Only: []proc.Stream{proc.Stream(s.next() % 2)}, From: Tail(s.next())})
			case 6:
				add(View{From: []Position{End(), Tail(0), Tail(3), Since(r.now)}[s.next()%4]})
			case 7:
				for i, n := s.next(), s.next(); n > 0 && len(readers) > 0; n-- {
					readers[i%len(readers)].step(t)
				}
			case 8:
				r.pass(time.Duration(s.next()) * 10 * time.Millisecond)
			case 9:
				r.disk.full = !r.disk.full
			case 10: // more records than the index has room for
				for i := range 20 * s.next() {
					put(proc.Stream(i%2), []byte("x\n")[i%2:])
				}
				ordered = ordered && len(m.arrivals) < minSlots*maxRecords/maxRecord
			case 11:
				r.disk.readOnly = !r.disk.readOnly
			case 12:
				require.NoError(t, os.RemoveAll(r.dir))
				r.pass(checkEvery)
				lossless, ordered, indexed = false, false, false
			case 13:
				os.WriteFile(r.index.path, []byte("garbage"), 0o600) // there may be no directory
				ordered, indexed = false, false
			case 14:
				checkEverySearch(t, r.Log, s.next())
			}
			for _, c := range readers {
				c.ordered = c.ordered && ordered && lossless
			}
		}
		r.disk.full, r.disk.readOnly = false, false
		r.pass(time.Minute)
		r.Close()
		add(View{})
		for _, c := range readers {
			c.finish(t)
			if lossless && c.gaps > 0 {
				t.Fatalf("told of gaps of %d bytes where nothing was lost", c.gaps)
			}
			c.Close()
		}
		checkFiles(t, r)
		checkEverySearch(t, r.Log, len(b))
		if lossless && ordered {
			checkLines(t, r.Log, m)
		}
		l, err := Load(r.dir, id, Options{})
		if err != nil {
			return // the directory was removed last
		}
		again := check(l.Reader(View{}), m)
		again.ordered = false
		if !indexed { // nothing else knows what was dropped
			again.dropped = m.dropped
			again.Reader.dropped = m.dropped
			for s, kept := range m.kept { // nor where in the stream the files begin
				if st := &l.streams[s]; st.start() == 0 {
					m.kept[s] = kept[int64(len(kept))-st.kept():]
				}
			}
		}
		again.finish(t)
		again.Close()
		checkEverySearch(t, l, len(b))
		if lossless && ordered {
			checkLines(t, l, m)
		}
	})
}

// checkEverySearch searches in many ways.
func checkEverySearch(t *testing.T, l *Log, seed int) {
	rnd := rand.New(rand.NewPCG(uint64(seed), 5))
	whole := checkSearch(t, l, View{})
	checkSearch(t, l, View{Only: []proc.Stream{proc.Stderr}})
	if len(whole) < 1000 {
		checkPlaces(t, l, rnd, whole)
	}
}

// checkFiles checks that the log stays within its size.
func checkFiles(t *testing.T, r *rig) {
	if _, err := os.Stat(r.dir); err != nil {
		return
	}
	limit := 2*max(r.opt.Cap, int64(r.opt.Keep)) + r.opt.slots()*pageSize
	if n := r.bytesOnDisk(); n > limit {
		t.Fatalf("%d bytes on disk, want at most %d", n, limit)
	}
}

// checkLines checks all lines, and the last few.
func checkLines(t *testing.T, l *Log, m *model) {
	want := m.lines()
	for _, n := range []int{len(want) + 1, 0, 1, 2, 5, len(want) / 2, len(want)} {
		v, want := View{From: Tail(n)}, want
		if n > len(want) {
			v.From = Start()
		} else {
			want = want[len(want)-n:]
		}
		r := l.Lines(v)
		var got []string
		for {
			line, ok := r.Next()
			if !ok {
				break
			}
			got = append(got, format(line))
		}
		if !r.Done() {
			t.Fatal("lines are not done at the end")
		}
		r.Close()
		if n == 1 && len(got) == 2 && bytes.Contains([]byte(got[0]), []byte(" true ")) {
			got = got[1:] // both streams end within a line
		}
		if !slices.Equal(got, want) {
			t.Fatalf("the last %d lines are\n%s\nwant\n%s", n, tail(got), tail(want))
		}
	}
}

func tail(lines []string) string {
	return fmt.Sprintf("%d: %q", len(lines), lines[max(0, len(lines)-5):])
}
