package host

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/prochost/prochost/host/api"
	"github.com/prochost/prochost/host/filewatch"
	"github.com/prochost/prochost/host/journal"
	"github.com/prochost/prochost/host/stack"
	"github.com/prochost/prochost/luaapi"
	"github.com/prochost/prochost/manager"
	"github.com/prochost/prochost/manager/proc"
	"github.com/prochost/prochost/notify"
)

// Options of a host. Recipe, Env, Shell and LogDir are required.
type Options struct {
	Recipe  string   // absolute path of the entry recipe; "": none, and the host stays
	Project string   // absolute path of the project's folder; default: that of the recipe
	Env     []string // environment that recipe processes inherit
	Shell   []string // program and flags for commands that are one string
	LogDir  string   // where the output of processes goes
	LogCap  int64    // how much of one stream of one process is kept, in bytes; 0: logs.DefaultCap
	// JournalDir is where is written down what a host must know that is started again after it was killed; "": nowhere.
	JournalDir string
	Selection  stack.Selection
	ExitOn     stack.ExitOn
	Stay       bool // keep the host when every process has ended
	NoWatch    bool // do not reload when files change
	Version    string
	Print      func(text string) // where print of a recipe goes
	// OwnsOrphans declares that nothing but this host starts session leaders in this program; see
	// manager.Options.
	OwnsOrphans bool
	// Sink takes the messages; nil: they are told as events alone.
	Sink Sink
}

// Host runs the processes of a recipe and tells what becomes of them. Its life is New, Subscribe, Run.
type Host struct {
	opt       Options
	inbox     *mailbox[input]
	hub       hub
	manager   *manager.Manager
	logs      *logbook
	outbox    *outbox
	chronicle *chronicle
	before    *journal.State // what the host before has left; until Run
	inboxes   inboxes
	meter     meter
	reloads   chan reloading
	started   time.Time
	over      chan struct{} // closed when the loop has ended
}

// New returns a host that does nothing yet.
func New(opt Options) (*Host, error) {
	h := &Host{opt: opt, inbox: newMailbox[input](), over: make(chan struct{}), reloads: make(chan reloading), started: time.Now()}
	h.logs = newLogbook(opt.LogDir, opt.LogCap, h.trouble)
	if opt.Recipe == "" {
		h.opt.Stay = true
	} else if opt.Project == "" {
		h.opt.Project = filepath.Dir(opt.Recipe)
	}
	var err error
	h.manager, err = manager.New(manager.Options{
		Events:      func(e proc.Event) { h.inbox.put(happened{e}) },
		OpenLog:     h.logs.open,
		Trouble:     h.trouble,
		OwnsOrphans: opt.OwnsOrphans,
	})
	if err != nil {
		return nil, err
	}
	h.chronicle, h.before, err = openChronicle(opt.JournalDir, h.trouble)
	if err != nil {
		h.manager.Close(context.Background())
		return nil, err
	}
	h.hub.begin(h.before.LastEvent(), h.chronicle.number)
	h.outbox = newOutbox(h.chronicle, h.deliver, h.trouble)
	h.remember()
	return h, nil
}

// Run loads the recipe, runs it and returns when everything has ended: at once if the recipe is broken (its error is
// a *luaapi.Errors) unless Stay is set, when nothing runs any more and nothing is to be restarted unless Stay is
// set, or when a shutdown is over. The code is what the whole exits with; see stack.Stack.Code.
func (h *Host) Run(ctx context.Context) (code int, err error) {
	defer h.hub.close()
	defer h.manager.Close(context.Background())
	if err := os.MkdirAll(h.opt.LogDir, 0o700); err != nil {
		return 1, err
	}
	l := &loop{h: h, live: make(map[proc.ID]*instance), audiences: audiences{{session: project}}, sessions: make(map[string]*session), stack: stack.New(stack.Options{
		NewID: proc.NewID, Selection: h.opt.Selection, ExitOn: h.opt.ExitOn,
	})}
	r := &recipes{h: h}
	if !h.opt.NoWatch {
		r.watch = filewatch.New(filewatch.Options{Notice: func(m string) { h.trouble("watch", m) }})
		defer r.watch.Close()
	}
	var background sync.WaitGroup
	defer background.Wait()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()

	background.Go(h.outbox.run)
	defer h.chronicle.close()
	l.recall(h.before)
	if err := r.first(ctx); err != nil {
		h.outbox.close()
		return 1, err
	}
	background.Go(func() { r.run(ctx) })
	l.run()
	close(h.over)
	h.manager.Close(context.Background())
	cancel()
	h.outbox.close()
	if l.program != nil {
		l.program.Close()
	}
	h.hub.emit(api.NewHostState("stopped", nil), time.Now(), "", 0)
	return l.stack.Code(), nil
}

// Shutdown stops everything in order. A second call, or force, kills at once. It returns before that is done.
func (h *Host) Shutdown(force bool) { h.inbox.put(shutdown{proc.ByShutdown, force}) }

// Trouble tells of something that does not work beside the processes.
func (h *Host) Trouble(what, message string) { h.trouble(what, message) }

func (h *Host) trouble(what, message string) {
	h.hub.emit(api.NewTrouble(what, message), time.Now(), "", 0)
}

func (h *Host) loadOptions() luaapi.Options {
	return luaapi.Options{
		Path: h.opt.Recipe, Env: h.opt.Env, Shell: h.opt.Shell, Version: h.opt.Version,
		Print:  h.opt.Print,
		Report: func(m string) { h.trouble("hook", m) },
	}
}

// deliver takes a message to its audience and tells of it.
func (h *Host) deliver(ctx context.Context, to string, m notify.Message) error {
	n := api.NewNotification(m)
	switch {
	case to != project:
		n.Session = to
		if !h.inboxes.put(to, n) {
			return nil // the session has ended
		}
	case h.opt.Sink != nil:
		if err := h.opt.Sink.Deliver(ctx, m); err != nil {
			return err
		}
	}
	id := m.About().ID
	h.hub.emit(api.NewNotified(n), time.Now(), id, h.logs.written(id))
	return nil
}
