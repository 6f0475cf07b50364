package notify

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/prochost/prochost/manager/proc"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// vectors reads one file of vectors, from the folder named by PROCHOST_CONFORMANCE if it is set.
func vectors[T any](t *testing.T, file string) []T {
	t.Helper()
	dir := os.Getenv("PROCHOST_CONFORMANCE")
	if dir == "" {
		dir = filepath.Join("testdata", "conformance")
	}
	b, err := os.ReadFile(filepath.Join(dir, file))
	require.NoError(t, err)
	var list []T
	require.NoError(t, json.Unmarshal(b, &list))
	require.NotEmpty(t, list)
	return list
}

func TestConformanceClassify(t *testing.T) {
	type info struct {
		Status    string
		Success   bool
		EndReason string
		ExitCode  *int
	}
	for i, v := range vectors[struct {
		Info info
		Kind string
	}](t, "classify.json") {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			var e proc.End
			killed := v.Info.Status == "killed"
			switch v.Info.EndReason {
			case "exit":
				var also []int
				if v.Info.Success {
					also = []int{*v.Info.ExitCode}
				}
				e = proc.ExitedWith(*v.Info.ExitCode, also...)
			case "signal":
				s := syscall.SIGSEGV
				if killed {
					s = syscall.SIGKILL
				}
				e = proc.EndedBySignal(s, false)
			case "spawn_error":
				e = proc.NeverRan(os.ErrNotExist)
			case "missing_pid":
				e = proc.HadNoPID()
			case "lost":
				e = proc.Vanished(killed)
			default:
				t.Fatalf("vector has endReason %q", v.Info.EndReason)
			}
			// the end that was built is the one that the vector describes
			code, hasCode := e.ExitCode()
			require.Equal(t, v.Info.Status, e.Status().String())
			require.Equal(t, v.Info.Success, e.Success())
			require.Equal(t, v.Info.EndReason, e.Reason().String())
			require.Equal(t, v.Info.ExitCode != nil, hasCode)
			if hasCode {
				require.Equal(t, *v.Info.ExitCode, code)
			}
			assert.Equal(t, v.Kind, Classify(e).String())
		})
	}
}

func TestConformanceDecide(t *testing.T) {
	ends := map[string]proc.End{
		"success": proc.ExitedWith(0),
		"crash":   proc.ExitedWith(3),
		"failure": proc.EndedBySignal(syscall.SIGSEGV, false),
		"killed":  proc.EndedBySignal(syscall.SIGKILL, false),
	}
	for i, v := range vectors[struct {
		Kind   string
		Notify struct{ OnSuccess, OnFailure, OnKilled string }

		IntentionalStop    bool
		CompletionDelivery string
		TurnDelivery       string

		Emit      bool
		Attention *string
		Send      *struct {
			TriggerTurn bool
			DeliverAs   string
		}
	}](t, "decide.json") {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			var c Config
			c.OnSuccess, c.OnFailure, c.OnKilled = wish(t, v.Notify.OnSuccess), wish(t, v.Notify.OnFailure), wish(t, v.Notify.OnKilled)

			e := proc.Ended{End: ends[v.Kind]}
			if v.IntentionalStop {
				e.Stop = &proc.StopRequest{}
			}
			if v.CompletionDelivery == "tool" {
				e.Info.Delivery.Completion = proc.ClaimTool
			}
			if v.TurnDelivery == "followUp" {
				e.Info.Delivery.Turn = proc.FollowUp
			}
			n, told := Decide(e, c.Policy(), Circumstances{})
			require.Equal(t, v.Emit, told)
			assert.Equal(t, v.Kind, n.Kind().String())
			if !told {
				return
			}
			turn, as := n.Send()
			assert.Equal(t, *v.Attention, n.AttentionWord())
			assert.Equal(t, *v.Attention, n.Attention().String())
			assert.Equal(t, v.Send.TriggerTurn, turn)
			assert.Equal(t, v.Send.DeliverAs, as.String())
		})
	}
}

func wish(t *testing.T, word string) Wish {
	t.Helper()
	if word == "" {
		return Unset
	}
	w, err := ParseWish(word)
	require.NoError(t, err)
	return w
}

func TestConformanceMatchers(t *testing.T) {
	for i, v := range vectors[struct {
		LogMatches []struct {
			Pattern, Mode, Stream, On string
			Repeat                    bool
		}
		Lines []struct {
			AtMs   int64
			Stream proc.Stream
			Text   string
		}
		Expect []struct {
			AtMs         int64
			MatcherIndex int
			Stream       proc.Stream
			Line         string
			Attention    string
		}
	}](t, "matchers.json") {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			var list []Matcher
			for _, l := range v.LogMatches {
				m := Matcher{Pattern: l.Pattern, Repeat: l.Repeat}
				var err error
				if l.Mode != "" {
					m.Mode, err = ParseMode(l.Mode)
					require.NoError(t, err)
				}
				if l.Stream != "" {
					m.Stream, err = ParseStreamFilter(l.Stream)
					require.NoError(t, err)
				}
				if l.On != "" {
					require.NoError(t, m.On.UnmarshalText([]byte(l.On)))
				}
				list = append(list, m)
			}
			m, err := NewMatchers(list)
			require.NoError(t, err)
			start := time.Now()
			var got []string
			for _, l := range v.Lines {
				if !Watchable([]byte(l.Text)) {
					continue
				}
				for _, hit := range m.Observe(l.Stream, []byte(l.Text), start.Add(time.Duration(l.AtMs)*time.Millisecond)) {
					got = append(got, fmt.Sprintf("%d #%d %s %s %s", l.AtMs, hit.Index, hit.Stream, hit.Matcher.On, hit.Line))
				}
			}
			var want []string
			for _, e := range v.Expect {
				want = append(want, fmt.Sprintf("%d #%d %s %s %s", e.AtMs, e.MatcherIndex, e.Stream, e.Attention, e.Line))
			}
			assert.Equal(t, want, got)
		})
	}
}

func TestConformanceRatelimit(t *testing.T) {
	type delivery struct {
		AtMs       int64
		Kind       string
		Suppressed int
		Attention  string
	}
	ends := map[string]proc.End{"success": proc.ExitedWith(0), "crash": proc.ExitedWith(1)}
	for i, v := range vectors[struct {
		Events []struct {
			AtMs int64
			Kind string
		}
		UntilMs int64
		Expect  []delivery
	}](t, "ratelimit.json") {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			var (
				l     Limiter
				start = time.Now()
				got   []delivery
			)
			at := func(ms int64) time.Time { return start.Add(time.Duration(ms) * time.Millisecond) }
			record := func(now time.Time, list ...Notification) {
				for _, n := range list {
					d := delivery{AtMs: now.Sub(start).Milliseconds(), Kind: n.Kind().String(), Suppressed: n.Suppressed()}
					if n.Kind() == Suppressed {
						d.Attention = n.Attention().String()
					}
					got = append(got, d)
				}
			}
			advance := func(now time.Time) {
				if due, ok := l.Deadline(); ok && !due.After(now) {
					n, ok := l.Tick(due)
					require.True(t, ok)
					record(due, n)
				}
			}
			for _, e := range v.Events {
				now := at(e.AtMs)
				advance(now)
				if e.Kind == "log_match" {
					record(now, l.Admit(Match{}, proc.Info{}, now)...)
					continue
				}
				n, told := Decide(proc.Ended{End: ends[e.Kind]}, DefaultPolicy(), Circumstances{At: now})
				require.True(t, told)
				record(now, n)
			}
			advance(at(v.UntilMs))
			assert.Equal(t, v.Expect, got)
		})
	}
}

func TestConformanceRetry(t *testing.T) {
	kinds := map[string]Kind{}
	for k := range Kind(NumKinds) {
		kinds[k.String()] = k
	}
	for i, v := range vectors[struct {
		Kind         string
		SinkFailures int
		AttemptsAtMs []int64
		Published    bool
	}](t, "retry.json") {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			k, known := kinds[v.Kind]
			require.True(t, known)
			var (
				now       time.Duration
				attempts  []int64
				published bool
			)
			for failures := 1; ; failures++ {
				attempts = append(attempts, now.Milliseconds())
				if failures > v.SinkFailures {
					published = true
					break
				}
				wait, again := RetryDelay(k, failures)
				if !again {
					break
				}
				now += wait
			}
			assert.Equal(t, v.AttemptsAtMs, attempts)
			assert.Equal(t, v.Published, published)
		})
	}
}
