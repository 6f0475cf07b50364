package vm

import "fmt"

// SyntaxError says why a source is not a Lua program.
type SyntaxError struct {
	Chunk string
	Line  int // of the token at fault, or the last line where the end of the file is
	// Column counts bytes from 1; it is 0 where only the line is known.
	Column int
	// Message names what was found and what is probably meant. It does not repeat the position.
	Message string
}

// Error implements error, such as `prochost.lua:12: '}' is missing ...`.
func (e *SyntaxError) Error() string { return fmt.Sprintf("%s:%d: %s", e.Chunk, e.Line, e.Message) }
