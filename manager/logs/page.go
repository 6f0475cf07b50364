package logs

import (
	"encoding/binary"
	"hash/crc32"

	"github.com/prochost/prochost/manager/proc"
)

const (
	pageSize   = 4096
	headerSize = 120
	maxRecords = pageSize - headerSize // bytes of records
	minSlots   = 4
	pageMagic  = 0x316f6870 // "pho1"
)

// A page is a part of the index: records in order of arrival, and all that is needed to understand them.
type page struct {
	no      int64  // from 0; it lies in slot no%slots of the file
	slots   int64  // of the file
	start   cursor // where its first record begins
	records []byte

	// What is true of the log when the page is written.
	base    [proc.NumStreams]int64  // position of the first byte of each newest file
	file    [proc.NumStreams]uint64 // its inode
	dropped [proc.NumStreams]int64  // bytes that were not kept before the first record
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
		for _, v := range []int64{p.start.place[s], p.base[s], int64(p.file[s]), p.dropped[s]} {
			b = le.AppendUint64(b, uint64(v))
		}
	}
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
		p.start.place[s], p.base[s], p.file[s], p.dropped[s] = next(), next(), uint64(next()), next()
	}
	p.records = b[headerSize : headerSize+n : headerSize+n]
	return p, p.no >= 0 && p.slots > 0
}
