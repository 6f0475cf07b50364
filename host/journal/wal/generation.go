package wal

import (
	"crypto/rand"
	"encoding/binary"
	"errors"
	"io"
)

// generation is the file that is appended to.
type generation struct {
	file   file
	number uint64
	salt   salt
	size   int64
	synced int64 // what is durable of it
	marked int64 // what the file itself says to be durable
	base   int64 // its size when it was made, or when it should have been replaced last
	spoilt bool  // nothing can be appended
}

// appendGroup appends the frame of a group to a commit that holds b so far.
func (g *generation) appendGroup(b, group []byte) []byte {
	return g.salt.appendFrame(b, g.size+int64(len(b)), g.synced, group)
}

var errSpoilt = errors.New("an earlier write was cut short")

// commit makes b durable at the end of the file. After an error the file cannot be used any more.
func (g *generation) commit(b []byte) error {
	if g.spoilt {
		return errSpoilt
	}
	if err := writeAll(g.file, b); err != nil {
		return err
	}
	if err := g.file.sync(); err != nil {
		return err
	}
	g.marked = g.synced // by each of its frames
	g.size += int64(len(b))
	g.synced = g.size
	return nil
}

// mark writes, if the file does not say it yet, that what was committed is durable. The mark itself is not, so the
// next commit does not rely on it.
func (g *generation) mark() error {
	if g.marked == g.synced || g.spoilt {
		return nil
	}
	b := g.salt.appendFrame(nil, g.size, g.synced, nil)
	if err := writeAll(g.file, b); err != nil {
		return err
	}
	g.marked = g.synced
	g.size += int64(len(b))
	return nil
}

// outgrown reports whether most of the file is not worth remembering.
func (g *generation) outgrown(room int64) bool { return g.size > max(4*g.base, g.base+room) }

func (g *generation) close() { _ = g.file.Close() } // what matters of it was synced

// renew makes a file of what the memory holds, and appends to that one from now on. If it cannot and current is still
// set, current is as good as before.
func (l *Log) renew() error {
	next := &generation{salt: newSalt()}
	l.generation++
	next.number = l.generation
	draft := filename(next.number, next.salt, unfinished)
	name := filename(next.number, next.salt, finished)

	content := next.salt.snapshot(l.memory)
	next.size = int64(len(content))
	next.synced, next.marked, next.base = next.size, next.size, next.size
	err := l.writeDraft(next, draft, content)
	if err != nil {
		return err
	}

	// From here on nobody can say which of the two files a crash would leave.
	if l.current != nil {
		l.current.close()
		l.current = nil
	}
	err = l.disk.rename(draft, name)
	if err == nil {
		err = l.disk.sync()
	}
	if err != nil {
		next.close()
		_ = l.disk.remove(draft)
		_ = l.disk.remove(name) // the older one has all that was ever said to be durable
		return err
	}
	l.current = next
	l.retire()
	return nil
}

// writeDraft makes the file of a generation, durable but without its name.
func (l *Log) writeDraft(g *generation, draft string, content []byte) (err error) {
	if g.file, err = l.disk.create(draft); err != nil {
		return err
	}
	if err = writeAll(g.file, content); err == nil {
		err = g.file.sync()
	}
	if err != nil {
		g.close()
		_ = l.disk.remove(draft) // it takes room
	}
	return err
}

func newSalt() salt {
	var b [8]byte
	rand.Read(b[:]) // never fails: crypto/rand ends the program rather than return an error
	return salt(binary.LittleEndian.Uint64(b[:]))
}

// snapshot is the content of a fresh file.
func (s salt) snapshot(m Memory) []byte {
	b := make([]byte, headerSize)
	for group := range m.Snapshot() {
		b = s.appendFrame(b, int64(len(b)), 0, group)
	}
	copy(b, header{salt: s, base: int64(len(b))}.encode())
	return b
}

// retire removes the files of older generations and the mark of an outage, and puts damaged ones aside. One that
// stays does no harm.
func (l *Log) retire() {
	names, err := l.disk.list()
	if err != nil {
		return
	}
	for _, name := range names {
		number, s, suffix, ok := parseFilename(name)
		switch {
		case name == outageMark:
			_ = l.disk.remove(name)
			_ = l.disk.sync() // or a later start might take it for its own
		case !ok || number >= l.current.number:
		case suffix == finished && l.hurt[name]:
			_ = l.disk.rename(name, filename(number, s, damaged))
		case suffix == damaged && len(l.hurt) == 0:
			// the last damage is kept for whoever wants to look
		default:
			_ = l.disk.remove(name)
		}
	}
	l.hurt = nil
}

func writeAll(w io.Writer, b []byte) error {
	n, err := w.Write(b)
	if err == nil && n < len(b) {
		err = io.ErrShortWrite
	}
	return err
}
