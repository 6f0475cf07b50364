package host

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prochost/prochost/manager/proc"
	"github.com/prochost/prochost/notify"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// courierFunc is a courier that minds the message alone.
func courierFunc(f func(notify.Message) error) courier {
	return func(_ context.Context, _ string, m notify.Message) error { return f(m) }
}

// wordsFunc is a wordsmith that is a function.
type wordsFunc func(context.Context, notify.Notification) (*notify.Words, error)

func (f wordsFunc) words(ctx context.Context, n notify.Notification) (*notify.Words, error) {
	return f(ctx, n)
}

// crash is a decided notification about the end of name.
func crash(name string) notify.Notification {
	n, _ := notify.Decide(proc.Ended{Info: proc.Info{ID: proc.ID("proc_" + name), Name: name}, End: proc.ExitedWith(1)},
		notify.DefaultPolicy(), notify.Circumstances{At: time.Now()})
	return n
}

func notificationOf(t *testing.T, kind string) notify.Notification {
	t.Helper()
	switch kind {
	case "log_match":
		var l notify.Limiter
		return l.Admit(notify.Match{}, proc.Info{}, time.Now())[0]
	case "log_match_suppressed":
		var l notify.Limiter
		for range notify.MaxMatchesPerWindow + 1 {
			l.Admit(notify.Match{}, proc.Info{}, time.Now())
		}
		n, ok := l.Flush(time.Now())
		require.True(t, ok)
		return n
	}
	for _, end := range []proc.End{proc.ExitedWith(0), proc.ExitedWith(1), proc.EndedBySignal(9, false), proc.EndedBySignal(11, false)} {
		n, _ := notify.Decide(proc.Ended{End: end}, notify.DefaultPolicy(), notify.Circumstances{At: time.Now()})
		if n.Kind().String() == kind {
			return n
		}
	}
	t.Fatalf("no notification of kind %q", kind)
	return notify.Notification{}
}

// The outbox keeps the times of the vectors, and a message that must arrive goes on being tried after them.
func TestOutboxRetries(t *testing.T) {
	dir := os.Getenv("PROCHOST_CONFORMANCE")
	if dir == "" {
		dir = filepath.Join("..", "notify", "testdata", "conformance")
	}
	b, err := os.ReadFile(filepath.Join(dir, "retry.json"))
	require.NoError(t, err)
	var vectors []struct {
		Kind         string
		SinkFailures int
		AttemptsAtMs []int64
		Published    bool
	}
	require.NoError(t, json.Unmarshal(b, &vectors))
	require.NotEmpty(t, vectors)
	for _, v := range vectors {
		t.Run(v.Kind, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				start := time.Now()
				var mu sync.Mutex
				var at []int64
				published := false
				o := newOutbox(new(chronicle), courierFunc(func(notify.Message) error {
					mu.Lock()
					defer mu.Unlock()
					at = append(at, time.Since(start).Milliseconds())
					if len(at) <= v.SinkFailures {
						return errors.New("down")
					}
					published = true
					return nil
				}), func(string, string) {})
				go o.run()
				o.post(letter{n: notificationOf(t, v.Kind), to: []string{project}})
				time.Sleep(time.Second)
				synctest.Wait()
				mu.Lock()
				assert.Equal(t, v.AttemptsAtMs, at)
				assert.Equal(t, v.Published, published)
				mu.Unlock()
				time.Sleep(time.Hour)
				synctest.Wait()
				mu.Lock()
				assert.Equal(t, v.Published || v.Kind != "log_match" && v.Kind != "log_match_suppressed", published,
					"late, never lost; a log match is not tried again")
				mu.Unlock()
				o.close()
			})
		})
	}
}

// A message that cannot be delivered holds up none behind it and keeps its number.
func TestOutboxParks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		down := true
		var got []uint64
		o := newOutbox(new(chronicle), courierFunc(func(m notify.Message) error {
			mu.Lock()
			defer mu.Unlock()
			if m.About().Name == "bad" && down {
				return errors.New("down")
			}
			got = append(got, m.Number())
			return nil
		}), func(string, string) {})
		go o.run()
		for _, name := range []string{"a", "bad", "b", "c"} {
			o.post(letter{to: []string{project}, n: crash(name)})
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		mu.Lock()
		assert.Equal(t, []uint64{1, 3, 4}, got)
		down = false
		mu.Unlock()
		time.Sleep(2 * time.Minute)
		synctest.Wait()
		o.close()
		assert.Equal(t, []uint64{1, 3, 4, 2}, got)
	})
}

func TestOutboxCloseDeliversWhatWasPostedAndCancelsRetries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var got []string
		o := newOutbox(new(chronicle), courierFunc(func(m notify.Message) error {
			got = append(got, m.About().Name)
			return errors.New("down")
		}), func(string, string) {})
		o.post(letter{to: []string{project}, n: crash("a")})
		o.post(letter{to: []string{project}, n: crash("b")})
		go o.run()
		start := time.Now()
		o.close()
		assert.Equal(t, []string{"a", "b"}, got)
		assert.Zero(t, time.Since(start), "no retry is waited for")
		o.post(letter{to: []string{project}, n: crash("late")})
	})
}

// However many notifications are decided at once and however long their hooks would take, none waits for words
// longer than the budget counted from its own decision.
func TestWordsBudgetCountsFromTheDecision(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		decided := time.Now()
		var delays []time.Duration
		o := newOutbox(new(chronicle), courierFunc(func(m notify.Message) error {
			delays = append(delays, time.Since(decided))
			assert.False(t, m.Custom())
			assert.Equal(t, notify.Crash, m.Kind())
			assert.Equal(t, notify.Turn, m.Attention())
			assert.Equal(t, m.Fact(), m.Summary())
			return nil
		}), func(string, string) {})
		forever := wordsFunc(func(ctx context.Context, _ notify.Notification) (*notify.Words, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		})
		for range 25 {
			o.post(letter{to: []string{project}, n: crash("x"), words: forever})
		}
		go o.run()
		time.Sleep(time.Second)
		synctest.Wait()
		require.Len(t, delays, 25)
		for _, d := range delays {
			assert.LessOrEqual(t, d, wordsBudget)
		}
		o.close()
	})
}

// Words change nothing but words, and bad words nothing at all.
func TestOutboxWords(t *testing.T) {
	for _, tt := range []struct {
		name    string
		words   *notify.Words
		err     error
		custom  bool
		trouble bool
	}{
		{"good", &notify.Words{Summary: "it broke"}, nil, true, false},
		{"none", nil, nil, false, false},
		{"blank", &notify.Words{Summary: " \u200b "}, nil, false, true},
		{"failed", nil, errors.New("hook.lua:3: boom"), false, false},
		{"failed with words", &notify.Words{Summary: "all good"}, errors.New("hook.lua:3: boom"), false, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var (
				m       notify.Message
				trouble []string
				mu      sync.Mutex
			)
			o := newOutbox(new(chronicle), courierFunc(func(got notify.Message) error { m = got; return nil }), func(_, s string) {
				mu.Lock()
				defer mu.Unlock()
				trouble = append(trouble, s)
			})
			o.post(letter{to: []string{project}, n: crash("x"), words: wordsFunc(func(context.Context, notify.Notification) (*notify.Words, error) {
				return tt.words, tt.err
			})})
			go o.run()
			o.close()
			assert.Equal(t, tt.custom, m.Custom())
			assert.Equal(t, notify.Crash, m.Kind())
			assert.Equal(t, notify.Turn, m.Attention())
			assert.Equal(t, tt.trouble, len(trouble) == 1, trouble)
			assert.Contains(t, m.Fact(), "x crashed with exit code 1")
		})
	}
}

// A disk that does not answer holds up no message.
func TestTailIsNotWaitedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), wordsBudget)
		defer cancel()
		hangs := make(chan struct{})
		h := hooks{tail: func(proc.ID, int) []string { <-hangs; return nil }}
		start := time.Now()
		w, err := h.words(ctx, crash("x"))
		assert.Nil(t, w)
		assert.NoError(t, err)
		assert.Equal(t, wordsBudget, time.Since(start))
		close(hangs)
	})
}
