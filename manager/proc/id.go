package proc

import (
	"crypto/rand"
	"encoding/base32"
	"strings"
)

// ID names one instance of a process. It is opaque, safe in file names, and never reused: a restarted
// process is a new instance with a new ID.
type ID string

// NewID returns a fresh ID such as "proc_4kq2m7yhs3vd".
func NewID() ID {
	var b [8]byte
	rand.Read(b[:]) // never fails: crypto/rand ends the program rather than return an error
	return ID("proc_" + strings.ToLower(base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(b[:]))[:12])
}
