package journal

import (
	"encoding/binary"
	"errors"
	"time"
)

// errMalformed is reported for bytes that are no record of ours.
var errMalformed = errors.New("the record is malformed")

// maxField is the highest number of a field.
const maxField = 31

// fields carries the fields of a record to bytes or from them: each record names its fields once, for both. A field
// is a number below maxField+1 and a value; it stands in the bytes as a key (number<<1 | whether bytes follow) and an unsigned
// varint or a length and bytes. A zero value is left out. A number that is not known is skipped, so a field may be added to a record if
// it is right for an older reader to ignore it. A number never changes its meaning.
type fields struct {
	encode bool
	out    []byte
	in     [maxField + 1]field
	err    error // of decoding
}

// field is a value that was read.
type field struct {
	number uint64
	bytes  []byte
	form   form
}

type form uint8

const (
	absent form = iota
	isNumber
	isBytes
)

// parse reads the fields of b, which the values then alias.
func (f *fields) parse(b []byte) {
	*f = fields{}
	for len(b) > 0 {
		key, n := binary.Uvarint(b)
		if n <= 0 {
			f.err = errMalformed
			return
		}
		b = b[n:]
		value, n := binary.Uvarint(b)
		if n <= 0 || key&1 == 1 && value > uint64(len(b)-n) {
			f.err = errMalformed
			return
		}
		b = b[n:]
		read := field{number: value, form: isNumber}
		if key&1 == 1 {
			read = field{bytes: b[:value], form: isBytes}
			b = b[value:]
		}
		if key>>1 <= maxField {
			f.in[key>>1] = read
		}
	}
}

// value returns the field that was read, if it was there.
func (f *fields) value(number int, want form) (v field, ok bool) {
	v = f.in[number]
	if v.form != absent && v.form != want {
		f.err = errMalformed
	}
	return v, v.form == want
}

// uint is a number.
func (f *fields) uint(number int, v *uint64) {
	if !f.encode {
		if read, ok := f.value(number, isNumber); ok {
			*v = read.number
		}
		return
	}
	if *v != 0 {
		f.out = binary.AppendUvarint(f.out, uint64(number)<<1)
		f.out = binary.AppendUvarint(f.out, *v)
	}
}

// int is a number that may be negative.
func (f *fields) int(number int, v *int) {
	u := uint64(*v)<<1 ^ uint64(*v>>63)
	f.uint(number, &u)
	if !f.encode {
		*v = int(u>>1) ^ -int(u&1)
	}
}

// flag is true or false.
func (f *fields) flag(number int, v *bool) {
	u := uint64(0)
	if *v {
		u = 1
	}
	f.uint(number, &u)
	if !f.encode {
		*v = u != 0
	}
}

// time is a moment, to the nanosecond, or none.
func (f *fields) time(number int, v *time.Time) {
	u := uint64(0)
	if !v.IsZero() {
		u = uint64(v.UnixNano())
	}
	f.uint(number, &u)
	if !f.encode && u != 0 {
		*v = time.Unix(0, int64(u)).UTC()
	}
}

// bytes are kept as they are.
func (f *fields) bytes(number int, v *[]byte) {
	if !f.encode {
		if read, ok := f.value(number, isBytes); ok && len(read.bytes) > 0 {
			*v = append([]byte(nil), read.bytes...)
		}
		return
	}
	if len(*v) > 0 {
		f.out = appendBytes(f.out, number, *v)
	}
}

// text is kept byte for byte: a path, a command or a name need not be UTF-8.
func text[T ~string](f *fields, number int, v *T) {
	if !f.encode {
		if read, ok := f.value(number, isBytes); ok {
			*v = T(read.bytes)
		}
		return
	}
	if len(*v) > 0 {
		f.out = appendBytes(f.out, number, *v)
	}
}

func appendBytes[B ~[]byte | ~string](out []byte, number int, v B) []byte {
	out = binary.AppendUvarint(out, uint64(number)<<1|1)
	out = binary.AppendUvarint(out, uint64(len(v)))
	return append(out, v...)
}

// nested is a value with fields of its own.
func (f *fields) nested(number int, each func(f *fields)) {
	if f.encode {
		inner := fields{encode: true}
		each(&inner)
		f.out = appendBytes(f.out, number, inner.out)
		return
	}
	if read, ok := f.value(number, isBytes); ok {
		var inner fields
		inner.parse(read.bytes)
		each(&inner)
		if inner.err != nil {
			f.err = inner.err
		}
	}
}

// texts are a row of texts.
func texts[T ~string](f *fields, number int, v *[]T) {
	list(f, number, v, func(f *fields, t *T) { text(f, 1, t) })
}

// list is a row of values, each with fields of its own.
func list[T any](f *fields, number int, v *[]T, each func(f *fields, v *T)) {
	if f.encode {
		if len(*v) == 0 {
			return
		}
		var row []byte
		for i := range *v {
			item := fields{encode: true}
			each(&item, &(*v)[i])
			row = binary.AppendUvarint(row, uint64(len(item.out)))
			row = append(row, item.out...)
		}
		f.out = appendBytes(f.out, number, row)
		return
	}
	read, _ := f.value(number, isBytes)
	var item fields
	for b := read.bytes; len(b) > 0; {
		size, n := binary.Uvarint(b)
		if n <= 0 || size > uint64(len(b)-n) {
			f.err = errMalformed
			return
		}
		item.parse(b[n : n+int(size)])
		var one T
		each(&item, &one)
		if item.err != nil {
			f.err = item.err
			return
		}
		*v = append(*v, one)
		b = b[n+int(size):]
	}
}
