package luaapi

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/prochost/prochost/notify/spell"
)

// MaxName is how long the name of a process may be, in bytes.
const MaxName = 100

// nameRule is the rule that checkName holds, for people.
const nameRule = "letters of any script, digits, and - _ . : @ + between them, with single spaces inside; at most 100 bytes"

// CheckName reports what is wrong with the name of a process; nil: nothing.
func CheckName(name string) error { return checkName(name) }

// Nearest returns the one of known that word is most likely a misspelling of, or "".
func Nearest(word string, known []string) string { return spell.Nearest(word, known) }

// checkName reports what is wrong with the name of a process. A name is typed at a command line, stands
// before every line of output and may be part of a file's name: it begins with a letter, a digit or an
// underscore, and nothing in it is special to a shell's globs, to a path or to a terminal.
func checkName(name string) error {
	first, _ := utf8.DecodeRuneInString(name)
	switch {
	case name == "":
		return fmt.Errorf("a name cannot be empty")
	case len(name) > MaxName:
		return fmt.Errorf("a name has at most %d bytes, this one has %d", MaxName, len(name))
	case !utf8.ValidString(name):
		return fmt.Errorf("a name must be UTF-8")
	case name == "." || name == "..":
		return fmt.Errorf("this name is taken by directories")
	case name[0] == '-':
		return fmt.Errorf("a name cannot begin with a dash: it would be read as a flag")
	case strings.TrimSpace(name) != name || strings.Contains(name, "  "):
		return fmt.Errorf("spaces in a name stand alone, between other characters")
	}
	for _, r := range name {
		switch {
		case unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector):
			return fmt.Errorf("a name cannot hold the invisible character %U", r)
		case unicode.IsLetter(r), unicode.IsDigit(r), unicode.IsMark(r), strings.ContainsRune("-_.:@+ ", r):
		case unicode.IsControl(r):
			return fmt.Errorf("a name cannot hold control characters")
		default:
			return fmt.Errorf("a name cannot hold %q; allowed are %s", r, nameRule)
		}
	}
	if !unicode.IsLetter(first) && !unicode.IsDigit(first) && first != '_' {
		return fmt.Errorf("a name begins with a letter, a digit or an underscore")
	}
	return nil
}
