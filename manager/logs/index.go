package logs

import (
	"errors"
	"io"
	"io/fs"

	"github.com/prochost/prochost/manager/proc"
)

// index is the order of arrival: a ring of pages in a file, and the page that is being filled, in memory.
// Only the owner of the log changes it, with the log's lock held; it may read it without.
type index struct {
	path string
	disk disk
	f    file // nil until a page was written, or is to be read
	info fs.FileInfo

	slots int64
	first int64  // the oldest page that the file can hold
	page  page   // the one being filled
	end   cursor // behind the last whole record of it
	open  record // the newest arrival, which what comes in the same millisecond still joins
	dirty bool   // the file does not have all of page
}

// add takes n bytes of s that arrived at now. The page must not be full.
func (x *index) add(s proc.Stream, n int, lines, now int64) {
	x.dirty = true
	if o := &x.open; !o.empty() && o.stream == s && o.time == now {
		o.to += int64(n)
		o.lines += lines
		return
	}
	x.seal()
	from := x.end.place[s]
	x.open = record{stream: s, from: from, to: from + int64(n), lines: lines, time: now}
}

// seal completes the newest record: nothing joins it any more.
func (x *index) seal() {
	if x.open.empty() {
		return
	}
	if x.page.records == nil {
		x.page.records = make([]byte, 0, maxRecords)
	}
	x.page.records = appendRecord(x.page.records, x.open, x.end.time)
	x.end.pass(x.open)
	x.open = record{}
}

// turn begins the next page. dropped is what was not kept so far.
func (x *index) turn(dropped [proc.NumStreams]int64) {
	x.seal()
	x.page = page{no: x.page.no + 1, slots: x.slots, start: x.end, records: x.page.records[:0], dropped: dropped}
	x.first = max(x.first, x.page.no-x.slots+1)
	x.dirty = true
}

// last returns where the newest arrival ends.
func (x *index) last() cursor {
	c := x.end
	if !x.open.empty() {
		c.pass(x.open)
	}
	return c
}

// image returns the page being filled as of this moment.
func (x *index) image() page {
	p := x.page
	if !x.open.empty() {
		p.records = appendRecord(append([]byte(nil), p.records...), x.open, x.end.time)
	}
	return p
}

// write puts p into the file, which must be open.
func (x *index) write(p page) error {
	_, err := x.f.WriteAt(p.encode(), p.no%x.slots*pageSize)
	return err
}

// openFile opens the file, if need be making it.
func (x *index) openFile() error {
	f, err := x.disk.openIndex(x.path)
	if err != nil {
		return err
	}
	info, err := f.Stat()
	if err != nil {
		f.Close()
		return err
	}
	x.f, x.info = f, info
	return nil
}

// close closes the file.
func (x *index) close() {
	if x.f != nil {
		x.f.Close()
		x.f = nil
	}
}

// readPage reads page no from f, the file of an index with so many slots. ok is false if it is not there.
func readPage(f io.ReaderAt, no, slots int64) (p page, ok bool) {
	b := make([]byte, pageSize)
	n, err := f.ReadAt(b, no%slots*pageSize)
	if err != nil && !errors.Is(err, io.EOF) {
		return page{}, false
	}
	p, ok = decodePage(b[:n])
	return p, ok && p.no == no && p.slots == slots && p.plausible()
}

// openToRead opens the file of an index that is not written any more, if it is there.
func (x *index) openToRead() {
	if f, err := x.disk.open(x.path); err == nil {
		x.f = f
		x.info, _ = f.Stat()
	}
}
