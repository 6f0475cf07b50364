package rpc

import "net"

// peerUID returns the user at the other end of a connection, as the system has it.
func peerUID(nc *net.UnixConn) (uid int, err error) {
	raw, err := nc.SyscallConn()
	if err != nil {
		return 0, err
	}
	if controlErr := raw.Control(func(fd uintptr) { uid, err = credentials(int(fd)) }); controlErr != nil {
		return 0, controlErr
	}
	return uid, err
}
