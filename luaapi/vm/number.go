package vm

import (
	"math"
	"strconv"
	"strings"
)

// blanks is what isspace of C accepts.
const blanks = " \t\n\v\f\r"

// parseNumber reads a number as Lua 5.1 does, which is as strtod of C does: decimal, hexadecimal, inf and
// nan, with white space around it.
func parseNumber(s string) (float64, bool) {
	s = strings.Trim(s, blanks)
	if s == "" || strings.IndexByte(s, '_') >= 0 { // Go allows 1_000
		return 0, false
	}
	digits := strings.TrimLeft(s, "+-")
	if len(s)-len(digits) > 1 {
		return 0, false
	}
	if strings.EqualFold(digits, "nan") {
		return math.NaN(), true // Go wants it without a sign
	}
	if len(digits) > 1 && digits[0] == '0' && digits[1]|0x20 == 'x' && !strings.ContainsAny(digits, "pP") {
		s += "p0" // Go wants an exponent
	}
	v, err := strconv.ParseFloat(s, 64)
	if err != nil && !math.IsInf(v, 0) {
		return 0, false
	}
	return v, true
}

// parseInteger reads an integer in a base from 2 to 36 as strtoul of C does: a minus sign wraps around.
func parseInteger(s string, base int) (float64, bool) {
	s = strings.Trim(s, blanks)
	negative := strings.HasPrefix(s, "-")
	if negative || strings.HasPrefix(s, "+") {
		s = s[1:]
	}
	if base == 16 && len(s) > 2 && s[0] == '0' && s[1]|0x20 == 'x' {
		s = s[2:]
	}
	if s == "" || s[0] == '+' || s[0] == '-' || strings.IndexByte(s, '_') >= 0 {
		return 0, false
	}
	v, err := strconv.ParseUint(s, base, 64)
	if err != nil && v != math.MaxUint64 {
		return 0, false
	}
	if negative && err == nil {
		v = -v
	}
	return float64(v), true
}

// formatNumber writes v as Lua 5.1 does, which is "%.14g" of C. The sign of a NaN, which differs between
// processors, is not written.
func formatNumber(v float64) string {
	if v == math.Trunc(v) && math.Abs(v) < 1e14 && (v != 0 || !math.Signbit(v)) {
		return strconv.FormatInt(int64(v), 10)
	}
	return formatFloat(v, 'g', 14)
}

// formatFloat is strconv.FormatFloat with the words of C for what is not finite.
func formatFloat(v float64, verb byte, precision int) string {
	switch {
	case math.IsNaN(v):
		return "nan"
	case math.IsInf(v, 1):
		return "inf"
	case math.IsInf(v, -1):
		return "-inf"
	}
	return strconv.FormatFloat(v, verb, precision, 64)
}

// modulo is the operator % of Lua 5.1. It is defined by this formula, rounding included; the remainder of
// the division, which is exact, is another number. The conversion keeps processors from fusing the two steps.
func modulo(a, b float64) float64 { return a - float64(math.Floor(a/b)*b) }

// toInteger converts as a cast of C does, with the ends of the range for what is beyond.
func toInteger(v float64) int {
	switch {
	case v != v:
		return math.MinInt
	case v >= math.MaxInt64:
		return math.MaxInt
	case v <= math.MinInt64:
		return math.MinInt
	}
	return int(v)
}
