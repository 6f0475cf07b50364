package luaapi

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"

	"github.com/joho/godotenv"
)

// dotenvError is a line of a file of variables that cannot be read. Its message holds nothing of the values,
// which may be secrets.
type dotenvError struct {
	line    int
	message string
}

func (e *dotenvError) Error() string { return fmt.Sprintf("line %d: %s", e.line, e.message) }

var reference = regexp.MustCompile(`\$\{?([A-Z0-9_]+)`)

// parseDotenv reads a file of variables. A name after a dollar sign stands for the variable above it in the
// file, else for that of env: the parser itself knows the file alone, and would make PATH=$PATH:bin a path
// of one directory.
func parseDotenv(src []byte, env variables) (variables, error) {
	src = bytes.ReplaceAll(bytes.TrimPrefix(src, []byte("\ufeff")), []byte("\r\n"), []byte("\n"))
	if i := bytes.IndexByte(src, 0); i >= 0 {
		return nil, &dotenvError{1 + bytes.Count(src[:i], []byte("\n")), "a NUL byte cannot be passed on"}
	}
	// What is referred to is defined in front, as tokens that are put right afterwards: a value could not be
	// written there, for the parser would read it.
	var prelude strings.Builder
	tokens := map[string]string{}
	var values []string // token, value, token, value …
	for _, m := range reference.FindAllSubmatch(src, -1) {
		name := string(m[1])
		text, set := env.lookup(name)
		if _, done := tokens[name]; done || !set {
			continue
		}
		tokens[name] = fmt.Sprintf("\uf8ff%d\uf8ff", len(tokens))
		values = append(values, tokens[name], text)
		fmt.Fprintf(&prelude, "%s=%s\n", name, tokens[name])
	}
	read, err := godotenv.UnmarshalBytes(append([]byte(prelude.String()), src...))
	if err != nil {
		return nil, findDotenvError(src)
	}
	put := strings.NewReplacer(values...)
	vars := variables{}
	for name, text := range read {
		if !goodName(name) {
			return nil, findDotenvError(src)
		}
		if token, referred := tokens[name]; referred && text == token {
			continue // the file does not set it, or sets it to what it is
		}
		text = put.Replace(text)
		vars[name] = &text
	}
	return vars, nil
}

// goodName reports whether the parser read a name. It takes a line without a value for a value without a
// name, and "A B" for a name.
func goodName(name string) bool { return name != "" && !strings.ContainsAny(name, " \t\v\f") }

// findDotenvError goes through the statements of a file that could not be read and names the first that is
// wrong: the parser's own errors have no line, and they quote the rest of the file.
func findDotenvError(src []byte) *dotenvError {
	wrong := func(rest []byte, message string) *dotenvError {
		return &dotenvError{1 + bytes.Count(src[:len(src)-len(rest)], []byte("\n")), message}
	}
	rest := src
	for {
		rest = bytes.TrimLeft(rest, " \t\v\f\r\n")
		if len(rest) == 0 {
			return wrong(src, "cannot be read")
		}
		line, after, _ := bytes.Cut(rest, []byte("\n"))
		vars, err := godotenv.UnmarshalBytes(line)
		if err == nil {
			for name := range vars {
				if !goodName(name) {
					return wrong(rest, "want NAME=value")
				}
			}
			rest = after
			continue
		}
		open, isOpen := strings.CutPrefix(err.Error(), "unterminated quoted value ")
		if !isOpen {
			message, _, _ := strings.Cut(err.Error(), " near ")
			return wrong(rest, message)
		}
		begin := bytes.LastIndex(line, []byte(open))
		end := closingQuote(rest[begin:])
		if end < 0 {
			return wrong(rest, "a quote is opened and never closed")
		}
		rest = rest[begin+end+1:]
	}
}

// closingQuote returns the index of the quote that closes the one at the start of s, or -1.
func closingQuote(s []byte) int {
	for i := 1; i < len(s); i++ {
		if s[i] == s[0] && s[i-1] != '\\' {
			return i
		}
	}
	return -1
}
