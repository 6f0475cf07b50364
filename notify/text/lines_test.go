package text

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// linesOf returns what Lines reports of stream when it comes in blocks that end at cuts.
func linesOf(stream []byte, cuts ...int) []string {
	var l Lines
	var got []string
	emit := func(line []byte) { got = append(got, string(line)) }
	from := 0
	for _, to := range append(cuts, len(stream)) {
		l.Write(bytes.Clone(stream[from:to]), emit)
		from = to
	}
	l.Flush(emit)
	return got
}

// wantLines says what Lines must report: each line by itself, whole.
func wantLines(stream []byte) []string {
	return wantLinesThatEnd(stream, func(int) bool { return true })
}

// wantLinesThatEnd says what Lines must report if only some line ends are looked at, told by their place.
func wantLinesThatEnd(stream []byte, looked func(end int) bool) []string {
	var want []string
	at := 0
	for line := range bytes.Lines(stream) {
		at += len(line)
		if bytes.HasSuffix(line, []byte("\n")) && !looked(at-1) {
			continue
		}
		line = bytes.TrimRight(bytes.TrimSuffix(line, []byte("\n")), "\r")
		if s := refVisible(string(line)); s != "" && utf8.RuneCountInString(s) <= MaxLine {
			want = append(want, s)
		}
	}
	return want
}

// linesOfSome is linesOf where the blocks of odd number are skipped.
func linesOfSome(stream []byte, cuts ...int) (got, want []string) {
	var l Lines
	emit := func(line []byte) { got = append(got, string(line)) }
	from := 0
	for i, to := range append(cuts, len(stream)) {
		if i%2 == 1 {
			l.Skip(bytes.Clone(stream[from:to]))
		} else {
			l.Write(bytes.Clone(stream[from:to]), emit)
		}
		from = to
	}
	l.Flush(emit)
	return got, wantLinesThatEnd(stream, func(end int) bool {
		i, found := slices.BinarySearch(cuts, end)
		if found {
			i++
		}
		return i%2 == 0
	})
}

func TestLines(t *testing.T) {
	for _, tt := range []struct {
		name, stream string
		want         []string
	}{
		{"nothing", "", nil},
		{"plain", "a\nb\n", []string{"a", "b"}},
		{"CRLF", "a\r\nb\r\r\n", []string{"a", "b"}},
		{"empty lines are left out", "\n\na\n\n\x1b[0m\n\r\n\x07\nb\n\n", []string{"a", "b"}},
		{"a last line without end", "a\nlast words", []string{"a", "last words"}},
		{"a last line with a return", "a\n100%\r", []string{"a", "100%"}},
		{"a last line that breaks off", "a\x1b[3", []string{"a"}},
		{"a last line with a cut character", "a\xe4\xbd", []string{"a\uFFFD\uFFFD"}},
		{"progress", "10%\r50%\r100%\ndone\n", []string{"100%", "done"}},
		{"a sequence ends with its line", "\x1b]0;open\nnext\n\x1b[3\nlast\n", []string{"next", "last"}},
		{"a cut character ends with its line", "\xe4\n\xbd\n", []string{"\uFFFD", "\uFFFD"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			assert.Equal(t, tt.want, linesOf([]byte(tt.stream)))
			assert.Equal(t, tt.want, wantLines([]byte(tt.stream)))
			for i := range len(tt.stream) {
				assert.Equal(t, tt.want, linesOf([]byte(tt.stream), i), "cut at %d", i)
			}
			everywhere := make([]int, len(tt.stream))
			for i := range everywhere {
				everywhere[i] = i
			}
			assert.Equal(t, tt.want, linesOf([]byte(tt.stream), everywhere...), "cut everywhere")
		})
	}
}

func TestLinesLimit(t *testing.T) {
	just, over := strings.Repeat("x", MaxLine), strings.Repeat("x", MaxLine+1)
	wide := strings.Repeat("é", MaxLine)
	for _, tt := range []struct {
		name, line string
		want       []string
	}{
		{"just", just, []string{just}},
		{"over", over, nil},
		{"characters, not bytes", wide, []string{wide}},
		{"over in characters", wide + "é", nil},
		{"just with a tab", just[:MaxLine-8] + "\t", []string{just[:MaxLine-8] + "        "}},
		{"over by a tab", just[:MaxLine-7] + "\tx", nil},
		{"sequences do not count", just + "\x1b[31m", []string{just}},
		{"a return takes the excess away", over + "\rok", []string{"ok"}},
		{"a return in a sequence does not", over + "\x1b]0;\rok", nil},
		{"a return in a sequence of the excess does not", over + "\x1b]0;\r\aok", nil},
		{"a return at the end does not", over + "\r", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			want := append(append([]string{"before"}, tt.want...), "after")
			stream := []byte("before\n" + tt.line + "\nafter\n")
			check := func(how string, got []string) {
				assert.True(t, slices.Equal(want, got), "%s: got lines of %d characters, want %d", how, lengths(got), lengths(want))
			}
			check("in one block", linesOf(stream))
			for _, i := range []int{3, 7, 8, 5000, len(stream) - 9, len(stream) - 7, len(stream) - 1} {
				check(fmt.Sprintf("cut at %d", i), linesOf(stream, i))
			}
		})
	}
	t.Run("among plain lines", func(t *testing.T) {
		stream := []byte(strings.Repeat(strings.Repeat(just+"\n", 3)+over+"\n", 3))
		want := strings.Split(strings.TrimSuffix(strings.Repeat(just+"\n", 9), "\n"), "\n")
		got := linesOf(stream)
		assert.True(t, slices.Equal(want, got), "got lines of %d characters, want %d", lengths(got), lengths(want))
	})
}

func lengths(lines []string) []int {
	var n []int
	for _, line := range lines {
		n = append(n, utf8.RuneCountInString(line))
	}
	return n
}

func TestLinesMemory(t *testing.T) {
	for name, block := range map[string]string{
		"plain":       strings.Repeat("x", 64<<10),
		"characters":  strings.Repeat("é", 32<<10),
		"tabs":        strings.Repeat("\t", 64<<10),
		"bad bytes":   strings.Repeat("\xff", 64<<10),
		"a title":     "\x1b]" + strings.Repeat("x", 64<<10),
		"parameters":  "\x1b[" + strings.Repeat("1", 64<<10),
		"returns":     strings.Repeat("x\r", 32<<10),
		"short lines": strings.Repeat("\x1b[1mx\n", 10<<10),
	} {
		t.Run(name, func(t *testing.T) {
			var l Lines
			for range 20 {
				l.Write([]byte(block), func([]byte) {})
			}
			held := cap(l.c.out) + cap(l.c.params) + cap(l.c.marks)
			assert.LessOrEqual(t, held, 16*MaxLine)
		})
	}
}

func TestLinesAllocateNothing(t *testing.T) {
	for name, line := range map[string]string{"plain": "an ordinary line of a log", "coloured": "\x1b[32mINFO\x1b[0m täglich\t1"} {
		t.Run(name, func(t *testing.T) {
			block := []byte(strings.Repeat(line+"\n", 1000))
			var l Lines
			n := 0
			emit := func([]byte) { n++ }
			allocs := testing.AllocsPerRun(10, func() { l.Write(block, emit) })
			assert.LessOrEqual(t, allocs, 2.0, "for a block of a thousand lines")
			require.Positive(t, n)
		})
	}
}

func TestLinesFlushBeginsAnew(t *testing.T) {
	var l Lines
	var got []string
	emit := func(line []byte) { got = append(got, string(line)) }
	for range 2 {
		l.Write([]byte("a\x1b]0;half"), emit)
		l.Flush(emit)
		l.Flush(emit)
	}
	assert.Equal(t, []string{"a", "a"}, got)
}

func TestSkip(t *testing.T) {
	stream := []byte("a\nbe\x1b[1mgins\nc\n\x1b[1md\nlong\xe4\nlost\rshort\ne\xe4")
	for i := range stream[1:] {
		for j := i + 2; j < len(stream); j++ {
			if got, want := linesOfSome(stream, i+1, j); !slices.Equal(got, want) {
				t.Fatalf("lines with %d to %d skipped = %.99q, want %.99q", i+1, j, got, want)
			}
		}
	}
}

func TestSkipOfALongLine(t *testing.T) {
	long := strings.Repeat("x", MaxLine+1)
	for _, tt := range []struct {
		skipped, read string
		want          []string
	}{
		{"a\n" + long, "\nb\n", []string{"b"}},
		{"a\n" + long, "\rb\n", []string{"b"}},
		{long + "\n", "b\n", []string{"b"}},
		{long + "\nb", "c\n", []string{"bc"}},
	} {
		var l Lines
		var got []string
		l.Skip([]byte(tt.skipped))
		l.Write([]byte(tt.read), func(line []byte) { got = append(got, string(line)) })
		assert.Equal(t, tt.want, got)
	}
}

func TestEachStops(t *testing.T) {
	n := 0
	for range Each([]byte("a\n\nb\nc\n")) {
		if n++; n == 2 {
			break
		}
	}
	assert.Equal(t, 2, n)
}

// grow makes long lines of short input: \x02 and \x03 stand for many characters.
var grow = strings.NewReplacer("\x02", strings.Repeat("x", MaxLine-2), "\x03", strings.Repeat("é", MaxLine/2))

func FuzzLines(f *testing.F) {
	f.Add([]byte(strings.Join(hostile, "\n")), uint64(1))
	f.Add([]byte("plain lines\nof some length\n\x1b[1mand one with colour\x1b[0m\nand more\n"), uint64(7))
	f.Add([]byte("a\n\x02xx\n\x02xxx\nb\x02\ty\nc\n"), uint64(2))
	f.Add([]byte("\x03\x03x\ry\n\x03\x03\n\x02\x02\x1b]0;\r\a\n"), uint64(3))
	for i, s := range hostile {
		f.Add([]byte(s+"\r\n"+s), uint64(i))
	}
	f.Fuzz(func(t *testing.T, stream []byte, seed uint64) {
		if len(stream) > 1<<10 || bytes.Count(stream, []byte("\x02"))+bytes.Count(stream, []byte("\x03")) > 6 {
			return
		}
		stream = []byte(grow.Replace(string(stream)))
		want := wantLines(stream)
		var cuts []int
		for at := 0; ; {
			seed = seed*6364136223846793005 + 1442695040888963407
			at += 1 + int(seed>>33)%(1<<(seed>>60))
			if at >= len(stream) {
				break
			}
			cuts = append(cuts, at)
		}
		if got := linesOf(stream); !slices.Equal(got, want) {
			t.Fatalf("lines of %.999q in one block = %.999q, want %.999q", stream, got, want)
		}
		if got := linesOf(stream, cuts...); !slices.Equal(got, want) {
			t.Fatalf("lines of %.999q cut at %d = %.999q, want %.999q", stream, cuts, got, want)
		}
		if got, want := linesOfSome(stream, cuts...); !slices.Equal(got, want) {
			t.Fatalf("lines of %.999q cut at %d, each second skipped = %.999q, want %.999q", stream, cuts, got, want)
		}
	})
}

func BenchmarkLines(b *testing.B) {
	plain := "2026-11-30T12:00:00.000Z INFO  http: request served method=GET path=/api/v1/items status=200 ms=12.5\n"
	colour := "2026-11-30T12:00:00.000Z \x1b[32mINFO\x1b[0m  http: request served method=GET path=/api/v1/items ms=12.5\n"
	for name, lines := range map[string]string{
		"plain":    plain,
		"colour30": strings.Repeat(plain, 7) + strings.Repeat(colour, 3),
		"colour":   colour,
		"crlf":     strings.Replace(plain, "\n", "\r\n", 1),
		"tabs":     "\tat com.example.Main.run\t(Main.java:12) and some more text to make a line of ordinary length\n",
		"cyrillic": "2026-11-30 сервер слушает на порту 8080 и ждёт запросов от клиентов\n",
		"bytes":    strings.Repeat("\xff\xfe", 50) + "\n",
	} {
		block := []byte(strings.Repeat(lines, 64<<10/len(lines)))
		b.Run(name, func(b *testing.B) {
			var l Lines
			n := 0
			b.SetBytes(int64(len(block)))
			b.ReportAllocs()
			for b.Loop() {
				l.WriteRuns(block, func(run []byte) { n += len(run) })
			}
		})
		b.Run(name+"/each", func(b *testing.B) {
			var l Lines
			n := 0
			b.SetBytes(int64(len(block)))
			b.ReportAllocs()
			for b.Loop() {
				l.Write(block, func(line []byte) { n += len(line) })
			}
		})
	}
}
