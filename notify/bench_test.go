package notify

import (
	"bytes"
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/prochost/prochost/manager/proc"
	"github.com/prochost/prochost/notify/text"
)

// benchBlock is a block of log of which some lines in a hundred have colours. Each has 100 visible
// characters or nearly, its end included.
func benchBlock(coloured int) (block []byte, lines int) {
	levels := []string{"INFO ", "DEBUG", "WARN "}
	messages := []string{"request served", "cache miss for key", "connected to upstream", "retrying operation", "user logged in", "rendered template", "query executed"}
	paths := []string{"/api/v1/items", "/api/v2/users/profile", "/static/app.js", "/healthz", "/live"}
	for ; len(block) < 64<<10; lines++ {
		level, i := levels[lines%len(levels)], lines
		line := fmt.Sprintf("2026-11-30T12:%02d:%02d.%03dZ %s http: %s method=GET path=%s status=%d ms=%d.%d id=%s", i/60%60, i%60, i*37%1000, level,
			messages[i*7%len(messages)], paths[i*3%len(paths)], 200+i%5, i%97, i%10, strings.Repeat(fmt.Sprintf("%07x", i*2654435), 6))[:99]
		if i*37%100 < coloured {
			line = strings.Replace(line, level, "\x1b[32m"+level+"\x1b[0m", 1)
		}
		block = append(append(block, line...), '\n')
	}
	return block, lines
}

func literals(patterns ...string) []Matcher {
	var list []Matcher
	for _, p := range patterns {
		list = append(list, Matcher{Pattern: p, Repeat: true})
	}
	return list
}

func regexes(patterns ...string) []Matcher {
	list := literals(patterns...)
	for i := range list {
		list[i].Mode = Regex
	}
	return list
}

// What people watch for, twenty of each kind; nothing of it is in benchBlock.
var (
	benchLiterals = literals("panic:", "EADDRINUSE", "listening on", "Compiled successfully", "error:", "FATAL", "Unhandled rejection", "segfault",
		"deadlock", "out of memory", "timeout exceeded", "connection refused", "Traceback (most", "ready in", "migration failed", "SIGTERM",
		"cannot find module", "permission denied", "[vite] hmr", "webpack compiled")
	benchRegexes = regexes(`panic: (.+)`, `EADDRINUSE.*:(\d+)`, `listening on .*:(\d+)`, `[Cc]ompiled (successfully|with warnings)`, `\berror(\[E\d+\])?:`,
		`(?i)fatal`, `^Unhandled (rejection|error)`, `(?i)seg(mentation )?fault`, `deadlock detected after (\d+)s`, `(out of|low) memory`,
		`timeout (exceeded|after \d+ms)`, `connect(ion)? (refused|reset)`, `^Traceback \(most recent`, `ready in (\d+) ?ms`, `migrat(ion|e) failed`,
		`SIG(TERM|KILL|INT)\b`, `cannot find (module|package) "(.+)"`, `permission denied: (.*)`, `evicted (\d+) keys`, `status=5\d\d`)
	// The same, and every third line has a literal of one of the first two, which it does not match.
	benchVain = append(regexes(`miss for key .* evicted`, `status=204 .*slow`), benchRegexes[:18]...)
)

// pipeline splits, cleans and matches a block as an observer does.
type pipeline struct {
	m     *Matchers
	lines text.Lines
	hits  int
}

func newPipeline(b *testing.B, list []Matcher) *pipeline {
	m, err := NewMatchers(list)
	if err != nil {
		b.Fatal(err)
	}
	return &pipeline{m: m}
}

func (p *pipeline) runs(block []byte, now time.Time) {
	if !p.m.Awake(proc.Stdout, now) {
		p.lines.Skip(block)
		return
	}
	p.lines.WriteRuns(block, func(run []byte) {
		for range p.m.ObserveRun(proc.Stdout, run, now) {
			p.hits++
		}
	})
}

func (p *pipeline) lineByLine(block []byte, now time.Time) {
	p.lines.Write(block, func(line []byte) { p.hits += len(p.m.Observe(proc.Stdout, line, now)) })
}

// report runs work and, in turn with it, the limit: a copy of the block, and a search of the copy for a
// byte that it does not have, each of which goes through the memory once. It reports the processor time of
// the work, which others on the machine disturb least, and how many times that of the limit it is.
func report(b *testing.B, block []byte, lines int, work func()) {
	const times = 8
	var took, limit time.Duration
	sink := make([]byte, len(block))
	n := 0
	for b.Loop() {
		start := processorTime(b)
		for range times {
			work()
		}
		worked := processorTime(b)
		for range times {
			copy(sink, block)
			if bytes.IndexByte(sink, 0) >= 0 {
				b.Fatal("the block has a zero byte")
			}
		}
		limit += processorTime(b) - worked
		took += worked - start
		n += times
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(took.Nanoseconds())/float64(n*lines), "ns/line")
	b.ReportMetric(float64(n*len(block))/1e6/took.Seconds(), "MB/s")
	b.ReportMetric(float64(took)/float64(limit), "x-limit")
}

func processorTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func BenchmarkMatchers(b *testing.B) {
	const coloured = 30
	fired := append(literals("http", "status"), Matcher{Pattern: `ms=\d+`, Mode: Regex})
	short := append(literals("OK"), benchLiterals[1:]...)
	single := append(literals("!"), benchLiterals[1:]...)
	costly := append(regexes(`(\d+)\.(\d+)s$`), benchLiterals[1:]...)
	for _, bb := range []struct {
		name     string
		list     []Matcher
		coloured int
	}{
		{"none", nil, coloured},
		{"asleep", fired, coloured},
		{"one", benchLiterals[2:3], coloured},
		{"literals", benchLiterals, coloured},
		{"literals-plain", benchLiterals, 0},
		{"literals-one-of-two-bytes", short, coloured},
		{"literals-one-of-one-byte", single, coloured},
		{"literals-one-costly", costly, coloured},
		{"regexes", benchRegexes, coloured},
		{"regexes-plain", benchRegexes, 0},
		{"regexes-tried-in-vain", benchVain, coloured},
	} {
		block, lines := benchBlock(bb.coloured)
		now := time.Now()
		b.Run(bb.name+"/runs", func(b *testing.B) {
			p := newPipeline(b, bb.list)
			p.runs(block, now) // what is to fire has fired
			before := p.hits
			report(b, block, lines, func() { p.runs(block, now) })
			if p.hits != before || (before > 0) != (bb.name == "asleep") {
				b.Fatalf("%d hits, then %d more", before, p.hits-before)
			}
		})
		b.Run(bb.name+"/line-by-line", func(b *testing.B) {
			p := newPipeline(b, bb.list)
			report(b, block, lines, func() { p.lineByLine(block, now) })
		})
	}
}

// BenchmarkWrites is a process that writes line by line, each of which is a block.
func BenchmarkWrites(b *testing.B) {
	block, lines := benchBlock(30)
	now := time.Now()
	p := newPipeline(b, benchLiterals)
	report(b, block, lines, func() {
		for line := range bytes.Lines(block) {
			p.runs(line, now)
		}
	})
}

// BenchmarkSieve is what it costs that a matcher fires and wakes.
func BenchmarkSieve(b *testing.B) {
	for name, list := range map[string][]Matcher{"literals": benchLiterals, "regexes": benchRegexes} {
		b.Run(name, func(b *testing.B) {
			p := newPipeline(b, list)
			b.ReportAllocs()
			for b.Loop() {
				p.m.sieves = [proc.NumStreams]sieve{}
				p.m.sieve(proc.Stdout, time.Time{})
			}
		})
	}
}
