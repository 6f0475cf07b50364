package luaapi

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/prochost/prochost/luaapi/recipe"
	lua "github.com/yuin/gopher-lua"
)

// What a log may be told to keep.
const (
	leastCap, mostCap   = 64 << 10, 1 << 40
	leastKeep, mostKeep = 2, 100
)

var logKeys = schema[recipe.Log]{
	{name: "cap", also: []string{"size", "max", "limit", "maxSize", "max_size_mb"}, typ: "size",
		help: "How many bytes of one stream are kept at most, from 64 KiB to 1 TiB. Default: \"64 MiB\".",
		read: func(v value, l *recipe.Log) { l.Cap, _ = v.size(leastCap, mostCap) }},
	{name: "keep", also: []string{"files", "segments", "count", "backups", "max_backups"}, typ: "whole number",
		help: "How many files the stream is in: when one is full, which is a part of `cap`, the oldest is removed. From 2, the default, to 100.",
		read: func(v value, l *recipe.Log) { l.Keep, _ = v.integer(leastKeep, mostKeep) }},
}

var (
	sizeText  = regexp.MustCompile(`^(\d+) ?(B|KiB|MiB|GiB|TiB)$`)
	looseSize = regexp.MustCompile(`^\s*(\d+)\s*([KMGTkmgt])i?[bB]?\s*$`)
	units     = map[string]int64{"B": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "TiB": 1 << 40}
)

// size returns a number of bytes from least to most, which are written in the units of sizes.
func (v value) size(least, most int64) (n int64, ok bool) {
	const such = `a size such as "512 KiB", "64 MiB" or "1 GiB"`
	if n, isNumber := v.LValue.(lua.LNumber); isNumber {
		v.fail(`sizes are strings such as "64 MiB", got the number %s`, n)
		return 0, false
	}
	s, ok := v.LValue.(lua.LString)
	if !ok {
		v.want(such)
		return 0, false
	}
	m := sizeText.FindStringSubmatch(string(s))
	if m == nil {
		meant := ""
		if l := looseSize.FindStringSubmatch(string(s)); l != nil {
			meant = fmt.Sprintf("; did you mean %q?", l[1]+" "+strings.ToUpper(l[2])+"iB")
		}
		v.fail("want %s, got %s%s", such, quote(string(s)), meant)
		return 0, false
	}
	count, err := strconv.ParseInt(m[1], 10, 64)
	unit := units[m[2]]
	switch {
	case err != nil || count > math.MaxInt64/unit || count*unit > most:
		v.fail("want at most %s, got %s", inUnits(most), quote(string(s)))
		return 0, false
	case count*unit < least:
		v.fail("want at least %s, got %s", inUnits(least), quote(string(s)))
		return 0, false
	}
	return count * unit, true
}

// inUnits writes a size that is a whole number of some unit.
func inUnits(n int64) string {
	for _, unit := range []string{"TiB", "GiB", "MiB", "KiB"} {
		if n%units[unit] == 0 {
			return fmt.Sprintf("%d %s", n/units[unit], unit)
		}
	}
	return fmt.Sprintf("%d B", n)
}
