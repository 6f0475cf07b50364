package usage

import (
	"bufio"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"io/fs"
	"net/netip"
	"os"
	"strconv"
	"strings"
)

// tables are where the kernel lists sockets, with the state of one that listens: TCP_LISTEN, and for UDP, which knows
// no listening, TCP_CLOSE of one that is bound and connected to nobody.
var tables = []struct{ protocol, path, state string }{
	{"tcp", "/proc/net/tcp", "0A"}, {"tcp", "/proc/net/tcp6", "0A"},
	{"udp", "/proc/net/udp", "07"}, {"udp", "/proc/net/udp6", "07"},
}

// Listening returns the sockets on which the processes listen.
func Listening(pids []int) ([]Socket, error) {
	holders := map[string]int{} // by the inode of the socket
	for _, pid := range pids {
		fds := "/proc/" + strconv.Itoa(pid) + "/fd/"
		entries, err := os.ReadDir(fds)
		if err != nil { // it has ended meanwhile, or is somebody else's
			continue
		}
		for _, e := range entries {
			link, err := os.Readlink(fds + e.Name())
			inode, is := strings.CutPrefix(link, "socket:[")
			if err == nil && is {
				inode = strings.TrimSuffix(inode, "]")
				if _, known := holders[inode]; !known {
					holders[inode] = pid
				}
			}
		}
	}
	if len(holders) == 0 {
		return nil, nil
	}
	var found []Socket
	for _, t := range tables {
		f, err := os.Open(t.path)
		if errors.Is(err, fs.ErrNotExist) { // a kernel without IPv6
			continue
		}
		if err != nil {
			return found, err
		}
		for lines := bufio.NewScanner(f); lines.Scan(); {
			inode, at, ok := parseSocket(lines.Text(), t.state)
			if pid := holders[inode]; ok && pid != 0 {
				found = append(found, Socket{Protocol: t.protocol, Address: at, PID: pid})
			}
		}
		f.Close()
	}
	return found, nil
}

// parseSocket reads a line of /proc/net/tcp and its like; ok is false if the socket is in another state.
func parseSocket(line, state string) (inode string, at netip.AddrPort, ok bool) {
	f := strings.Fields(line)
	if len(f) < 10 || f[3] != state {
		return "", at, false
	}
	host, port, ok := strings.Cut(f[1], ":")
	if !ok {
		return "", at, false
	}
	raw, err := hex.DecodeString(host)
	if err != nil || len(raw)%4 != 0 {
		return "", at, false
	}
	for i := 0; i < len(raw); i += 4 { // words in the order of the machine
		binary.BigEndian.PutUint32(raw[i:], binary.NativeEndian.Uint32(raw[i:]))
	}
	addr, ok := netip.AddrFromSlice(raw)
	n, err := strconv.ParseUint(port, 16, 16)
	return f[9], netip.AddrPortFrom(addr.Unmap(), uint16(n)), ok && err == nil
}
