package vm

import (
	"errors"
	"testing"
	"time"
)

// FuzzCompile: no source makes Compile panic, and what compiles runs to an end that is accounted for.
func FuzzCompile(f *testing.F) {
	for seed := range uint64(20) {
		f.Add([]byte(generate(seed)))
	}
	for _, c := range hostile {
		if len(c.src) < 1000 {
			f.Add([]byte(c.src))
		}
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		proto, err := Compile(src, "f.lua")
		if err != nil {
			var e *SyntaxError
			if !errors.As(err, &e) || e.Line < 1 || e.Message == "" {
				t.Errorf("Compile: %#v", err)
			}
			return
		}
		vm := New(Options{})
		defer vm.Close()
		_, err = vm.Call(t.Context(), Limits{Time: 20 * time.Millisecond, Memory: 32 << 20}, vm.Load(proto))
		var e *RuntimeError
		if errors.As(err, &e) && e.Stack != nil {
			t.Errorf("it ended in a panic: %v\n%s", err, e.Stack)
		}
	})
}

// FuzzMatch: no pattern makes the matcher panic or go on for long.
func FuzzMatch(f *testing.F) {
	for _, p := range append(patterns, patternPieces...) {
		f.Add("hello (world) 12", p)
	}
	f.Fuzz(func(t *testing.T, subject, pattern string) {
		type fault struct{}
		defer func() {
			if r := recover(); r != nil && r != (fault{}) {
				panic(r)
			}
		}()
		m := &matcher{
			fail:       func(string) { panic(fault{}) },
			tooComplex: func() { panic(fault{}) },
			poll:       func() {},
		}
		m.init(subject, pattern)
		for i := range len(subject) + 1 {
			m.reset()
			end := m.match(i, 0)
			if end >= 0 && (end < i || end > len(subject)) {
				t.Errorf("match of %q on %q from %d ends at %d", pattern, subject, i, end)
			}
			if end >= 0 {
				for k := range m.captures {
					m.capture(k, i, end)
				}
			}
		}
	})
}
