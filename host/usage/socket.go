package usage

import "net/netip"

// Socket is one on which a process listens.
type Socket struct {
	Protocol string // "tcp" or "udp"
	Address  netip.AddrPort
	PID      int
}
