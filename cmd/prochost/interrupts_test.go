package main

import (
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestInterrupts(t *testing.T) {
	const (
		INT  = syscall.SIGINT
		TERM = syscall.SIGTERM
		HUP  = syscall.SIGHUP
		QUIT = syscall.SIGQUIT
	)
	type at struct {
		ms   int
		s    syscall.Signal
		want demand
	}
	for name, tt := range map[string]struct {
		nohup   bool
		pipe    bool // no terminal
		signals []at
	}{
		"a second Ctrl-C kills, a third leaves":  {false, false, []at{{0, INT, stopAll}, {500, INT, killAll}, {900, INT, leaveNow}}},
		"INT and TERM count alike":               {false, false, []at{{0, TERM, stopAll}, {1, INT, killAll}}},
		"two TERM":                               {false, false, []at{{0, TERM, stopAll}, {100, TERM, killAll}}},
		"a Ctrl-C that arrives twice is one":     {false, false, []at{{0, INT, stopAll}, {3, INT, nothing}, {49, INT, nothing}, {60, INT, killAll}, {61, INT, nothing}, {200, INT, leaveNow}}},
		"two in a row are two without keys":      {false, true, []at{{0, INT, stopAll}, {0, INT, killAll}}},
		"two TERM in a row are two":              {false, false, []at{{0, TERM, stopAll}, {1, TERM, killAll}}},
		"HUP stops":                              {false, false, []at{{0, HUP, stopAll}, {100, INT, killAll}}},
		"HUP after Ctrl-C does not kill":         {false, false, []at{{0, INT, stopAll}, {100, HUP, nothing}, {200, INT, killAll}}},
		"HUP that was ignored stays ignored":     {true, false, []at{{0, HUP, nothing}, {100, INT, stopAll}, {200, HUP, nothing}}},
		"QUIT kills at once":                     {false, false, []at{{0, QUIT, killAll}, {100, QUIT, leaveNow}}},
		"QUIT kills what is being stopped":       {false, false, []at{{0, INT, stopAll}, {100, QUIT, killAll}}},
		"only HUP is affected by what was there": {true, false, []at{{0, INT, stopAll}, {100, TERM, killAll}}},
	} {
		t.Run(name, func(t *testing.T) {
			i := interrupts{ignoreHUP: tt.nohup, terminal: !tt.pipe}
			for n, a := range tt.signals {
				got := i.signal(a.s, time.Unix(1e9, int64(a.ms)*1e6))
				assert.Equal(t, a.want, got, "signal %d", n)
			}
		})
	}
}
