package luaapi

import (
	"fmt"

	"github.com/prochost/prochost/luaapi/recipe"
	"github.com/prochost/prochost/notify/spell"
	lua "github.com/yuin/gopher-lua"
)

// schema is the list of the keys of one table. It is the only such list: decoding, the search for what a
// misspelt key means, and the reference all read it.
type schema[T any] []row[T]

// row is one key.
type row[T any] struct {
	name   string
	also   []string      // what it is called elsewhere: never accepted, but understood when a key is unknown
	same   string        // a second name that is accepted
	typ    string        // as the reference writes it
	change recipe.Change // what a change asks for; a key within a table has that of its table
	help   string        // one line
	keys   documented    // its own keys, where it is a table
	read   func(v value, to *T)
}

// read reads the table v into to and reports whether all went well. what says what is wanted instead of
// anything but a table.
func (s schema[T]) read(v value, what string, to *T) bool {
	t, ok := v.LValue.(*lua.LTable)
	if !ok {
		v.want(what)
		return false
	}
	before := v.in.count()
	rest := map[any]value{}
	var keys []value
	for _, f := range v.fields(t) {
		rest[f.key()] = f
		keys = append(keys, f)
	}
	for _, r := range s {
		f, given := rest[r.name]
		second, also := rest[r.same]
		delete(rest, r.name)
		delete(rest, r.same)
		switch {
		case given && also && r.same != "":
			second.fail("is the same as %s: only one of them may be given", r.name)
		case given:
			r.read(f, to)
		case also && r.same != "":
			r.read(second, to)
		}
	}
	for _, f := range keys {
		if _, unknown := rest[f.key()]; unknown {
			f.unknown(s.suggestion(keyName(f.key()), v.in.count()-before))
		}
	}
	return v.in.count() == before
}

// suggestion returns the end of the message about an unknown word. The search takes a while, and of more
// troubles than are told none needs it.
func (s schema[T]) suggestion(word string, troubles int) string {
	if troubles >= maxErrors {
		return ""
	}
	if meant := s.meant(word); meant != "" {
		return fmt.Sprintf("; did you mean %q?", meant)
	}
	return ""
}

// meant returns the key that a word which is none most likely stands for, or "".
func (s schema[T]) meant(word string) string {
	key := map[string]string{} // by every word for it
	var words []string
	for _, r := range s {
		for _, w := range append([]string{r.name}, r.also...) {
			key[w] = r.name
			words = append(words, w)
		}
	}
	if k := key[word]; k != "" {
		return k
	}
	return key[spell.Nearest(word, words)]
}

// lacks reports whether the table v has no key name, nor another that probably was to be it: that one has
// been told of.
func (s schema[T]) lacks(v value, name string) bool {
	t, ok := v.LValue.(*lua.LTable)
	if !ok || t.RawGetString(name) != lua.LNil {
		return false
	}
	known := map[string]bool{}
	for _, r := range s {
		known[r.name], known[r.same] = true, true
	}
	lacks, unknown := true, 0
	t.ForEach(func(k, _ lua.LValue) {
		word, ok := k.(lua.LString)
		if !ok || known[string(word)] || unknown == maxErrors {
			return
		}
		unknown++
		lacks = lacks && s.meant(string(word)) != name
	})
	return lacks
}

// documented is what the reference needs of a schema.
type documented interface{ docs() []doc }

type doc struct {
	name, typ, help string
	change          recipe.Change
	keys            documented
}

func (s schema[T]) docs() []doc {
	docs := make([]doc, len(s))
	for i, r := range s {
		docs[i] = doc{r.name, r.typ, r.help, r.change, r.keys}
	}
	return docs
}
