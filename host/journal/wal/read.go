package wal

import "bytes"

// Span is a run of bytes in a file.
type Span struct{ Offset, Length int64 }

// content is what the bytes of a file hold.
type content struct {
	groups [][]byte // they alias the bytes of the file
	broken []Span   // damage, in order; never torn bytes
	torn   int64    // bytes at the end that were being written
	lost   int64    // damaged bytes that held groups
}

// readContent reads a file. The salt of its name stands in if the header is broken.
func readContent(data []byte, named salt) (content, error) {
	h, whole, err := parseHeader(data)
	if err != nil {
		return content{}, err
	}
	if !whole {
		h = header{salt: named, base: headerSize}
	}
	frames, gaps := h.salt.findFrames(data)
	size, durable := int64(len(data)), h.base
	for _, f := range frames {
		durable = max(durable, f.durable)
	}

	c := content{}
	if !whole {
		c.broken = append(c.broken, Span{0, headerSize})
	}
	cut := size         // what stands at or behind it is torn
	if size < durable { // it was longer once
		if n := len(gaps); n > 0 && gaps[n-1].end == size {
			gaps[n-1].end = durable
		} else {
			gaps = append(gaps, frameGap{size, durable})
		}
	}
	for _, g := range gaps {
		if g.end > durable { // the first commit that is not known to be durable is not whole
			cut = max(g.at, durable)
			c.torn = size - cut
			g.end = cut
		}
		if g.at < g.end {
			c.broken = append(c.broken, Span{g.at, g.end - g.at})
			c.lost += g.end - g.at
		}
		if c.torn > 0 {
			break
		}
	}
	for _, f := range frames {
		if f.at < cut && len(f.payload) > 0 {
			c.groups = append(c.groups, f.payload)
		}
	}
	return c, nil
}

// frameGap is where no frame can be read.
type frameGap struct{ at, end int64 }

// findFrames returns the frames of a file and what is between them.
func (s salt) findFrames(data []byte) (frames []frame, gaps []frameGap) {
	word := s.word()
	at, size := min(headerSize, int64(len(data))), int64(len(data))
	for at < size {
		if f, ok := s.parseFrame(data, at); ok {
			frames = append(frames, f)
			at = f.end
			continue
		}
		gap := frameGap{at, size}
		for next := at + 1; next < size; next++ {
			i := bytes.Index(data[next:], word[:])
			if i < 0 {
				break
			}
			next += int64(i)
			if _, ok := s.parseFrame(data, next); ok {
				gap.end = next
				break
			}
		}
		gaps = append(gaps, gap)
		at = gap.end
	}
	return frames, gaps
}
