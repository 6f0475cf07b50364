package doctor

import "github.com/prochost/prochost/cmd/prochost/view"

// Facts are what there is to be known of the surroundings.
type Facts struct {
	Version string // of prochost
	System  string // operating system and processor

	Shell     []string // program and flags
	ShellPath string   // "": it is not there

	OpenFiles uint64 // the limit of this user; Unlimited: there is none
	Processes uint64

	Watches   int64 // inotify, of this user; -1: the system has no such limit
	Instances int64

	Proc  error // why the processes of the system cannot be seen; nil: they can
	Pidfd error // why the system has no handle on a process other than its number; nil: it has

	State      Folder // of what is kept
	RuntimeEnv string // XDG_RUNTIME_DIR
	Socket     string // of this project
	SocketErr  error
	SocketDir  Folder

	Project string
	Recipe  string // "": there is none
	Host    Host
	Others  []view.Host
}

// Unlimited is a limit that is none.
const Unlimited = ^uint64(0)

// Folder is one that is used, or would be made.
type Folder struct {
	Path string
	Err  error // why it cannot be used
	Free uint64
	Full int // per cent of the disk's entries in use
}

// Host is that of this project.
type Host struct {
	Runs    bool
	Version string
	Err     error // why it cannot be asked
}
