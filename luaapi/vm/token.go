package vm

// kind is what a token is. The kinds below firstWord are those with a text or an end of their own; every
// other kind is a reserved word or a symbol.
type kind uint8

const (
	tEOF kind = iota
	tName
	tString
	tNumber

	tAnd
	tBreak
	tDo
	tElse
	tElseif
	tEnd
	tFalse
	tFor
	tFunction
	tIf
	tIn
	tLocal
	tNil
	tNot
	tOr
	tRepeat
	tReturn
	tThen
	tTrue
	tUntil
	tWhile

	tConcat // ..
	tDots   // ...
	tEq     // ==
	tGe
	tLe
	tNe
	tAssign
	tPlus
	tMinus
	tStar
	tSlash
	tPercent
	tCaret
	tHash
	tLt
	tGt
	tLparen
	tRparen
	tLbrace
	tRbrace
	tLbracket
	tRbracket
	tSemicolon
	tColon
	tComma
	tDot

	numKinds int = iota
)

var kindText = [numKinds]string{
	"end of file", "name", "string", "number",
	"and", "break", "do", "else", "elseif", "end", "false", "for", "function", "if", "in", "local", "nil", "not",
	"or", "repeat", "return", "then", "true", "until", "while",
	"..", "...", "==", ">=", "<=", "~=", "=", "+", "-", "*", "/", "%", "^", "#", "<", ">", "(", ")", "{", "}",
	"[", "]", ";", ":", ",", ".",
}

var reserved = func() map[string]kind {
	words := make(map[string]kind)
	for k := tAnd; k <= tWhile; k++ {
		words[kindText[k]] = k
	}
	return words
}()

// String returns the token as it is written, or what it is where that varies.
func (k kind) String() string { return kindText[k] }

func (k kind) reserved() bool { return k >= tAnd && k <= tWhile }

// token is one token of the source with the place where it begins.
type token struct {
	kind         kind
	line, column int
	text         string  // the name, the value of the string, or the number as written
	number       float64 // value of a tNumber
}

// String names the token for a message.
func (t token) String() string {
	switch t.kind {
	case tEOF:
		return "the end of the file"
	case tName, tNumber:
		return "'" + clip(t.text) + "'"
	case tString:
		return `the string "` + clip(t.text) + `"`
	}
	return "'" + t.kind.String() + "'"
}

// clip shortens s to what a line of a message can bear.
func clip(s string) string {
	const most = 40
	for i, r := range s {
		if i >= most || r == '\n' {
			return s[:i] + "..."
		}
	}
	return s
}
