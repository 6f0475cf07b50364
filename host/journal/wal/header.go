package wal

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"strconv"
	"strings"
)

// version is the version of the format. A file of a later one is refused.
const version = 1

// ErrVersion is reported for a log of a later format. It is not touched.
var ErrVersion = errors.New("it was written by a later version")

// The header of a file, little endian:
//
//	 0  8  magic
//	 8  4  version
//	12  8  salt
//	20  8  base: where the snapshot ends
//	28  4  CRC-32C of the 28 bytes before
const (
	magic      = "\x89phwal\r\n" // a transfer as text would spoil it
	headerSize = 32
)

type header struct {
	salt salt
	base int64
}

func (h header) encode() []byte {
	b := append(make([]byte, 0, headerSize), magic...)
	b = binary.LittleEndian.AppendUint32(b, version)
	b = binary.LittleEndian.AppendUint64(b, uint64(h.salt))
	b = binary.LittleEndian.AppendUint64(b, uint64(h.base))
	return appendChecksum(b, b)
}

func appendChecksum(b, of []byte) []byte {
	return binary.LittleEndian.AppendUint32(b, crc32.Checksum(of, castagnoli))
}

// parseHeader reads the header of a file; ok is false if it is broken.
func parseHeader(data []byte) (h header, ok bool, err error) {
	if len(data) < headerSize || string(data[:8]) != magic ||
		crc32.Checksum(data[:28], castagnoli) != binary.LittleEndian.Uint32(data[28:]) {
		return header{}, false, nil
	}
	if v := binary.LittleEndian.Uint32(data[8:]); v != version {
		return header{}, false, fmt.Errorf("format %d: %w", v, ErrVersion)
	}
	h.salt, h.base = salt(binary.LittleEndian.Uint64(data[12:])), int64(binary.LittleEndian.Uint64(data[20:]))
	return h, h.base >= headerSize, nil
}

// The names of files. One that is being written ends in unfinished, one that was found damaged in damaged.
const (
	finished   = ".wal"
	unfinished = ".wal.tmp"
	damaged    = ".wal.damaged"
)

// filename is the name of a file. It repeats the salt, so that the file can be read if its header is lost.
func filename(generation uint64, s salt, suffix string) string {
	return fmt.Sprintf("%010d-%016x%s", generation, uint64(s), suffix)
}

// parseFilename reads what filename made; ok is false for a file that is none of ours.
func parseFilename(name string) (generation uint64, s salt, suffix string, ok bool) {
	dot := strings.IndexByte(name, '.')
	if dot < 0 {
		return 0, 0, "", false
	}
	left, right, _ := strings.Cut(name[:dot], "-")
	generation, err1 := strconv.ParseUint(left, 10, 64)
	n, err2 := strconv.ParseUint(right, 16, 64)
	s, suffix = salt(n), name[dot:]
	ok = err1 == nil && err2 == nil && filename(generation, s, suffix) == name &&
		(suffix == finished || suffix == unfinished || suffix == damaged)
	return generation, s, suffix, ok
}
