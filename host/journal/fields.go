package journal

import (
	"encoding/binary"
	"errors"
	"time"
)

// errMalformed is reported for bytes that are no record of ours.
var errMalformed = errors.New("the record is malformed")

// fields carries the fields of a record to bytes or from them: each record names its fields once, for both.
//
// A field is a number and a value. In the bytes it is a key (the number shifted left by one; the lowest bit says
// whether bytes follow), then an unsigned varint, or a length and bytes. A zero value is left out. A number that is
// not known is skipped, so a field may be added to a record if it is right for an older reader to ignore it.
type fields struct {
	encode bool
	out    []byte
	in     []field
	inner  *fields // to be used again for values that have fields of their own
	err    error   // of decoding
}

// field is a value that was read.
type field struct {
	number uint64
	text   string // "" if it is a value
	value  uint64
	bytes  bool
}

// read takes the fields of a record that stands in b, and in text with the same bytes, of which they become parts.
func (f *fields) read(b []byte, text string) {
	f.in, f.err = f.in[:0], nil
	for at := 0; at < len(b); {
		key, n := binary.Uvarint(b[at:])
		if n <= 0 {
			f.err = errMalformed
			return
		}
		at += n
		value, n := binary.Uvarint(b[at:])
		if n <= 0 {
			f.err = errMalformed
			return
		}
		at += n
		read := field{number: key >> 1, value: value}
		if key&1 == 1 {
			if value > uint64(len(b)-at) {
				f.err = errMalformed
				return
			}
			end := at + int(value)
			read = field{number: key >> 1, text: text[at:end], bytes: true}
			at = end
		}
		f.in = append(f.in, read)
	}
}

// find returns the field with a number; ok is false if there is none of this form.
func (f *fields) find(number int, bytes bool) (v field, ok bool) {
	for i := range f.in {
		if f.in[i].number == uint64(number) {
			if f.in[i].bytes != bytes {
				f.err = errMalformed
				return field{}, false
			}
			return f.in[i], true
		}
	}
	return field{}, false
}

// within returns fields for a value with fields of its own.
func (f *fields) within() *fields {
	if f.inner == nil {
		f.inner = &fields{encode: f.encode}
	}
	f.inner.out = f.inner.out[:0]
	return f.inner
}

// uint is a number.
func (f *fields) uint(number int, v *uint64) {
	if !f.encode {
		if read, ok := f.find(number, false); ok {
			*v = read.value
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

// text is kept byte for byte: a path, a command or a name need not be UTF-8.
func text[T ~string](f *fields, number int, v *T) {
	if !f.encode {
		if read, ok := f.find(number, true); ok {
			*v = T(read.text)
		}
		return
	}
	if len(*v) > 0 {
		f.out = appendText(f.out, number, *v)
	}
}

func appendText[T ~string | ~[]byte](out []byte, number int, v T) []byte {
	out = binary.AppendUvarint(out, uint64(number)<<1|1)
	out = binary.AppendUvarint(out, uint64(len(v)))
	return append(out, v...)
}

// nested is a value with fields of its own.
func (f *fields) nested(number int, each func(f *fields)) {
	inner := f.within()
	if f.encode {
		each(inner)
		f.out = appendText(f.out, number, inner.out)
		return
	}
	if read, ok := f.find(number, true); ok {
		f.nestedIn(read.text, each)
	}
}

// nestedIn reads a value that stands in text.
func (f *fields) nestedIn(text string, each func(f *fields)) {
	inner := f.within()
	inner.out = append(inner.out, text...)
	inner.read(inner.out, text)
	if inner.err == nil {
		each(inner)
	}
	if inner.err != nil {
		f.err = inner.err
	}
}

// texts are a row of texts.
func texts[T ~string](f *fields, number int, v *[]T) {
	list(f, number, v, func(f *fields, t *T) { text(f, 1, t) })
}

// list is a row of values, each with a length and fields of its own.
func list[T any](f *fields, number int, v *[]T, each func(f *fields, v *T)) {
	if f.encode {
		if len(*v) == 0 {
			return
		}
		var row []byte
		for i := range *v {
			inner := f.within()
			each(inner, &(*v)[i])
			row = binary.AppendUvarint(row, uint64(len(inner.out)))
			row = append(row, inner.out...)
		}
		f.out = appendText(f.out, number, row)
		return
	}
	read, _ := f.find(number, true)
	for rest := read.text; len(rest) > 0; {
		size, n := uvarint(rest)
		if n <= 0 || size > uint64(len(rest)-n) {
			f.err = errMalformed
			return
		}
		var one T
		f.nestedIn(rest[n:n+int(size)], func(inner *fields) { each(inner, &one) })
		if f.err != nil {
			return
		}
		*v = append(*v, one)
		rest = rest[n+int(size):]
	}
}

// uvarint is binary.Uvarint of a string.
func uvarint(s string) (v uint64, n int) {
	return binary.Uvarint([]byte(s[:min(len(s), binary.MaxVarintLen64)]))
}
