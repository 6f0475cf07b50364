package wal

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// built is a file that a program of bytes has made: commits of frames, some of them damaged.
type built struct {
	data   []byte
	base   int64
	frames []builtFrame
}

type builtFrame struct {
	Span
	durable int64
	payload string
	bytes   string // as they were written
	whole   bool
}

const builtSalt = salt(0x1122334455667788)

// build makes a file of what program says: in turns a byte for what to do and one for how much.
func build(program []byte) built {
	b := built{data: make([]byte, headerSize), base: headerSize}
	commit := int64(headerSize)
	group := byte(0)
	for ; len(program) >= 2; program = program[2:] {
		what, much := program[0], int64(program[1])
		size := int64(len(b.data))
		switch what % 4 {
		case 0, 1: // a frame, the first of a commit or a further one
			durable := commit
			if what%4 == 0 {
				durable, commit = size, size
			}
			payload := slices.Repeat([]byte{group}, int(much)%40)
			group++
			b.data = builtSalt.appendFrame(b.data, size, durable, payload)
			b.frames = append(b.frames, builtFrame{Span{size, int64(len(b.data)) - size}, durable, string(payload), string(b.data[size:]), true})
		case 2: // the snapshot ends here
			b.base = size
		case 3: // some bytes are turned
			for at := max(size-much, headerSize); at < size && at < size-much+1+much%8; at++ {
				b.data[at] ^= 0xa5
			}
		}
	}
	for i, f := range b.frames { // what is turned twice is whole
		b.frames[i].whole = string(b.data[f.Offset:f.Offset+f.Length]) == f.bytes
	}
	copy(b.data, header{salt: builtSalt, base: b.base}.encode())
	return b
}

// Whatever is damaged: what is read is what was written, in order; nothing whole that was durable is missing, and
// what is missing is named.
func FuzzRead(f *testing.F) {
	f.Add([]byte{0, 5, 0, 9, 1, 3, 2, 0, 0, 7, 3, 20, 0, 30, 1, 2})
	f.Add([]byte{0, 5, 0, 9, 3, 40, 3, 60})
	f.Fuzz(func(t *testing.T, program []byte) {
		b := build(program)
		c, err := readContent(b.data, 0)
		require.NoError(t, err)

		durable := b.base
		for _, f := range b.frames {
			if f.whole {
				durable = max(durable, f.durable)
			}
		}
		next, broken := 0, false
		for _, f := range b.frames {
			broken = broken || !f.whole
			switch {
			case f.payload == "":
			case next < len(c.groups) && string(c.groups[next]) == f.payload && f.whole:
				next++
			default:
				require.False(t, f.whole && f.Offset < durable, "a durable group is missing: %v", f)
				require.False(t, f.whole && !broken, "a group before all damage is missing: %v", f)
			}
			if !f.whole && f.Offset+f.Length <= durable {
				require.True(t, slices.ContainsFunc(c.broken, func(s Span) bool {
					return s.Offset <= f.Offset && s.Offset+s.Length >= f.Offset+f.Length
				}), "damage is not named: %v", f)
			}
		}
		require.Equal(t, len(c.groups), next, "a group was never written")
		if broken {
			assert.True(t, len(c.broken) > 0 || c.torn > 0)
		}
	})
}

// Bytes that nobody has written.
func FuzzReadAnything(f *testing.F) {
	b := build([]byte{0, 5, 0, 9, 1, 3, 2, 0, 0, 7})
	f.Add(b.data)
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := readContent(data, builtSalt)
		if err != nil {
			require.ErrorIs(t, err, ErrVersion)
			return
		}
		size := 0
		for _, g := range c.groups {
			size += len(g) + frameSize
		}
		assert.LessOrEqual(t, int64(size)+c.torn, int64(len(data)))
	})
}
