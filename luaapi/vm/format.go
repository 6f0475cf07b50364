package vm

import (
	"math"
	"strconv"
	"strings"
)

// directive is one % of string.format: the flags, width and precision of C's printf.
type directive struct {
	minus, plus, space, alt, zero bool
	width                         int
	precision                     int // -1 where none is given
	verb                          byte
}

// stringFormat is strict where C is: an argument that is missing or of the wrong type is an error.
func stringFormat(c call) int {
	f := c.str(1)
	var b strings.Builder
	arg := 1
	for i := 0; i < len(f); i++ {
		if f[i] != '%' {
			b.WriteByte(f[i])
			continue
		}
		i++
		if i < len(f) && f[i] == '%' {
			b.WriteByte('%')
			continue
		}
		d, next := c.directive(f, i)
		i = next
		if arg++; arg > c.GetTop() {
			c.badArg(arg, "no value")
		}
		c.format(&b, d, arg)
		c.tooLong(b.Len())
	}
	return c.retString(b.String())
}

// directive parses the directive at i and returns it with the position of its last byte.
func (c call) directive(f string, i int) (directive, int) {
	d := directive{precision: -1}
	from := i
	for ; i < len(f) && strings.IndexByte("-+ #0", f[i]) >= 0; i++ {
		switch f[i] {
		case '-':
			d.minus = true
		case '+':
			d.plus = true
		case ' ':
			d.space = true
		case '#':
			d.alt = true
		case '0':
			d.zero = true
		}
	}
	if i-from > 5 {
		c.fail("invalid format (repeated flags)")
	}
	d.width, i = twoDigits(f, i)
	if i < len(f) && f[i] == '.' {
		d.precision, i = twoDigits(f, i+1)
	}
	if i < len(f) && isDigit(f[i]) {
		c.fail("invalid format (width or precision too long)")
	}
	if i < len(f) {
		d.verb = f[i]
	}
	return d, i
}

func twoDigits(f string, i int) (v, next int) {
	for n := 0; n < 2 && i < len(f) && isDigit(f[i]); n++ {
		v = v*10 + int(f[i]-'0')
		i++
	}
	return v, i
}

func (c call) format(b *strings.Builder, d directive, arg int) {
	switch d.verb {
	case 'c':
		d.pad(b, "", string([]byte{byte(c.int(arg))}), false)
	case 'd', 'i':
		v := castInt(c.num(arg))
		digits := strconv.FormatUint(magnitude(v), 10)
		d.integer(b, d.sign(v < 0), digits, v == 0)
	case 'u':
		v := castUint(c.num(arg))
		d.integer(b, "", strconv.FormatUint(v, 10), v == 0)
	case 'o':
		v := castUint(c.num(arg))
		digits := strconv.FormatUint(v, 8)
		if d.alt && v != 0 && d.precision <= len(digits) {
			digits = "0" + digits
		}
		d.integer(b, "", digits, v == 0 && !d.alt)
	case 'x', 'X':
		v := castUint(c.num(arg))
		prefix, digits := "", strconv.FormatUint(v, 16)
		if d.alt && v != 0 {
			prefix = "0x"
		}
		if d.verb == 'X' {
			prefix, digits = strings.ToUpper(prefix), strings.ToUpper(digits)
		}
		d.integer(b, prefix, digits, v == 0)
	case 'e', 'E', 'f', 'g', 'G':
		d.float(b, c.num(arg))
	case 'q':
		quote(b, c.str(arg))
	case 's':
		s := c.str(arg)
		if d.precision >= 0 && d.precision < len(s) {
			s = s[:d.precision]
		}
		d.pad(b, "", s, false)
	case 0:
		c.fail("invalid option '%%' to 'format'")
	default:
		c.fail("invalid option '%%%c' to 'format'", d.verb)
	}
}

// castInt is a cast of C from double to a signed 64-bit integer, as processors of Intel do it.
func castInt(v float64) int64 {
	if v >= math.MinInt64 && v < math.MaxInt64 {
		return int64(v)
	}
	return math.MinInt64
}

func castUint(v float64) uint64 {
	if v >= math.MaxInt64 && v < math.MaxUint64 {
		return uint64(v)
	}
	return uint64(castInt(v))
}

func magnitude(v int64) uint64 {
	if v < 0 {
		return -uint64(v)
	}
	return uint64(v)
}

func (d directive) sign(negative bool) string {
	switch {
	case negative:
		return "-"
	case d.plus:
		return "+"
	case d.space:
		return " "
	}
	return ""
}

// integer writes the digits of an integer. A precision is the least number of digits; with one, zero is not
// a filler.
func (d directive) integer(b *strings.Builder, prefix, digits string, zero bool) {
	if d.precision >= 0 {
		if zero && d.precision == 0 {
			digits = ""
		}
		if n := d.precision - len(digits); n > 0 {
			digits = strings.Repeat("0", n) + digits
		}
	}
	d.pad(b, prefix, digits, d.precision < 0)
}

// pad writes prefix and body filled up to the width; zeros says that zeros may fill.
func (d directive) pad(b *strings.Builder, prefix, body string, zeros bool) {
	fill := max(d.width-len(prefix)-len(body), 0)
	switch {
	case d.minus:
		b.WriteString(prefix + body + strings.Repeat(" ", fill))
	case d.zero && zeros:
		b.WriteString(prefix + strings.Repeat("0", fill) + body)
	default:
		b.WriteString(strings.Repeat(" ", fill) + prefix + body)
	}
}

func (d directive) float(b *strings.Builder, v float64) {
	sign := d.sign(math.Signbit(v) && !math.IsNaN(v))
	verb := d.verb | 0x20
	precision := d.precision
	if precision < 0 {
		precision = 6
	}
	v = math.Abs(v)
	finite := !math.IsNaN(v) && !math.IsInf(v, 0)
	var body string
	if finite && d.alt {
		body = alternate(v, verb, precision)
	} else {
		body = formatFloat(v, verb, precision)
	}
	if d.verb != verb {
		body = strings.ToUpper(body)
	}
	d.pad(b, sign, body, finite)
}

// alternate is the form that the flag # asks for: with a decimal point and, for g, with its zeros.
func alternate(v float64, verb byte, precision int) string {
	if verb == 'g' {
		precision = max(precision, 1)
		scientific := strconv.FormatFloat(v, 'e', precision-1, 64)
		exponent, _ := strconv.Atoi(scientific[strings.IndexByte(scientific, 'e')+1:])
		if verb = 'e'; exponent >= -4 && exponent < precision {
			verb, precision = 'f', precision-1-exponent
		} else {
			precision--
		}
	}
	s := strconv.FormatFloat(v, verb, precision, 64)
	if precision > 0 {
		return s
	}
	mantissa, exponent, found := strings.Cut(s, "e")
	if found {
		return mantissa + ".e" + exponent
	}
	return s + "."
}

// quote writes s as a string that Lua reads back.
func quote(b *strings.Builder, s string) {
	b.WriteByte('"')
	for i := range len(s) {
		switch c := s[i]; c {
		case '"', '\\', '\n':
			b.WriteByte('\\')
			b.WriteByte(c)
		case '\r':
			b.WriteString(`\r`)
		case 0:
			b.WriteString(`\000`)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
}
