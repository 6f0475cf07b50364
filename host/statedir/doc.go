// Package statedir says where the things of a project lie on this machine, and sees to it that one host at a time
// has them.
//
//	ROOT/shop-1f0c9a7be2/             one project: the end of its path, and a hash of all of it
//	ROOT/shop-1f0c9a7be2/host.lock    locked as long as the project has a host
//	ROOT/shop-1f0c9a7be2/host.json    who that host is, for people and clients
//	RUN/1f0c9a7be2d4c6b8.sock         where it listens; package rpc makes it
//
// ROOT is prochost in $XDG_STATE_HOME, else in ~/.local/state. RUN is prochost in $XDG_RUNTIME_DIR, else ROOT, else
// /tmp/prochost-UID: the first in which the socket's path is as short as the system wants it.
//
// # One host
//
// The lock decides, and nothing else: not the record of a host, not its socket. The system lets go of a lock when
// the process that holds it ends, however it ends, so what a killed host leaves behind is no obstacle and nothing has to
// be cleaned up by hand. Children of a host do not inherit the lock.
//
// The record is written once the lock is held and removed before it is let go of. So a record without a lock is one
// of a host that was killed, and for a moment there may be a lock without a record.
//
// # Whose folders
//
// Everything is made for its owner alone: what processes write may hold secrets. A folder that belongs to somebody
// else, or a link in place of one, is refused; one that others may enter is closed to them.
package statedir
