package console

import (
	"bytes"
	"encoding/json"
	"strconv"
	"unicode/utf8"

	"github.com/prochost/prochost/host/api"
)

// AppendJSON appends an event as one line of JSON, with its line end. Nothing is escaped for HTML. Output, of which
// there may be millions of lines, is written without reflection.
func AppendJSON(buf []byte, e api.Event) ([]byte, error) {
	if o, ok := e.(*api.Output); ok {
		return append(appendOutput(buf, o), '\n'), nil
	}
	b := bytes.NewBuffer(buf)
	enc := json.NewEncoder(b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(e)
	return b.Bytes(), err
}

func appendOutput(buf []byte, o *api.Output) []byte {
	buf = append(buf, `{"time":`...)
	buf = strconv.AppendInt(buf, o.Time, 10)
	buf = append(buf, `,"type":`...)
	buf = appendString(buf, o.Type)
	if o.Seq != 0 {
		buf = append(buf, `,"seq":`...)
		buf = strconv.AppendUint(buf, o.Seq, 10)
	}
	buf = append(buf, `,"id":`...)
	buf = appendString(buf, o.ID)
	buf = append(buf, `,"name":`...)
	buf = appendString(buf, o.Name)
	buf = append(buf, `,"stream":`...)
	buf = appendString(buf, o.Stream)
	buf = append(buf, `,"line":`...)
	buf = strconv.AppendInt(buf, o.Line, 10)
	buf = append(buf, `,"text":`...)
	buf = appendString(buf, o.Text)
	return append(buf, '}')
}

const hex = "0123456789abcdef"

// appendString appends s as encoding/json does.
func appendString(buf []byte, s string) []byte {
	buf = append(buf, '"')
	from := 0
	for i := 0; i < len(s); {
		b := s[i]
		if b >= ' ' && b < utf8.RuneSelf && b != '"' && b != '\\' {
			i++
			continue
		}
		if b < utf8.RuneSelf {
			buf = append(buf, s[from:i]...)
			switch b {
			case '"', '\\':
				buf = append(buf, '\\', b)
			case '\b':
				buf = append(buf, '\\', 'b')
			case '\f':
				buf = append(buf, '\\', 'f')
			case '\n':
				buf = append(buf, '\\', 'n')
			case '\r':
				buf = append(buf, '\\', 'r')
			case '\t':
				buf = append(buf, '\\', 't')
			default:
				buf = append(buf, '\\', 'u', '0', '0', hex[b>>4], hex[b&15])
			}
			i++
			from = i
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			buf = append(buf, s[from:i]...)
			buf = append(buf, `\ufffd`...)
			from = i + n
		case r == '\u2028' || r == '\u2029': // line ends to JavaScript
			buf = append(buf, s[from:i]...)
			buf = append(buf, `\u202`...)
			buf = append(buf, hex[r&15])
			from = i + n
		}
		i += n
	}
	buf = append(buf, s[from:]...)
	return append(buf, '"')
}
