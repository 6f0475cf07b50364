package rpc

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"syscall"

	"github.com/prochost/prochost/host/api"
	"github.com/prochost/prochost/host/statedir"
)

// ErrInUse says that another host listens there.
var ErrInUse = errors.New("another host listens there")

// Listener is the socket of a host. It belongs to this user alone: whoever else connects is refused.
type Listener struct {
	*net.UnixListener
	path string
	file fs.FileInfo // of the socket
	lock *os.File
	peer func(*net.UnixConn) (uid int, err error)
}

// Listen makes a socket at path, in a folder that is made and closed to others. What a host left behind that was killed
// is replaced; the socket of one that lives is not touched, and the error is ErrInUse. So there is a file beside the
// socket, PATH.lock, that is locked as long as somebody listens.
func Listen(path string) (*Listener, error) {
	l, err := listen(path)
	if err != nil {
		return nil, fmt.Errorf("listen at %q: %w", path, err)
	}
	return l, nil
}

func listen(path string) (_ *Listener, err error) {
	if err := statedir.Own(filepath.Dir(path)); err != nil {
		return nil, err
	}
	lock, err := statedir.Acquire(path+".lock", false)
	switch {
	case errors.Is(err, statedir.ErrLocked):
		return nil, ErrInUse
	case err != nil:
		return nil, err
	}
	defer func() {
		if err != nil {
			lock.Close()
		}
	}()
	if err := removeStale(path); err != nil {
		return nil, err
	}
	socket, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		return nil, err
	}
	socket.SetUnlinkOnClose(false) // by then it may be the socket of another host
	l := &Listener{UnixListener: socket, path: path, lock: lock, peer: peerUID}
	if l.file, err = os.Lstat(path); err == nil {
		err = os.Chmod(path, 0o600)
	}
	if err != nil {
		socket.Close()
		return nil, err
	}
	return l, nil
}

// removeStale removes a socket on which nobody listens.
func removeStale(path string) error {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil
	case err != nil:
		return err
	case info.Mode().Type() != os.ModeSocket:
		return errors.New("something else is there that is no socket")
	}
	// Nobody who keeps to the lock listens; but somebody may have removed the lock's file.
	nc, err := net.DialUnix("unix", nil, &net.UnixAddr{Name: path, Net: "unix"})
	if err == nil {
		nc.Close()
		return ErrInUse
	}
	if !errors.Is(err, syscall.ECONNREFUSED) {
		return ErrInUse // its queue is full
	}
	return os.Remove(path)
}

// Accept waits for the next client of this user. It tells others why they are not served.
func (l *Listener) Accept() (net.Conn, error) {
	for {
		nc, err := l.AcceptUnix()
		if err != nil {
			return nil, err
		}
		uid, err := l.peer(nc)
		if err == nil && uid == os.Geteuid() {
			return nc, nil
		}
		why := api.Refuse(api.ReasonForbidden, "this host belongs to user %d, and you are user %d", os.Geteuid(), uid)
		if err != nil {
			why = api.Refuse(api.ReasonForbidden, "ask who you are: %v", err)
		}
		dismiss(nc, why)
	}
}

// Close removes the socket, if it is still there, and lets others listen in its place.
func (l *Listener) Close() error {
	if there, err := os.Lstat(l.path); err == nil && os.SameFile(there, l.file) {
		os.Remove(l.path)
	}
	err := l.UnixListener.Close()
	l.lock.Close()
	return err
}
