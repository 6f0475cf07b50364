package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/prochost/prochost/host/api"
	"github.com/prochost/prochost/notify"
	"github.com/spf13/cobra"
	"golang.org/x/term"
)

// writeOptions are the flags of write, and the text.
type writeOptions struct {
	text      []string // nil: stdin is read
	noNewline bool
	end       bool
	json      bool
}

func writeCommand(a *app) *cobra.Command {
	var opt writeOptions
	cmd := &cobra.Command{
		Use:   "write NAME [TEXT…]",
		Short: "Write to the standard input of a process",
		Long: `Writes TEXT and a line end to the standard input of a process. Without TEXT it
passes on its own standard input, byte for byte, until that ends. The input of the
process stays open, unless --end closes it.

A process that does not read takes only so much. Then it says how much that was,
and the exit code is 1.`,
		Example: `  prochost write repl 'print(1 + 1)'
  prochost write -n confirm y
  prochost write calc -- -1             what begins with a dash stands behind --
  prochost write --end importer < orders.csv
  prochost write --end importer         on a terminal: closes the input`,
		ValidArgsFunction: func(cmd *cobra.Command, given []string, to string) ([]cobra.Completion, cobra.ShellCompDirective) {
			if len(given) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return a.completeNames(liveProcess)(cmd, given, to)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case len(args) == 0:
				return usage(cmd, "say to which process")
			case len(args) > 1:
				opt.text = args[1:]
			case opt.noNewline:
				return usage(cmd, "-n is for TEXT: what is read is passed on as it is")
			}
			return a.withHost(cmd.Context(), func(s api.Service) error { return a.writeTo(cmd.Context(), s, args[0], opt) })
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.BoolVarP(&opt.noNewline, "no-newline", "n", false, "write TEXT without a line end")
	f.BoolVar(&opt.end, "end", false, "close the input after it")
	jsonVar(cmd, &opt.json, "as one JSON object: how many bytes were taken")
	return cmd
}

// chunk is how much is read at most before it is written: as much as a pipe holds.
const chunk = 64 << 10

func (a *app) writeTo(ctx context.Context, s api.Service, name string, opt writeOptions) error {
	targets, err := liveTargets(ctx, s, []string{name})
	if err != nil {
		return err
	}
	if len(targets) > 1 {
		return &badUse{fmt.Errorf("%q means %d processes: write to one", name, len(targets))}
	}
	return a.each(targets, opt.json, func(t target) (outcome, error) {
		out, err := pass(ctx, s, t.ref, a.source(opt), opt.end)
		o := outcome{words: "took " + notify.Count(out.Written, "byte"), object: out}
		if out.Reason != "" {
			o.words, o.code = fmt.Sprintf("took %s and no more: it does not read", notify.Count(out.Written, "byte")), exitFailed
		}
		return o, err
	})
}

// source is what is to be written.
func (a *app) source(opt writeOptions) io.Reader {
	switch {
	case opt.text != nil && opt.noNewline:
		return strings.NewReader(strings.Join(opt.text, " "))
	case opt.text != nil:
		return strings.NewReader(strings.Join(opt.text, " ") + "\n")
	case opt.end && term.IsTerminal(int(a.stdin.Fd())):
		return strings.NewReader("") // who only wants it closed types nothing
	}
	return a.stdin
}

// pass writes what is read to a process as it comes, and closes its input after it if end is set. It stops where the
// process takes no more.
func pass(ctx context.Context, s api.Service, id string, from io.Reader, end bool) (total api.WriteOut, err error) {
	buf := make([]byte, chunk)
	for {
		n, readErr := from.Read(buf)
		last := errors.Is(readErr, io.EOF)
		if n > 0 || last && end {
			out, err := s.Write(ctx, api.WriteIn{ID: id, Data: buf[:n], End: last && end})
			total.Written, total.Reason = total.Written+out.Written, out.Reason
			if err != nil || out.Reason != "" {
				return total, err
			}
		}
		switch {
		case last:
			return total, nil
		case readErr != nil:
			return total, fmt.Errorf("read the standard input: %w", readErr)
		}
	}
}
