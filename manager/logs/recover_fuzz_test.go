package logs

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io/fs"
	"os"
	"testing"
	"time"

	"github.com/prochost/prochost/manager/proc"
)

// FuzzRecover writes a log, damages its files, and goes on with what is left.
func FuzzRecover(f *testing.F) {
	f.Add([]byte("\x00\x20\x05\x01\x20\x07\x00\x20\x05\x02\x80\x01\x20\x00"), []byte("\x00\x02\x90\x00"), uint16(4000))
	f.Add([]byte("\x00\x20\x05\x01\x20\x07\x02\xff\x00\x20\x05\x01\x20\x00"), []byte("\x01\x02\x90\x00"), uint16(60))
	f.Add([]byte("\x00\x20\x05\x02\xff\x00\x20\x07\x02\xff\x00\x20\x05\x01\x20\x00"), []byte("\x06\x02\x30\x00\x07\x00"), uint16(60))
	for op := range byte(8) {
		for at := range byte(5) {
			f.Add([]byte("\x00\x20\x05\x02\xff\x01\x20\x07\x02\xff\x00\x40\x05\x01\x20\x00\x03\x20\x02\xff\x00\x20\x05"), []byte{op, at, at * 40, 0, at}, uint16(100))
		}
	}
	f.Fuzz(func(t *testing.T, writes, hurts []byte, limit uint16) {
		if len(writes) > 200 || len(hurts) > 100 {
			return
		}
		r := newRig(t, int64(limit))
		n := 0
		for s := script(writes); len(s) > 0; {
			switch op := s.next() % 5; op {
			case 0, 1:
				n++
				r.Append(proc.Stream(op), s.output(n))
			case 2:
				r.pass(time.Duration(s.next()) * 10 * time.Millisecond)
			case 3:
				for i := range 4 * s.next() {
					r.Append(proc.Stream(i%2), []byte("x\n")[i%2:])
					r.pass(time.Millisecond)
				}
			case 4:
				r.disk.full = !r.disk.full
			}
		}
		r.disk.full = false
		meddled := r.outage.order // or as good as that: the index knows of other files
		for s := script(hurts); len(s) > 0; {
			op := s.next() % 8
			hurt(t, r, op, &s)
			meddled = meddled || op == 1 || op == 2 || op == 4 || op == 6
		}
		if _, err := Load(r.dir, id, Options{}); errors.Is(err, fs.ErrNotExist) {
			return // nothing is left
		}
		checkGoesOn(t, r.dir, meddled)
	})
}

// hurt does one thing to one of the files.
func hurt(t *testing.T, r *rig, op int, s *script) {
	paths := []string{r.streams[0].path, r.streams[1].path, r.index.path, r.streams[0].olderPath, r.streams[1].olderPath}
	path := paths[s.next()%len(paths)]
	b, err := os.ReadFile(path)
	at := min(s.next()|s.next()<<8, max(len(b)-1, 0))
	if err != nil {
		return
	}
	switch op {
	case 0:
		b = b[:at]
	case 1:
		if len(b) > 0 {
			b[at] ^= byte(1 + s.next())
		}
	case 2:
		b = append(b, make([]byte, at)...)
	case 3:
		os.Remove(path)
		return
	case 4:
		os.Rename(path, paths[s.next()%len(paths)])
		return
	case 5: // another file of the same content
		os.Remove(path)
	case 6:
		forge(b, at, byte(s.next()))
	case 7:
		os.Rename(r.dir, r.dir+"2")
		os.CopyFS(r.dir, os.DirFS(r.dir+"2"))
		os.RemoveAll(r.dir + "2")
		return
	}
	os.WriteFile(path, b, 0o600)
}

// forge changes a page in a way that its checksum does not tell.
func forge(index []byte, at int, with byte) {
	at -= at % pageSize
	if len(index) < at+headerSize {
		return
	}
	b := index[at:min(at+pageSize, len(index))]
	b[8+int(with)%(len(b)-8)] ^= with | 1
	n := min(int64(binary.LittleEndian.Uint32(b[8:])), int64(len(b)-headerSize))
	binary.LittleEndian.PutUint32(b[4:], crc32.Checksum(b[8:headerSize+n], castagnoli))
}
