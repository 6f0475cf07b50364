package vm

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"
)

// lexer turns source into tokens, by the rules of Lua 5.1. It reports the first fault by panicking with a
// *SyntaxError, which compile recovers.
type lexer struct {
	chunk string
	src   []byte
	pos   int
	line  int
	start int // offset at which the line begins
}

func newLexer(chunk string, src []byte) *lexer {
	src = bytes.TrimPrefix(src, []byte("\xef\xbb\xbf"))
	lx := &lexer{chunk: chunk, src: src, line: 1}
	if bytes.HasPrefix(src, []byte("#")) { // a shebang line; its line end is left so that line numbers hold
		lx.skipLine()
	}
	return lx
}

func (lx *lexer) peek(ahead int) byte {
	if i := lx.pos + ahead; i < len(lx.src) {
		return lx.src[i]
	}
	return 0
}

func (lx *lexer) done() bool { return lx.pos >= len(lx.src) }

func (lx *lexer) column() int { return lx.pos - lx.start + 1 }

func (lx *lexer) fail(line, column int, message string) {
	panic(&SyntaxError{Chunk: lx.chunk, Line: line, Column: column, Message: message})
}

// newline consumes a line end: \n, \r, \r\n or \n\r.
func (lx *lexer) newline() {
	c := lx.src[lx.pos]
	lx.pos++
	if n := lx.peek(0); (n == '\n' || n == '\r') && n != c {
		lx.pos++
	}
	lx.line++
	lx.start = lx.pos
}

func (lx *lexer) skipLine() {
	for !lx.done() && lx.src[lx.pos] != '\n' && lx.src[lx.pos] != '\r' {
		lx.pos++
	}
}

// skipBlanks consumes white space and comments.
func (lx *lexer) skipBlanks() {
	for !lx.done() {
		switch c := lx.src[lx.pos]; {
		case c == '\n' || c == '\r':
			lx.newline()
		case c == ' ' || c == '\t' || c == '\v' || c == '\f':
			lx.pos++
		case c == '-' && lx.peek(1) == '-':
			line, column := lx.line, lx.column()
			lx.pos += 2
			if level := lx.longBracket(); level >= 0 {
				lx.long(level, "comment", line, column)
			} else {
				lx.skipLine()
			}
		default:
			return
		}
	}
}

// next returns the next token.
func (lx *lexer) next() token {
	lx.skipBlanks()
	t := token{line: lx.line, column: lx.column()}
	if lx.done() {
		return t
	}
	c := lx.src[lx.pos]
	switch {
	case isLetter(c):
		from := lx.pos
		for isLetter(lx.peek(0)) || isDigit(lx.peek(0)) {
			lx.pos++
		}
		t.text = string(lx.src[from:lx.pos])
		t.kind = tName
		if k, ok := reserved[t.text]; ok {
			t.kind = k
		}
	case isDigit(c) || c == '.' && isDigit(lx.peek(1)):
		lx.number(&t)
	case c == '"' || c == '\'':
		t.kind = tString
		t.text = lx.quoted(c)
	case c == '[' && lx.longBracket() >= 0:
		t.kind = tString
		t.text = lx.long(lx.longBracket(), "string", t.line, t.column)
	default:
		t.kind = lx.symbol()
	}
	return t
}

// number reads a number the way Lua 5.1 does: greedily, then it must make sense as a whole.
func (lx *lexer) number(t *token) {
	from := lx.pos
	for isDigit(lx.peek(0)) || lx.peek(0) == '.' {
		lx.pos++
	}
	if c := lx.peek(0); c == 'e' || c == 'E' {
		lx.pos++
		if c := lx.peek(0); c == '+' || c == '-' {
			lx.pos++
		}
	}
	for isLetter(lx.peek(0)) || isDigit(lx.peek(0)) {
		lx.pos++
	}
	t.kind, t.text = tNumber, string(lx.src[from:lx.pos])
	v, ok := parseNumber(t.text)
	if !ok {
		lx.fail(t.line, t.column, "malformed number '"+clip(t.text)+"'")
	}
	t.number = v
}

var simpleEscapes = map[byte]byte{'a': '\a', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t', 'v': '\v'}

func (lx *lexer) quoted(quote byte) string {
	line, column := lx.line, lx.column()
	lx.pos++
	var b strings.Builder
	for {
		if lx.done() || lx.src[lx.pos] == '\n' || lx.src[lx.pos] == '\r' {
			lx.fail(line, column, "unfinished string: the closing "+string(quote)+" is missing on its line")
		}
		c := lx.src[lx.pos]
		lx.pos++
		switch c {
		case quote:
			return b.String()
		case '\\':
			lx.escape(&b, line, column, quote)
		default:
			b.WriteByte(c)
		}
	}
}

func (lx *lexer) escape(b *strings.Builder, line, column int, quote byte) {
	if lx.done() {
		lx.fail(line, column, "unfinished string: the closing "+string(quote)+" is missing")
	}
	c := lx.src[lx.pos]
	switch {
	case c == '\n' || c == '\r':
		lx.newline()
		b.WriteByte('\n')
	case isDigit(c):
		v := 0
		for i := 0; i < 3 && isDigit(lx.peek(0)); i++ {
			v = v*10 + int(lx.src[lx.pos]-'0')
			lx.pos++
		}
		if v > 255 {
			lx.fail(lx.line, lx.column(), `escape sequence too large: \ddd goes up to \255`)
		}
		b.WriteByte(byte(v))
	default:
		lx.pos++
		if e, ok := simpleEscapes[c]; ok {
			c = e
		}
		b.WriteByte(c)
	}
}

// longBracket returns the level of the long bracket that opens here, or -1 if none does.
func (lx *lexer) longBracket() int {
	if lx.peek(0) != '[' {
		return -1
	}
	level := 0
	for lx.peek(1+level) == '=' {
		level++
	}
	if lx.peek(1+level) != '[' {
		return -1
	}
	return level
}

// long reads the rest of a long string or comment that opens here at level.
func (lx *lexer) long(level int, what string, line, column int) string {
	lx.pos += level + 2
	if c := lx.peek(0); !lx.done() && (c == '\n' || c == '\r') {
		lx.newline()
	}
	closing := []byte("]" + strings.Repeat("=", level) + "]")
	var b strings.Builder
	for !lx.done() {
		c := lx.src[lx.pos]
		switch {
		case c == ']' && bytes.HasPrefix(lx.src[lx.pos:], closing):
			lx.pos += len(closing)
			return b.String()
		case c == '\n' || c == '\r':
			lx.newline()
			b.WriteByte('\n')
		default:
			b.WriteByte(c)
			lx.pos++
		}
	}
	lx.fail(line, column, "unfinished long "+what+": the closing "+string(closing)+" is missing")
	return ""
}

// symbols lists the symbols by their first byte, the longest first.
var symbols = func() (by [256][]kind) {
	for k := tConcat; int(k) < numKinds; k++ {
		c := kindText[k][0]
		by[c] = append(by[c], k)
		slices.SortStableFunc(by[c], func(a, b kind) int { return len(kindText[b]) - len(kindText[a]) })
	}
	return by
}()

// foreign explains symbols that other languages have in place of Lua's.
var foreign = []struct{ text, hint string }{
	{"!=", "'!=' is written '~=' in Lua"},
	{"&&", "'&&' is written 'and' in Lua"},
	{"||", "'||' is written 'or' in Lua"},
	{"!", "'!' is written 'not' in Lua"},
	{"\u201c", "a typographic quote: strings are written with \" or '"},
	{"\u201d", "a typographic quote: strings are written with \" or '"},
	{"\u2018", "a typographic quote: strings are written with \" or '"},
	{"\u2019", "a typographic quote: strings are written with \" or '"},
	{"`", "a backquote: strings are written with \", ' or [[ ]]"},
}

func (lx *lexer) symbol() kind {
	rest := lx.src[lx.pos:]
	for _, k := range symbols[rest[0]] {
		if text := kindText[k]; len(text) <= len(rest) && string(rest[:len(text)]) == text {
			lx.pos += len(text)
			return k
		}
	}
	for _, f := range foreign {
		if bytes.HasPrefix(rest, []byte(f.text)) {
			lx.fail(lx.line, lx.column(), f.hint)
		}
	}
	r, size := utf8.DecodeRune(rest)
	if r == utf8.RuneError && size < 2 {
		lx.fail(lx.line, lx.column(), "unexpected byte "+quoteByte(rest[0]))
	}
	lx.fail(lx.line, lx.column(), "unexpected character '"+string(r)+"'")
	return tEOF
}

func quoteByte(c byte) string {
	const hex = "0123456789abcdef"
	return "0x" + string([]byte{hex[c>>4], hex[c&15]})
}

func isLetter(c byte) bool { return c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z' }
func isDigit(c byte) bool  { return c >= '0' && c <= '9' }
