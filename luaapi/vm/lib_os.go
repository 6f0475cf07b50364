package vm

import (
	"fmt"
	"strings"
	"time"

	lua "github.com/yuin/gopher-lua"
)

// openOS installs what is left of os: what does not change the world.
func (vm *VM) openOS() {
	vm.SetGlobal("os", vm.newLibrary(map[string]func(c call) int{
		"clock":  func(c call) int { return c.ret(lua.LNumber(vm.opts.Now().Sub(vm.started).Seconds())) },
		"date":   osDate,
		"getenv": osGetenv,
		"time":   osTime,
	}))
}

func osGetenv(c call) int {
	name := c.str(1)
	if look := c.vm.opts.Getenv; look != nil {
		if v, ok := look(name); ok {
			return c.ret(lua.LString(v))
		}
	}
	return c.ret(lua.LNil)
}

func osTime(c call) int {
	if c.Get(1) == lua.LNil {
		return c.ret(lua.LNumber(c.vm.opts.Now().Unix()))
	}
	t := c.table(1)
	field := func(key string, or int) int {
		v, ok := toNumber(t.RawGetString(key))
		if !ok {
			if or < 0 {
				c.fail("field '%s' missing in date table", key)
			}
			return or
		}
		return min(max(toInteger(v), -1<<31), 1<<31)
	}
	second, minute, hour := field("sec", 0), field("min", 0), field("hour", 12)
	day, month, year := field("day", -1), field("month", -1), field("year", -1)
	at := time.Date(year, time.Month(month), day, hour, minute, second, 0, time.Local)
	return c.ret(lua.LNumber(at.Unix()))
}

func osDate(c call) int {
	format := c.optStr(1, "%c")
	at := c.vm.opts.Now()
	if c.Get(2) != lua.LNil {
		const farthest = 1 << 40
		at = time.Unix(int64(min(max(c.int(2), -farthest), farthest)), 0)
	}
	if rest, ok := strings.CutPrefix(format, "!"); ok {
		format, at = rest, at.UTC()
	} else {
		at = at.Local()
	}
	if strings.HasPrefix(format, "*t") {
		return c.ret(dateTable(c, at))
	}
	var b strings.Builder
	for i := 0; i < len(format); i++ {
		if format[i] != '%' || i+1 == len(format) {
			b.WriteByte(format[i])
			continue
		}
		i++
		if s, ok := dateField(at, format[i]); ok {
			b.WriteString(s)
		} else {
			c.badArg(1, "'%%%c' is not a part of a date", format[i])
		}
		c.tooLong(b.Len())
	}
	return c.retString(b.String())
}

func dateTable(c call, at time.Time) *lua.LTable {
	t := c.NewTable()
	for k, v := range map[string]int{
		"year": at.Year(), "month": int(at.Month()), "day": at.Day(), "hour": at.Hour(), "min": at.Minute(),
		"sec": at.Second(), "wday": int(at.Weekday()) + 1, "yday": at.YearDay(),
	} {
		t.RawSetString(k, lua.LNumber(v))
	}
	t.RawSetString("isdst", lua.LBool(at.IsDST()))
	return t
}

// dateLayouts are the parts of a date of strftime in the C locale, as layouts of Go.
var dateLayouts = map[byte]string{
	'a': "Mon", 'A': "Monday", 'b': "Jan", 'B': "January", 'c': "Mon Jan _2 15:04:05 2006", 'd': "02", 'D': "01/02/06",
	'e': "_2", 'F': "2006-01-02", 'h': "Jan", 'H': "15", 'I': "03", 'm': "01", 'M': "04", 'p': "PM", 'r': "03:04:05 PM",
	'R': "15:04", 'S': "05", 'T': "15:04:05", 'x': "01/02/06", 'X': "15:04:05", 'y': "06", 'Y': "2006", 'z': "-0700",
	'Z': "MST",
}

func dateField(at time.Time, verb byte) (string, bool) {
	if layout, ok := dateLayouts[verb]; ok {
		return at.Format(layout), true
	}
	yday, wday := at.YearDay()-1, int(at.Weekday())
	switch verb {
	case '%':
		return "%", true
	case 'n':
		return "\n", true
	case 't':
		return "\t", true
	case 'j':
		return fmt.Sprintf("%03d", yday+1), true
	case 'w':
		return fmt.Sprint(wday), true
	case 's':
		return fmt.Sprint(at.Unix()), true
	case 'U': // week of the year, from the first Sunday on
		return fmt.Sprintf("%02d", (yday+7-wday)/7), true
	case 'W': // from the first Monday on
		return fmt.Sprintf("%02d", (yday+7-(wday+6)%7)/7), true
	}
	return "", false
}
