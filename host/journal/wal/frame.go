package wal

import (
	"encoding/binary"
	"hash/crc32"
)

// A frame, little endian:
//
//	 0  4  word of the file, by which frames are found again behind damage
//	 4  4  CRC-32C of the salt, the place of the frame and all that follows
//	 8  4  length of the payload
//	12  8  up to where the file was durable when the frame was written
//	20  …  payload: a group; empty in a frame that is there for the number before
const frameSize = 20

// MaxGroup is the size of the largest group that can be appended, in bytes. One of a snapshot may be larger.
const MaxGroup = 16 << 20

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// salt makes the frames of a file unlike those of any other.
type salt uint64

func (s salt) word() [4]byte {
	return [4]byte{byte(s), byte(s >> 8), byte(s >> 16), byte(s >> 24)}
}

// checksum of the frame b, which stands at the byte at of the file.
func (s salt) checksum(at int64, b []byte) uint32 {
	var seed [16]byte
	binary.LittleEndian.PutUint64(seed[:], uint64(s))
	binary.LittleEndian.PutUint64(seed[8:], uint64(at))
	return crc32.Update(crc32.Checksum(seed[:], castagnoli), castagnoli, b[8:])
}

// appendFrame appends a frame, which will stand at the byte at of the file.
func (s salt) appendFrame(b []byte, at, durable int64, payload []byte) []byte {
	word, begin := s.word(), len(b)
	b = append(b, word[:]...)
	b = append(b, 0, 0, 0, 0)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(payload)))
	b = binary.LittleEndian.AppendUint64(b, uint64(durable))
	b = append(b, payload...)
	binary.LittleEndian.PutUint32(b[begin+4:], s.checksum(at, b[begin:]))
	return b
}

// frame is a frame that was read.
type frame struct {
	at, end int64
	durable int64
	payload []byte
}

// parseFrame reads the frame at a byte of the file data; ok is false if there is none, or a broken one.
func (s salt) parseFrame(data []byte, at int64) (f frame, ok bool) {
	rest := data[at:]
	if len(rest) < frameSize || [4]byte(rest) != s.word() {
		return frame{}, false
	}
	length := int64(binary.LittleEndian.Uint32(rest[8:]))
	if length > int64(len(rest))-frameSize {
		return frame{}, false
	}
	rest = rest[:frameSize+length]
	if s.checksum(at, rest) != binary.LittleEndian.Uint32(rest[4:]) {
		return frame{}, false
	}
	durable := int64(binary.LittleEndian.Uint64(rest[12:]))
	return frame{at: at, end: at + int64(len(rest)), durable: durable, payload: rest[frameSize:]}, true
}
