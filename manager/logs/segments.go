package logs

import "io/fs"

// A segment is one file of a stream: a stretch of its bytes without a gap.
type segment struct {
	path string
	base int64 // position of its first byte
	size int64
	f    file // nil while nobody needs it
	info fs.FileInfo
}

func (g *segment) end() int64 { return g.base + g.size }

func (g *segment) origin() origin { return origin{g.base, inode(g.info)} }

func (g *segment) close() {
	if g.f != nil {
		g.f.Close()
		g.f = nil
	}
}

// segments are the files of one stream. Only the owner of the log changes them, with the log's lock held; it
// may read them without.
type segments struct {
	path, olderPath string

	newest segment   // without a file after it was lost and could not be made anew
	older  segment   // size 0 if there is none
	aged   []segment // those before it, the oldest first
}

// start is the position of the first byte that is kept.
func (st *segments) start() int64 {
	for g := range st.all {
		if g.size > 0 {
			return g.base
		}
	}
	return st.newest.base
}

// end is the position behind the last byte.
func (st *segments) end() int64 { return st.newest.end() }

// kept is how many bytes there are.
func (st *segments) kept() (n int64) {
	for g := range st.all {
		n += g.size
	}
	return n
}

// create makes the file for what is written from position base on.
func (st *segments) create(d disk, base int64) (segment, error) {
	f, err := d.create(st.path)
	if err != nil {
		return segment{}, err
	}
	info, err := f.Stat()
	if err != nil {
		f.Close()
		return segment{}, err
	}
	return segment{path: st.path, base: base, f: f, info: info}, nil
}

// find returns the segment that holds the byte at pos, or nil and the position after pos where the stream
// goes on, 0 if it does not.
func (st *segments) find(pos int64) (g *segment, next int64) {
	for g := range st.all {
		switch {
		case pos >= g.end():
		case pos >= g.base:
			return g, 0
		case g.size > 0:
			return nil, g.base
		}
	}
	if pos < st.newest.base {
		return nil, st.newest.base
	}
	return nil, 0
}
