package notify

import (
	"bytes"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/prochost/prochost/notify/text"
)

// foundIn returns the raw lines that p finds in lines.
func foundIn(p *Pattern, lines []byte) (found []string) {
	for {
		start, end := p.Find(lines)
		if start == len(lines) {
			return found
		}
		found = append(found, string(lines[start:end]))
		lines = lines[end+1:]
	}
}

func TestPattern(t *testing.T) {
	lines := "first error\n\nan \x1b[31merr\x1b[0mor\r\n10% error\rdone\na\ttab\nError\nerror\r\n\xff bad\nPA\x1b[1mNIC\n" + strings.Repeat("x", MaxLine+1) + "error\n"
	long := strings.Split(lines, "\n")[9]
	for _, tt := range []struct {
		pattern string
		mode    Mode
		want    []string
	}{
		{"error", Literal, []string{"first error", "an \x1b[31merr\x1b[0mor\r", "error\r", long}},
		{"a       tab", Literal, []string{"a\ttab"}},
		{" tab", Literal, []string{"a\ttab"}},
		{"done", Literal, []string{"10% error\rdone"}},
		{"r\n", Literal, nil},
		{"\uFFFD", Literal, []string{"\xff bad"}},
		{"absent", Literal, nil},
		{"^error$", Regex, []string{"error\r"}},
		{"(?i)^error$", Regex, []string{"Error", "error\r"}},
		{"^$", Regex, []string{""}},
		{"^an? ", Regex, []string{"an \x1b[31merr\x1b[0mor\r", "a\ttab"}},
		{"r$", Regex, []string{"first error", "an \x1b[31merr\x1b[0mor\r", "Error", "error\r", long}},
		{"(?i)panic", Regex, []string{"PA\x1b[1mNIC"}},
		{`t\s+e`, Regex, []string{"first error"}},
	} {
		p, err := NewPattern(tt.pattern, tt.mode)
		require.NoError(t, err)
		assert.Equal(t, tt.want, foundIn(p, []byte(lines)), "%s %q", tt.mode, tt.pattern)
	}
	_, err := NewPattern("a(", Regex)
	assert.EqualError(t, err, CheckPattern("a(", Regex).Error())
	_, err = NewPattern(" ", Literal)
	assert.Error(t, err)
}

// A line is found wherever it lies in what is looked at in one go.
func TestPatternAtEveryPlace(t *testing.T) {
	p, err := NewPattern("needle", Literal)
	require.NoError(t, err)
	for before := window - 20; before < window+20; before++ {
		for _, line := range []string{"a needle here", "a nee\x1b[1mdle here"} {
			lines := strings.Repeat("x", before-8) + "\n" + strings.Repeat("y", 6) + "\n" + line + "\nneedle\n"
			assert.Equal(t, []string{line, "needle"}, foundIn(p, []byte(lines)), "behind %d bytes", before)
		}
	}
}

func FuzzPattern(f *testing.F) {
	for seed := range uint64(100) {
		f.Add(seed, "", []byte(nil))
	}
	f.Add(uint64(7), `took (\d{4,})ms`, []byte("it took \x1b[1m12345\x1b[0mms\nit took 1ms\r\n"))
	f.Fuzz(func(t *testing.T, seed uint64, pattern string, output []byte) {
		if len(output) > 1<<12 || len(pattern) > 100 {
			return
		}
		d := &differential{Rand: rand.New(rand.NewPCG(seed, 4)), t: t}
		mode := Mode(d.IntN(2))
		if CheckPattern(pattern, mode) != nil {
			pattern = [][]string{fuzzLiterals, fuzzRegexes}[mode][d.IntN(17)]
		}
		p, err := NewPattern(pattern, mode)
		require.NoError(t, err)
		matches := func(seen string) bool { return strings.Contains(seen, pattern) }
		if mode == Regex {
			matches = regexp.MustCompile(pattern).MatchString
		}
		lines := append(output, d.output()...)
		lines = append(lines, '\n')
		for range d.IntN(16) / 13 { // more than is looked at in one go
			lines = append(lines, strings.Repeat("a line of no interest\n", d.IntN(300))...)
			lines = append(append(lines, d.output()...), '\n')
		}
		var want []string
		for line := range bytes.Lines(lines) {
			raw := bytes.TrimSuffix(line, []byte("\n"))
			bare := bytes.TrimRight(raw, "\r")
			matched := matches(text.Visible(bare))
			if matched {
				want = append(want, string(raw))
			}
			if got := p.Match(bare); got != matched {
				t.Fatalf("%s %q matches %q: %v, want %v", mode, pattern, bare, got, matched)
			}
		}
		if got := foundIn(p, lines); !assert.ObjectsAreEqual(want, got) {
			t.Fatalf("%s %q finds %q in %q, want %q", mode, pattern, got, lines, want)
		}
	})
}

// BenchmarkPattern looks for what is not there.
func BenchmarkPattern(b *testing.B) {
	plain := "2026-11-30T12:00:00.000Z INFO  http: request served method=GET path=/api/v1/items status=200 ms=12.5\n"
	colour := "2026-11-30T12:00:00.000Z \x1b[32mINFO\x1b[0m  http: request served method=GET path=/api/v1/items ms=12.5\n"
	for _, tt := range []struct {
		name, lines, pattern string
		mode                 Mode
	}{
		{"literal", plain, "connection refused", Literal},
		{"short", plain, "5xx", Literal},
		{"regex", plain, `refused|(?i)fatal: (.*)`, Regex},
		{"costly", plain, `^\d+$`, Regex},
		{"colour30", strings.Repeat(plain, 7) + strings.Repeat(colour, 3), "connection refused", Literal},
		{"crlf", strings.Replace(plain, "\n", "\r\n", 1), "connection refused", Literal},
	} {
		b.Run(tt.name, func(b *testing.B) {
			p, err := NewPattern(tt.pattern, tt.mode)
			require.NoError(b, err)
			lines := []byte(strings.Repeat(tt.lines, 64<<10/len(tt.lines)))
			b.SetBytes(int64(len(lines)))
			b.ReportAllocs()
			for b.Loop() {
				if start, _ := p.Find(lines); start != len(lines) {
					b.Fatal(start)
				}
			}
		})
	}
}
