package luaapi

import (
	"github.com/prochost/prochost/luaapi/recipe"
)

// place is a line of a file that takes part in the load.
type place struct {
	chunk string // as it is shown
	line  int
}

// declaration is one call of a word, in whose name trouble is told.
type declaration struct {
	load *load
	word string // as it was called
	name string // of the process, if the word takes one
	at   place
	// direct says that the call at this place is the call of the word, not of a function that led to it:
	// only then can the table be found there as it is written.
	direct bool
}

// trouble is something wrong that does not stop the load. Its exact place is sought when the load has
// failed and not before: it takes reading the source again.
type trouble struct {
	in      *declaration
	path    path
	message string
}

// maxTroubles bounds what is kept of a load that goes wrong again and again.
const maxTroubles = 10 * maxErrors

func (d *declaration) fail(p path, message string) {
	d.load.failed++
	if len(d.load.troubles) < maxTroubles {
		d.load.troubles = append(d.load.troubles, trouble{d, p, message})
	}
}

// count is how much went wrong so far.
func (d *declaration) count() int { return d.load.failed }

// subject is what a message begins with.
func (d *declaration) subject() string {
	if d.word == "process" || d.word == "job" {
		return d.word + " " + quote(d.name)
	}
	return d.word
}

func (d *declaration) where() recipe.Place {
	return recipe.Place{File: d.load.sources[d.at.chunk].path, Line: d.at.line}
}

// resolve places the trouble on the line of the key, where the table is written out.
func (t trouble) resolve() Error {
	d := t.in
	line := d.at.line
	if s := d.load.sources[d.at.chunk]; d.direct && s != nil {
		line = s.outline().line(line, d.word, d.name, t.path)
	}
	return Error{File: d.at.chunk, Line: line, Message: d.subject() + ": " + t.message}
}

// source is a file of the user's that takes part in the load.
type source struct {
	path  string // absolute
	text  []byte
	lines *outline
}

func (s *source) outline() *outline {
	if s.lines == nil {
		s.lines = outlineOf(s.text)
	}
	return s.lines
}
