package logs

import (
	"encoding/binary"
	"hash/crc32"

	"github.com/prochost/prochost/manager/proc"
)

const (
	pageSize   = 4096
	headerSize = 144
	maxRecords = pageSize - headerSize // bytes of records
	minSlots   = 4
	maxSlots   = 1 << 16
	pageMagic  = 0x316f6870 // "pho1"
)

// A page is a part of the index: records in order of arrival, and all that is needed to understand them.
type page struct {
	no      int64  // from 0; it lies in slot no%slots of the file
	slots   int64  // of the file
	start   cursor // where its first record begins
	records []byte

	// What is true of the log when the page is written.
	newest, older [proc.NumStreams]origin
	dropped       [proc.NumStreams]int64 // bytes that were not kept before the first record
	self          uint64                 // inode of the index
}

// An origin says which bytes a file holds.
type origin struct {
	base int64  // position of its first byte
	file uint64 // its inode, 0 if there is none
}

// full reports whether the page may have no room for two more records.
func (p *page) full() bool { return len(p.records)+2*maxRecord > maxRecords }

// end returns where the last record ends.
func (p *page) end() cursor {
	c := p.start
	for b := p.records; ; {
		_, n := c.decode(b)
		if n == 0 {
			return c
		}
		b = b[n:]
	}
}

// all returns the records.
func (p *page) all() []record {
	var rs []record
	c := p.start
	for b := p.records; ; {
		r, n := c.decode(b)
		if n == 0 {
			return rs
		}
		rs = append(rs, r)
		b = b[n:]
	}
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// encode returns the page as it lies in the file.
func (p *page) encode() []byte {
	le := binary.LittleEndian
	b := make([]byte, 8, pageSize)
	b = le.AppendUint32(b, uint32(len(p.records)))
	b = le.AppendUint32(b, uint32(p.slots))
	for _, v := range []int64{p.no, p.start.time, p.start.lines} {
		b = le.AppendUint64(b, uint64(v))
	}
	for s := range proc.NumStreams {
		for _, v := range []int64{p.start.place[s], p.newest[s].base, p.older[s].base, p.dropped[s]} {
			b = le.AppendUint64(b, uint64(v))
		}
		b = le.AppendUint64(b, p.newest[s].file)
		b = le.AppendUint64(b, p.older[s].file)
	}
	b = le.AppendUint64(b, p.self)
	b = append(b, make([]byte, headerSize-len(b))...)
	b = append(b, p.records...)
	le.PutUint32(b[0:], pageMagic)
	le.PutUint32(b[4:], crc32.Checksum(b[8:], castagnoli))
	return b
}

// decodePage reads what encode has made. ok is false if b is not that, or not all of it.
func decodePage(b []byte) (p page, ok bool) {
	le := binary.LittleEndian
	if len(b) < headerSize || le.Uint32(b) != pageMagic {
		return page{}, false
	}
	n := int64(le.Uint32(b[8:]))
	if n > int64(len(b)-headerSize) || crc32.Checksum(b[8:headerSize+n], castagnoli) != le.Uint32(b[4:]) {
		return page{}, false
	}
	p.slots = int64(le.Uint32(b[12:]))
	words := b[16:]
	next := func() int64 {
		v := le.Uint64(words)
		words = words[8:]
		return int64(v)
	}
	p.no, p.start.time, p.start.lines = next(), next(), next()
	for s := range proc.NumStreams {
		p.start.place[s], p.newest[s].base, p.older[s].base, p.dropped[s] = next(), next(), next(), next()
		p.newest[s].file, p.older[s].file = uint64(next()), uint64(next())
	}
	p.self = uint64(next())
	p.records = b[headerSize : headerSize+n : headerSize+n]
	return p, p.no >= 0 && p.slots > 0 && p.slots <= maxSlots
}

// plausible reports whether the values of the page can be true. Damage is found by the checksum; this keeps what is
// wrong all the same from being more than wrong.
func (p *page) plausible() bool {
	c := p.start
	sound := c.lines|c.time >= 0 && c.lines < tooMuch
	for s, at := range c.place {
		for _, v := range []int64{at, p.newest[s].base, p.older[s].base, p.dropped[s]} {
			sound = sound && v >= 0 && v < tooMuch
		}
	}
	b := p.records
	for sound && len(b) > 0 {
		r, n := c.decode(b)
		sound = n > 0 && r.lines >= 0 && r.from < r.to && r.to < tooMuch && r.lines <= r.to-r.from
		b = b[n:]
	}
	return sound
}

// tooMuch is more bytes than are ever written.
const tooMuch = 1 << 60
