package doctor

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/prochost/prochost/cmd/prochost/view"
	"github.com/prochost/prochost/notify"
)

// What is little.
const (
	fewFiles     = 1024
	fewProcesses = 512
	fewWatches   = 8192
	fewInstances = 64
	littleDisk   = 1 << 30   // two logs of one process
	noDisk       = 100 << 20 // not one
	manyEntries  = 98        // per cent
)

// checks are what is examined: to add one, write it and add its row.
var checks = []func(Facts) []view.Finding{
	program, shell, openFiles, processes, inotify, kernel, state, disk, socket, project, others,
}

// Examine says what is found, in a fixed order.
func Examine(f Facts) []view.Finding {
	var all []view.Finding
	for _, check := range checks {
		all = append(all, check(f)...)
	}
	return all
}

// Healthy reports whether nothing is bad.
func Healthy(findings []view.Finding) bool {
	for _, f := range findings {
		if f.State == "bad" {
			return false
		}
	}
	return true
}

func ok(what, format string, args ...any) []view.Finding {
	return []view.Finding{{What: what, State: "ok", Words: fmt.Sprintf(format, args...)}}
}

func warn(what, words, help string) []view.Finding {
	return []view.Finding{{What: what, State: "warn", Words: words, Help: help}}
}

func bad(what, words, help string) []view.Finding {
	return []view.Finding{{What: what, State: "bad", Words: words, Help: help}}
}

func program(f Facts) []view.Finding { return ok("prochost", "%s, %s", f.Version, f.System) }

func shell(f Facts) []view.Finding {
	switch {
	case f.ShellPath == "":
		return bad("shell", "there is neither bash nor sh: a command that is one string cannot be run", "install bash, or put it on PATH")
	case filepath.Base(f.ShellPath) != "bash":
		return ok("shell", "%s, as there is no bash", f.ShellPath)
	}
	return ok("shell", "%s", f.ShellPath)
}

func openFiles(f Facts) []view.Finding {
	if f.OpenFiles < fewFiles {
		return warn("open files", fmt.Sprintf("the limit is %d: a process takes three or four", f.OpenFiles),
			fmt.Sprintf("ulimit -Hn %d, or LimitNOFILE of the service in which prochost runs", 4*fewFiles))
	}
	return ok("open files", "%s", limitWords(f.OpenFiles))
}

func processes(f Facts) []view.Finding {
	if f.Processes < fewProcesses {
		return warn("processes", fmt.Sprintf("the limit is %d, for all that this user runs", f.Processes), "ulimit -Hu, or /etc/security/limits.conf")
	}
	return ok("processes", "%s", limitWords(f.Processes))
}

func limitWords(n uint64) string {
	if n == Unlimited {
		return "no limit"
	}
	return fmt.Sprintf("the limit is %d", n)
}

func inotify(f Facts) []view.Finding {
	var few []string
	for _, l := range []struct {
		name    string
		n, want int64
	}{{"max_user_watches", f.Watches, fewWatches}, {"max_user_instances", f.Instances, fewInstances}} {
		if l.n >= 0 && l.n < l.want {
			few = append(few, fmt.Sprintf("fs.inotify.%s=%d", l.name, 8*l.want))
		}
	}
	switch {
	case len(few) > 0:
		return warn("file watches", fmt.Sprintf("%d watches and %d instances for all programs: when they are used up, files are looked at every so often instead", f.Watches, f.Instances),
			"sudo sysctl "+strings.Join(few, " "))
	case f.Watches < 0:
		return nil
	}
	return ok("file watches", "%d watches, %d instances", f.Watches, f.Instances)
}

func kernel(f Facts) []view.Finding {
	var found []view.Finding
	if f.Proc != nil {
		found = append(found, bad("system", fmt.Sprintf("%v: what leaves its process group cannot be found, and neither what uses how much", f.Proc), "mount it")...)
	}
	if f.Pidfd != nil {
		found = append(found, warn("system", fmt.Sprintf("the kernel gives no pidfd (%v): a thread waits for each process, and it is known by its number alone", f.Pidfd), "Linux 5.4 or newer, without a filter of system calls that forbids pidfd_open")...)
	}
	return found
}

func state(f Facts) []view.Finding {
	if f.State.Err != nil {
		return bad("state", f.State.Err.Error(), "give it back to yourself, or set XDG_STATE_HOME to a folder of yours")
	}
	return ok("state", "%s", f.State.Path)
}

func disk(f Facts) []view.Finding {
	if f.State.Err != nil && f.State.Free == 0 {
		return nil
	}
	words := fmt.Sprintf("%d MiB are free for logs", f.State.Free>>20)
	const help = "prochost clear removes the logs of what has ended"
	switch {
	case f.State.Free < noDisk:
		return bad("disk", words, help)
	case f.State.Full >= manyEntries:
		return warn("disk", fmt.Sprintf("%d %% of its entries are in use: soon no file can be made", f.State.Full), help)
	case f.State.Free < littleDisk:
		return warn("disk", words, help)
	}
	return ok("disk", "%s", words)
}

func socket(f Facts) []view.Finding {
	switch {
	case f.SocketErr != nil:
		return bad("socket", f.SocketErr.Error(), "set XDG_RUNTIME_DIR or XDG_STATE_HOME to a folder with a shorter path")
	case f.SocketDir.Err != nil:
		return bad("socket", f.SocketDir.Err.Error(), "give it back to yourself, or set XDG_RUNTIME_DIR to a folder of yours")
	case f.RuntimeEnv != "" && !strings.HasPrefix(f.Socket, filepath.Clean(f.RuntimeEnv)+"/"):
		return warn("socket", fmt.Sprintf("%s, for XDG_RUNTIME_DIR (%s) is no folder of this user, or too long a path", f.Socket, f.RuntimeEnv),
			"unset XDG_RUNTIME_DIR, or log in as this user")
	}
	return ok("socket", "%s", f.Socket)
}

func project(f Facts) []view.Finding {
	where := f.Project
	if f.Recipe == "" {
		where += ", which has no recipe"
	}
	switch {
	case f.Host.Err != nil:
		return bad("host", fmt.Sprintf("of %s: %v", f.Project, f.Host.Err), "end that process, then prochost up")
	case !f.Host.Runs:
		return ok("host", "none runs for %s", where)
	case f.Host.Version != f.Version:
		return warn("host", fmt.Sprintf("%s runs prochost %s, and this is %s", f.Project, f.Host.Version, f.Version), "prochost down, then prochost up")
	}
	return ok("host", "one runs for %s", where)
}

func others(f Facts) []view.Finding {
	var silent, gone []string
	running := 0
	for _, h := range f.Others {
		switch {
		case h.Project == f.Project: // told already
		case h.State == "silent":
			silent = append(silent, fmt.Sprintf("%s (process %d)", h.Project, h.PID))
		case h.State == "gone":
			gone = append(gone, h.Project)
		default:
			running++
		}
	}
	var found []view.Finding
	if len(silent) > 0 {
		found = append(found, warn("other hosts", "do not answer: "+strings.Join(silent, ", "), "end these processes")...)
	}
	if len(gone) > 0 {
		found = append(found, ok("other hosts", "%s killed and left a record behind, which is no obstacle: %s", wereKilled(len(gone)), strings.Join(gone, ", "))...)
	}
	if running > 0 {
		found = append(found, ok("other hosts", "%s", notify.Count(running, "host"))...)
	}
	return found
}

func wereKilled(n int) string {
	if n == 1 {
		return "1 was"
	}
	return fmt.Sprintf("%d were", n)
}
