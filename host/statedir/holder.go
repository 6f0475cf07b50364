package statedir

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// Holder is the host of a project, as it has introduced itself.
type Holder struct {
	PID     int    `json:"pid"`
	Project string `json:"project"`
	Socket  string `json:"socket"`
	Version string `json:"version"`
	Started int64  `json:"started"` // Unix milliseconds
}

const recordName = "host.json"

func (d Dir) record() string { return filepath.Join(d.State, recordName) }

// Holder returns the host of the project, if one has introduced itself. It may have been killed since.
func (d Dir) Holder() (Holder, bool) { return read(d.record()) }

// HostSocket is where a client finds the host: where that has said it listens, which depends on the surroundings it was
// started in, else where one would that was started here.
func (d Dir) HostSocket() string {
	if h, ok := d.Holder(); ok && h.Socket != "" {
		return h.Socket
	}
	return d.Socket
}

// Holders returns every host below a root of state that has introduced itself. They may have been killed since.
func Holders(root string) ([]Holder, error) {
	projects, err := os.ReadDir(root)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("look for hosts: %w", err)
	}
	var hosts []Holder
	for _, p := range projects {
		if h, ok := read(filepath.Join(root, p.Name(), recordName)); ok {
			hosts = append(hosts, h)
		}
	}
	return hosts, nil
}

func read(path string) (Holder, bool) {
	var h Holder
	b, err := os.ReadFile(path)
	if err != nil || json.Unmarshal(b, &h) != nil || h.PID <= 0 {
		return Holder{}, false
	}
	return h, true
}

// write puts the record into place at once, so that nobody reads half of it. Only who holds the lock writes.
func (h Holder) write(path string) error {
	b, err := json.Marshal(h)
	if err != nil {
		return err
	}
	fresh := path + ".new"
	if err := os.WriteFile(fresh, append(b, '\n'), 0o600); err != nil {
		return err
	}
	return os.Rename(fresh, path)
}

// lives reports whether there is a process of that number.
func (h Holder) lives() bool {
	err := unix.Kill(h.PID, 0)
	return err == nil || err == unix.EPERM
}
