package host

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/prochost/prochost/host/api"
	"github.com/prochost/prochost/manager"
	"github.com/prochost/prochost/manager/logs"
	"github.com/prochost/prochost/manager/proc"
	"github.com/prochost/prochost/notify"
	"github.com/prochost/prochost/notify/text"
)

// What is read of a log at once: lines by default and at most, and bytes of text.
const (
	defaultTail = 100
	maxTail     = 2000
	maxText     = 50 << 10
)

// Output returns the last lines as they are to be read.
func (s service) Output(ctx context.Context, in api.OutputIn) (api.OutputOut, error) {
	n, err := tailOf(in.TailLines)
	if err != nil {
		return api.OutputOut{}, err
	}
	only, err := streams(in.Stream)
	if err != nil {
		return api.OutputOut{}, err
	}
	matches, err := lineFilter(in.Pattern, in.Mode)
	if err != nil {
		return api.OutputOut{}, err
	}
	i, err := s.logged(ctx, in.ID)
	if err != nil {
		return api.OutputOut{}, err
	}
	lines, more := s.lastLines(ctx, i.id, n, only, matches)
	texts := make([]string, len(lines))
	for k, line := range lines {
		texts[k] = line.Text
	}
	out := api.OutputOut{Files: s.files(i.id)}
	kept, cut := withinText(texts)
	out.Text, out.Lines = strings.Join(kept, "\n"), len(kept)
	switch {
	case cut:
		out.Truncated = fmt.Sprintf("the last %s of it; the whole is in %s", notify.Count(len(kept), "line"), out.Files.Stdout)
	case more:
		out.Truncated = fmt.Sprintf("there is more before it; the whole is in %s", out.Files.Stdout)
	}
	return out, nil
}

// withinText returns the last of lines that fit into a text to be read; the first of them may be cut.
func withinText(lines []string) (kept []string, cut bool) {
	room := maxText
	for n, line := range slices.Backward(lines) {
		if room -= len(line) + 1; room >= 0 {
			continue
		}
		if n == len(lines)-1 { // one line that is too long by itself
			return []string{text.Cut(line, maxText/4)}, true
		}
		return lines[n+1:], true
	}
	return lines, false
}

// CombinedOutput returns the last lines of both streams.
func (s service) CombinedOutput(ctx context.Context, in api.TailIn) ([]api.CombinedLine, error) {
	n, err := tailOf(in.TailLines)
	if err != nil {
		return nil, err
	}
	i, err := s.logged(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	lines, _ := s.lastLines(ctx, i.id, n, nil, nil)
	out := make([]api.CombinedLine, len(lines))
	for k, line := range lines {
		out[k] = api.CombinedLine{Type: line.Stream, Text: line.Text}
	}
	return out, nil
}

// lastLines returns the last n lines that match, as visible text; more says that there are others before them.
func (s service) lastLines(ctx context.Context, id proc.ID, n int, only []proc.Stream, matches func(string) bool) (lines []api.Output, more bool) {
	log := s.Host.logs.get(id)
	if log == nil {
		return nil, false
	}
	from := logs.Start()
	if matches == nil {
		from = logs.Tail(n + 1)
	}
	t := &tap{id: id, lines: log.Lines(logs.View{From: from, Only: only})}
	defer t.lines.Close()
	for ctx.Err() == nil {
		line := t.visible()
		if line == nil {
			break
		}
		if matches != nil && !matches(line.Text) {
			continue
		}
		if lines = append(lines, *line); len(lines) > n {
			lines, more = slices.Delete(lines, 0, 1), true
		}
	}
	return lines, more
}

// logged returns the instance whose log ref means: a process of the recipe that has none yet has no output.
func (s service) logged(ctx context.Context, ref string) (*instance, error) {
	return ask(ctx, s.Host, func(l *loop, _ time.Time) (*instance, error) { return l.found("id", ref) })
}

// LogFiles returns the paths of the newest segments.
func (s service) LogFiles(ctx context.Context, in api.Ref) (api.LogFiles, error) {
	i, err := s.logged(ctx, in.ID)
	if err != nil {
		return api.LogFiles{}, err
	}
	return s.files(i.id), nil
}

func (s service) files(id proc.ID) (f api.LogFiles) {
	if log := s.Host.logs.get(id); log != nil {
		f.Stdout, f.Stderr = log.Files()
	}
	return f
}

// FileSize returns how much of the output is kept.
func (s service) FileSize(ctx context.Context, in api.Ref) (api.FileSize, error) {
	i, err := s.logged(ctx, in.ID)
	if err != nil {
		return api.FileSize{}, err
	}
	var out api.FileSize
	if log := s.Host.logs.get(i.id); log != nil {
		sizes := log.Sizes()
		out.Stdout, out.Stderr = sizes[proc.Stdout].Kept, sizes[proc.Stderr].Kept
	}
	out.Total = out.Stdout + out.Stderr
	return out, nil
}

// Write writes to the standard input. What a process that does not read has not taken is counted, and is no error.
func (s service) Write(ctx context.Context, in api.WriteIn) (api.WriteOut, error) {
	i, err := s.logged(ctx, in.ID)
	if err != nil {
		return api.WriteOut{}, err
	}
	n, err := s.manager.Write(ctx, i.id, in.Bytes(), in.End)
	switch {
	case errors.Is(err, manager.ErrStdinFull):
		return api.WriteOut{Written: n, Reason: err.Error()}, nil
	case err != nil:
		return api.WriteOut{}, s.refusal(err)
	}
	return api.WriteOut{Written: n}, nil
}

func tailOf(n *int) (int, error) {
	switch {
	case n == nil:
		return defaultTail, nil
	case *n < 0 || *n > maxTail:
		return 0, api.Invalid("tailLines", "got %d, want 0 to %d", *n, maxTail)
	}
	return *n, nil
}

// streams reads the name of a stream; none: both.
func streams(word string) ([]proc.Stream, error) {
	n, err := choose("stream", word, []string{"both", "stdout", "stderr"})
	if err != nil || n == 0 {
		return nil, err
	}
	return []proc.Stream{proc.Stdout + proc.Stream(n-1)}, nil
}

// lineFilter reads a pattern over visible text; nil: every line meets it.
func lineFilter(pattern, mode string) (func(line string) bool, error) {
	if pattern == "" {
		if mode != "" {
			return nil, api.Invalid("mode", "there is no pattern")
		}
		return nil, nil
	}
	m := notify.Literal
	if mode != "" {
		var err error
		if m, err = notify.ParseMode(mode); err != nil {
			return nil, api.Invalid("mode", "%v", err)
		}
	}
	f, err := notify.LineFilter(pattern, m)
	if err != nil {
		return nil, api.Invalid("pattern", "%v", err)
	}
	return f, nil
}
