package filewatch

// system is what the watcher must know about the operating system it runs on. The value for each is local,
// in the file named after it.
type system struct {
	// everyDir: each directory from the root down is watched. Otherwise only those that hold a symlink,
	// a file or a gap; kqueue opens every file of a directory that is watched, which nobody wants of a
	// home directory.
	everyDir bool
	// exact: events name each entry that changed, so that others can be passed over.
	exact bool
	// silent returns the type of dir's file system if it does not tell of all changes, else "".
	silent func(dir string) string
	// remedy says how to get rid of err for good, or returns "".
	remedy func(err error) string
}
