package vm

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// reference runs programs with the lua5.1 of the system and returns what each printed.
func reference(programs []string) ([]string, error) {
	var b strings.Builder
	b.WriteString("local P = {}\n")
	for i, p := range programs {
		fmt.Fprintf(&b, "P[%d] = [======[\n%s]======]\n", i+1, p)
	}
	b.WriteString(`for i = 1, #P do
		io.write("\1\1", i, "\n")
		local f, err = loadstring(P[i], "=p")
		if not f then print("syntax") else
			setfenv(f, setmetatable({}, { __index = _G }))
			local ok, e = pcall(f)
			if not ok then print("outer", e) end
		end
	end`)
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "lua5.1", "-")
	cmd.Stdin = strings.NewReader(b.String())
	out, err := cmd.CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("run lua5.1: %w: %s", err, out)
	}
	parts := strings.Split(string(out), "\x01\x01")[1:]
	if len(parts) != len(programs) {
		return nil, fmt.Errorf("lua5.1 gave %d outputs for %d programs", len(parts), len(programs))
	}
	for i := range parts {
		_, parts[i], _ = strings.Cut(parts[i], "\n")
		parts[i] = address.ReplaceAllString(parts[i], "0x")
	}
	return parts, nil
}

// here runs a program with this package, and gives the same text as reference.
func here(program string) string {
	var b strings.Builder
	vm := New(Options{Print: func(s string) { b.WriteString(s + "\n") }})
	defer vm.Close()
	proto, err := Compile([]byte(program), "p")
	if err != nil {
		return "syntax\n"
	}
	if _, err := vm.Call(context.Background(), Limits{Time: time.Minute}, vm.Load(proto)); err != nil {
		fmt.Fprintf(&b, "outer\t%v\n", err)
	}
	return address.ReplaceAllString(b.String(), "0x")
}

var address = regexp.MustCompile(`0[xX][0-9a-fA-F]{6,}`)

// minimise removes lines from a program while the difference stays.
func minimise(program string) string {
	lines := strings.Split(program, "\n")
	differs := func(lines []string) bool {
		p := strings.Join(lines, "\n")
		want, err := reference([]string{p})
		return err == nil && !strings.HasPrefix(want[0], "syntax") && here(p) != want[0]
	}
	for size := len(lines) / 2; size > 0; {
		removed := false
		for i := 0; i+size <= len(lines); {
			rest := append(append([]string{}, lines[:i]...), lines[i+size:]...)
			if differs(rest) {
				lines, removed = rest, true
			} else {
				i++
			}
		}
		if !removed || size > 1 {
			size /= 2
		}
	}
	return strings.Join(lines, "\n")
}

// TestDifferential compares random programs with the reference implementation. PROCHOST_SOAK=1 runs
// twelve times as many, PROCHOST_SEED begins elsewhere, PROCHOST_PROGRAMS sets their number.
func TestDifferential(t *testing.T) {
	needReference(t)
	seed, factor := soak()
	programs := defaultPrograms * factor
	if n, err := strconv.Atoi(os.Getenv("PROCHOST_PROGRAMS")); err == nil {
		programs = n
	}
	const batch = 100
	seeds := make(chan uint64)
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for first := range seeds {
				compareBatch(t, first, batch)
			}
		})
	}
	for i := 0; i < programs && !t.Failed(); i += batch {
		seeds <- seed + uint64(i)
	}
	close(seeds)
	wg.Wait()
}

// soak returns the seed of random tests and by how much to prolong them.
func soak() (seed uint64, factor int) {
	seed, factor = 1, 1
	if n, err := strconv.ParseUint(os.Getenv("PROCHOST_SEED"), 10, 64); err == nil {
		seed = n
	}
	if os.Getenv("PROCHOST_SOAK") != "" {
		factor = 12
	}
	return seed, factor
}

func compareBatch(t *testing.T, first uint64, n int) {
	sources := make([]string, n)
	for i := range sources {
		sources[i] = generate(first + uint64(i))
	}
	want, err := reference(sources)
	if err != nil {
		t.Error(err)
		return
	}
	for i, src := range sources {
		if got := here(src); got != want[i] && !t.Failed() {
			small := minimise(src)
			w, _ := reference([]string{small})
			t.Errorf("seed %d differs; minimised:\n%s\n--- here:\n%s\n--- lua5.1:\n%s", first+uint64(i), small, here(small), w[0])
		}
	}
}
