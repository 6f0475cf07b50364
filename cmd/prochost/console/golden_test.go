package console

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/prochost/prochost/host/api"
	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write what is shown into the golden files")

// Each file of testdata holds a run as events, one JSON object per line as `up --json` prints them, and what is shown
// of it: plain, on a terminal (escape and carriage return are written ␛ and ␍), beside --json, and bare. Files beside them are sources that
// errors are about. Besides the events of the wire a line may be
//
//	{"time": T, "type": "print", "text": "…"}
//	{"time": T, "type": "interrupt", "signal": "SIGINT", "kill": true}
//	{"time": T, "type": "close"}
//
// Times count from 09:30:00 in milliseconds. What is due between two of them is shown when it is due.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			require.NoError(t, err)
			views := map[string]Options{
				"plain":    {},
				"terminal": {Color: true, Hint: true, Timestamps: bytes.Contains(archive.Comment, []byte("timestamps"))},
				"terse":    {Terse: true},
				"bare":     {Bare: true},
			}
			source := map[string][]byte{}
			for _, f := range archive.Files {
				source["/p/"+f.Name] = f.Data
			}
			for i, f := range archive.Files {
				opt, ok := views[f.Name]
				if !ok {
					continue
				}
				opt.Location, opt.Dir = time.UTC, "/p"
				if opt.Color {
					opt.Source = func(path string) ([]byte, error) {
						if src, ok := source[path]; ok {
							return src, nil
						}
						return nil, os.ErrNotExist
					}
				}
				got := replay(t, opt, source["/p/events"])
				if *update {
					archive.Files[i].Data = []byte(got)
					continue
				}
				assert.Equal(t, string(f.Data), got, "%s of %s", f.Name, file)
			}
			if *update {
				require.NoError(t, os.WriteFile(file, txtar.Format(archive), 0o644))
			}
		})
	}
}

var morning = time.Date(2026, 11, 30, 9, 30, 0, 0, time.UTC)

// replay returns what is shown of a run.
func replay(t *testing.T, opt Options, events []byte) string {
	t.Helper()
	c := New(opt)
	for line := range bytes.Lines(events) {
		var head struct {
			Time         int64
			Type         string
			Text, Signal string
			Kill         bool
		}
		require.NoError(t, json.Unmarshal(line, &head), "%s", line)
		now := morning.Add(millis(head.Time))
		for due, ok := c.Deadline(); ok && !due.After(now); due, ok = c.Deadline() {
			c.Tick(due)
		}
		switch head.Type {
		case "print":
			c.Print(head.Text, now)
		case "interrupt":
			c.Interrupt(head.Signal, head.Kill, now)
		case "close":
			c.Close(now)
		default:
			c.Event(decode(t, head.Type, line), now)
		}
	}
	var b strings.Builder
	require.NoError(t, c.Flush(&b))
	return strings.NewReplacer("\x1b", "␛", "\r", "␍").Replace(b.String())
}

// decode reads an event and moves its times to the morning.
func decode(t *testing.T, kind string, line []byte) api.Event {
	t.Helper()
	e, ok := map[string]api.Event{
		"started": new(api.Started), "output": new(api.Output), "changed": new(api.Changed), "ended": new(api.Ended),
		"notification": new(api.Notified), "recipe": new(api.RecipeLoaded), "trouble": new(api.Trouble), "host": new(api.HostState),
		"snapshot": new(api.Snapshot), "lagged": new(api.Lagged),
	}[kind]
	require.True(t, ok, "type %q", kind)
	dec := json.NewDecoder(bytes.NewReader(line))
	dec.DisallowUnknownFields()
	require.NoError(t, dec.Decode(e), "%s", line)
	start := api.Millis(morning)
	e.Head().Time += start
	shift := func(p *api.Info) {
		p.StartTime += start
		if p.EndTime != nil {
			*p.EndTime += start
		}
	}
	switch e := e.(type) {
	case *api.Started:
		shift(&e.Process)
	case *api.Changed:
		shift(&e.Process)
	case *api.Ended:
		shift(&e.Process)
	}
	return e
}
