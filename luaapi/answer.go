package luaapi

import (
	"fmt"

	"github.com/prochost/prochost/notify"
	lua "github.com/yuin/gopher-lua"
)

// answer is what a hook returned.
type answer struct {
	words *notify.Words // nil: the next hook is to be asked
	stray string        // what it returned beside words, or ""
}

var answerKeys = []string{"summary", "body"}

// readAnswer takes a string, a table with summary and body, or nothing. There is room for text in it and
// for nothing else.
func readAnswer(returned []lua.LValue) (a answer, err error) {
	if len(returned) == 0 {
		return answer{}, nil
	}
	switch v := returned[0].(type) {
	case *lua.LNilType:
		return answer{}, nil
	case lua.LString:
		w := notify.ParseWords(string(v))
		a.words = &w
	case *lua.LTable:
		var w notify.Words
		if w.Summary, err = stringField(v, "summary", false); err != nil {
			return answer{}, err
		}
		if w.Body, err = stringField(v, "body", true); err != nil {
			return answer{}, err
		}
		a.words, a.stray = &w, strayField(v)
	default:
		return answer{}, fmt.Errorf("returned %s, want a string, a table or nil", describe(v))
	}
	// Only what the message makes of it tells whether anything can be seen.
	if _, err := (notify.Notification{}).Message(0, a.words); err != nil {
		return answer{}, fmt.Errorf("returned words that cannot be used: %w", notify.ErrBlank)
	}
	return a, nil
}

func stringField(t *lua.LTable, key string, optional bool) (string, error) {
	switch v := t.RawGetString(key).(type) {
	case lua.LString:
		return string(v), nil
	case *lua.LNilType:
		if !optional {
			return "", fmt.Errorf("returned a table without %s", key)
		}
		return "", nil
	default:
		return "", fmt.Errorf("returned %s as %s, want a string", describe(v), key)
	}
}

// strayField describes a key that has no meaning; of several the first by name.
func strayField(t *lua.LTable) string {
	least := ""
	t.ForEach(func(k, _ lua.LValue) {
		if s, ok := k.(lua.LString); ok && (s == "summary" || s == "body") {
			return
		}
		if s := k.String(); least == "" || s < least {
			least = s
		}
	})
	if least == "" {
		return ""
	}
	return fmt.Sprintf("returned the unknown key %s beside summary and body%s", quote(least), didYouMean(least, answerKeys))
}
