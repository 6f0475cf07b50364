package luaapi

import (
	"context"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prochost/prochost/luaapi/vm"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// hang makes print a function of Go that does not return: the one thing that a VM cannot end.
type hang struct {
	when   string
	free   chan struct{}
	inside atomic.Int32
	other  atomic.Int32 // what else was printed
}

func (h *hang) print(text string) {
	h.other.Add(1)
	if text == h.when {
		h.other.Add(-1)
		h.inside.Add(1)
		<-h.free
		h.inside.Add(-1)
	}
}

// TestHungHook has a hook hang. Its caller leaves at the deadline; until the engine is given up every other
// call fails at once; then the recipe runs again, from the text that was loaded.
func TestHungHook(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := &hang{when: "hang", free: make(chan struct{})}
		var told reports
		dir := write(t, map[string]string{
			"prochost.lua": `
				local lib = require "lib"
				print("loading")
				on("format", function(n)
					if n.kind == "crash" then print("hang") end
					lib.count = lib.count + 1
					return "count " .. lib.count
				end)`,
			"lib.lua": `return { count = 0 }`,
		})
		opt := testOptions(filepath.Join(dir, "prochost.lua"))
		told.option(&opt)
		opt.Print = h.print
		p, _, err := Load(t.Context(), opt)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(dir, "prochost.lua"), []byte("nonsense"), 0o644))
		require.NoError(t, os.Remove(filepath.Join(dir, "lib.lua")))
		bad, good := crash("api"), crash("api")
		good.Kind = "killed"
		fine := func(want string) {
			t.Helper()
			w, err := ask(t, p, good, 50*time.Millisecond)
			require.NoError(t, err)
			assert.Equal(t, want, w.Summary)
		}
		fine("count 1")

		for given := 1; given < maxGivenUp; given++ {
			began := time.Now()
			w, err := ask(t, p, bad, 50*time.Millisecond)
			assert.Nil(t, w)
			assert.ErrorContains(t, err, `prochost.lua:4: on("format"): did not end within 50ms`)
			assert.Equal(t, 50*time.Millisecond, time.Since(began))

			began = time.Now()
			_, err = ask(t, p, good, 50*time.Millisecond)
			assert.ErrorIs(t, err, vm.ErrBusy)
			assert.Zero(t, time.Since(began), "later calls fail at once")

			time.Sleep(hookGrace)
			synctest.Wait()
			fine("count 1") // another engine, which begins anew
			fine("count 2")
			assert.EqualValues(t, given, h.inside.Load())
		}
		assert.Len(t, told.take(), 1)
		assert.EqualValues(t, 1, h.other.Load(), "what it prints while it loads is not printed again")

		_, err = ask(t, p, bad, 50*time.Millisecond)
		assert.Error(t, err)
		time.Sleep(hookGrace)
		synctest.Wait()
		assert.False(t, p.HasWords("crash", "api"))
		w, err := ask(t, p, good, 50*time.Millisecond)
		assert.Nil(t, w)
		assert.NoError(t, err)
		assert.Equal(t, []string{"all hooks are off until the next load, after 3 of them hung"}, told.take())

		p.Close()
		close(h.free)
	})
}

// TestSlowHook returns after its deadline and before it is given up: the engine stays.
func TestSlowHook(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := &hang{when: "hang", free: make(chan struct{})}
		p := loadText(t, `
			local count = 0
			on("format", function(n)
				count = count + 1
				if n.kind == "crash" then print("hang") end
				return "count " .. count
			end)`, func(o *Options) { o.Print = h.print })
		_, err := ask(t, p, crash("api"), 50*time.Millisecond)
		assert.ErrorContains(t, err, "did not end within 50ms")
		time.Sleep(hookGrace / 2)
		close(h.free)
		time.Sleep(hookGrace)
		v := crash("api")
		v.Kind = "killed"
		w, err := ask(t, p, v, 50*time.Millisecond)
		require.NoError(t, err)
		assert.Equal(t, "count 2", w.Summary)
	})
}

// TestCloseWhileHung leaves nothing behind: an engine that would be made is not kept.
func TestCloseWhileHung(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := &hang{when: "hang", free: make(chan struct{})}
		p := loadText(t, `on("format", function() print("hang") end)`, func(o *Options) { o.Print = h.print })
		_, err := ask(t, p, crash("api"), 50*time.Millisecond)
		assert.Error(t, err)
		p.Close()
		time.Sleep(hookGrace)
		close(h.free)
	})
}

// TestCloseWhileAnotherEngineIsMade closes the program when it has no engine. The one that is made must not
// be left behind; goleak looks for it.
func TestCloseWhileAnotherEngineIsMade(t *testing.T) {
	h := &hang{when: "hang", free: make(chan struct{})}
	p := loadText(t, `on("format", function() print("hang") end)`, func(o *Options) { o.Print = h.print })
	defer close(h.free)
	_, err := ask(t, p, crash("api"), 10*time.Millisecond)
	require.Error(t, err)
	p.disk.mu.Lock() // the recipe cannot be read
	require.Eventually(t, func() bool {
		p.mu.Lock()
		defer p.mu.Unlock()
		return p.engine == nil
	}, ample, time.Millisecond)
	p.Close()
	p.disk.mu.Unlock()
}

// TestHungLoad returns when a load hangs where the VM cannot end it, and closes what comes of it later.
func TestHungLoad(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := &hang{when: "hang", free: make(chan struct{})}
		opt := testOptions(filepath.Join(write(t, map[string]string{"prochost.lua": `print("hang")`}), "prochost.lua"))
		opt.Print = h.print
		began := time.Now()
		p, files, err := Load(context.Background(), opt)
		assert.Nil(t, p)
		assert.EqualError(t, err, "prochost.lua: the load was given up: context deadline exceeded")
		assert.Equal(t, loadTime+loadGrace, time.Since(began))
		assert.Len(t, files, 1)
		close(h.free)
	})
}
