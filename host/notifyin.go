package host

import (
	"errors"
	"fmt"

	"github.com/prochost/prochost/host/api"
	"github.com/prochost/prochost/notify"
)

// notifyConfig reads the notify setting of an input; all of it is refused if anything in it is wrong.
func notifyConfig(in *api.NotifyIn) (notify.Config, error) {
	var c notify.Config
	if in == nil {
		return c, nil
	}
	for _, w := range []struct {
		field, word string
		wish        *notify.Wish
	}{
		{"onSuccess", in.OnSuccess, &c.OnSuccess}, {"onFailure", in.OnFailure, &c.OnFailure}, {"onKilled", in.OnKilled, &c.OnKilled},
	} {
		if w.word == "" {
			continue
		}
		var err error
		if *w.wish, err = notify.ParseWish(w.word); err != nil {
			return c, api.Invalid("notify."+w.field, "%v", err)
		}
	}
	var err error
	c.LogMatches, err = matchers("notify.logMatches", in.LogMatches)
	return c, err
}

// matchers reads log watches; at names where they stand.
func matchers(at string, in []api.MatcherIn) ([]notify.Matcher, error) {
	list := make([]notify.Matcher, len(in))
	for n, m := range in {
		one, field, err := matcher(m)
		if err != nil {
			return nil, api.Invalid(fmt.Sprintf("%s[%d].%s", at, n, field), "%v", err)
		}
		list[n] = one
	}
	if err := notify.CheckMatchers(list); err != nil {
		return nil, refusedMatchers(at, err)
	}
	return list, nil
}

func refusedMatchers(at string, err error) error {
	var m *notify.MatcherError
	if !errors.As(err, &m) {
		return api.Invalid(at, "%v", err)
	}
	field := at
	if m.Field != "" {
		field = fmt.Sprintf("%s[%d].%s", at, m.Index, m.Field)
	}
	return api.Invalid(field, "%v", m.Err)
}

func matcher(in api.MatcherIn) (m notify.Matcher, field string, err error) {
	m.Pattern, m.Repeat = in.Pattern, in.Repeat
	if in.Mode != "" {
		if m.Mode, err = notify.ParseMode(in.Mode); err != nil {
			return m, "mode", err
		}
	}
	if in.Stream != "" {
		if m.Stream, err = notify.ParseStreamFilter(in.Stream); err != nil {
			return m, "stream", err
		}
	}
	if in.On != "" {
		if err = m.On.UnmarshalText([]byte(in.On)); err != nil {
			return m, "on", err
		}
	}
	return m, "", nil
}

// matcherWire is a watch in the form of the wire.
func matcherWire(m notify.Matcher) api.MatcherIn {
	return api.MatcherIn{
		Pattern: m.Pattern, Mode: m.Mode.String(), Stream: m.Stream.String(), Repeat: m.Repeat, On: m.On.String(),
	}
}
