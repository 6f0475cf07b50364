package view

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/prochost/prochost/host/api"
	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write what is shown into the golden files")

// It is 09:30:00, and the times of the golden files count from then, in milliseconds.
var morning = time.Date(2026, 11, 30, 9, 30, 0, 0, time.UTC)

// views are what the files of testdata show. Each holds one of these lists, as JSON lines, under its name, and what is
// shown of it under names that say where: "plain", a number of cells, or that and "color" (escape is written ␛).
var views = map[string]func(t *testing.T, lines []byte, opt Options) []byte{
	"processes": func(t *testing.T, lines []byte, opt Options) []byte {
		return Processes(processes(t, lines), false, morning, opt)
	},
	"records": func(t *testing.T, lines []byte, opt Options) []byte {
		return Processes(processes(t, lines), true, morning, opt)
	},
	"graph": func(t *testing.T, lines []byte, opt Options) []byte { return Tree(decode[Node](t, lines), opt) },
	"hosts": func(t *testing.T, lines []byte, opt Options) []byte {
		list := decode[Host](t, lines)
		for i := range list {
			if list[i].Started != 0 {
				list[i].Started += morning.UnixMilli()
			}
		}
		return Hosts(list, morning, opt)
	},
	"watches": func(t *testing.T, lines []byte, opt Options) []byte {
		return Watches(decode[api.MatcherIn](t, lines), opt)
	},
	"why": func(t *testing.T, lines []byte, opt Options) []byte {
		var buf []byte
		for _, w := range decode[api.WhyOut](t, lines) {
			buf = append(buf, Why(w, opt)...)
		}
		return buf
	},
	"notices": func(t *testing.T, lines []byte, opt Options) []byte {
		return Notices(decode[api.Notification](t, lines), opt)
	},
	"findings": func(t *testing.T, lines []byte, opt Options) []byte {
		return Findings(decode[Finding](t, lines), opt)
	},
}

func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	require.NoError(t, err)
	shown := map[string]bool{}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			require.NoError(t, err)
			what := archive.Files[0]
			show := views[what.Name]
			require.NotNil(t, show, "%s is no view", what.Name)
			shown[what.Name] = true
			require.Greater(t, len(archive.Files), 1)
			for i, f := range archive.Files[1:] {
				got := string(show(t, what.Data, where(t, f.Name)))
				got = strings.ReplaceAll(got, "\x1b", "␛")
				if *update {
					archive.Files[i+1].Data = []byte(got)
					continue
				}
				assert.Equal(t, string(f.Data), got, "%s of %s", f.Name, file)
			}
			if *update {
				require.NoError(t, os.WriteFile(file, txtar.Format(archive), 0o644))
			}
		})
	}
	for name := range views {
		assert.True(t, shown[name], "no file shows %s", name)
	}
}

func where(t *testing.T, name string) (opt Options) {
	for word := range strings.FieldsSeq(name) {
		switch n, err := strconv.Atoi(word); {
		case err == nil:
			opt.Width = n
		case word == "color":
			opt.Color = true
		default:
			require.Equal(t, "plain", word)
		}
	}
	return opt
}

func decode[T any](t *testing.T, lines []byte) (list []T) {
	t.Helper()
	for line := range bytes.Lines(lines) {
		var v T
		dec := json.NewDecoder(bytes.NewReader(line))
		dec.DisallowUnknownFields()
		require.NoError(t, dec.Decode(&v), "%s", line)
		list = append(list, v)
	}
	return list
}

func processes(t *testing.T, lines []byte) []Process {
	list := decode[Process](t, lines)
	for i := range list {
		list[i].StartTime += morning.UnixMilli()
		if list[i].EndTime != nil {
			*list[i].EndTime += morning.UnixMilli()
		}
	}
	return list
}
