package console

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/prochost/prochost/host/api"
	"github.com/prochost/prochost/notify"
	"github.com/prochost/prochost/notify/text"
)

// recipe shows the outcome of a load.
func (c *Console) recipe(e *api.RecipeLoaded, at int64) {
	c.path = c.shown(e.Path)
	if !e.OK {
		c.stand = e.Errors
		for _, err := range e.Errors {
			c.recipeError(at, filepath.Dir(e.Path), err)
		}
		words := "the last good recipe stays in force"
		if e.Generation == 0 {
			words = "waiting for a recipe that loads"
		}
		c.line(at, "", recipe, none, words)
		return
	}
	c.stand = nil
	for _, names := range [][]string{e.Added, e.Restarted, e.Updated, e.Kept} {
		c.gutter.know(names...)
		c.tally.declare(names)
	}
	c.tally.remove(e.Removed)
	if c.opt.Terse {
		return
	}
	if e.Generation <= 1 {
		c.line(at, "", recipe, dim, c.path+": "+notify.Count(len(e.Added), "process"))
		return
	}
	c.line(at, "", recipe, none, c.path+" reloaded: "+changes(e))
}

// Reloaded says in one line what a load has changed, or with plan what it would.
func Reloaded(e *api.RecipeLoaded, plan bool) string {
	words := filepath.Base(e.Path) + " reloaded: "
	if plan {
		words = filepath.Base(e.Path) + " would be reloaded: "
	}
	return text.Words(words+changes(e), false, maxWords)
}

// maxWords bounds a line, in bytes.
const maxWords = 4096

// changes says what a load changed.
func changes(e *api.RecipeLoaded) string {
	var parts []string
	for _, p := range []struct {
		names []string
		word  string
	}{{e.Added, "added"}, {e.Removed, "removed"}, {e.Restarted, "restarted"}, {e.Updated, "updated"}} {
		if len(p.names) > 0 {
			parts = append(parts, p.word+" "+list(p.names))
		}
	}
	switch {
	case len(parts) == 0:
		return "nothing to change"
	case len(e.Kept) > 0:
		parts = append(parts, fmt.Sprintf("%d kept", len(e.Kept)))
	}
	return strings.Join(parts, "; ")
}

func (c *Console) recipeError(at int64, dir string, e api.RecipeError) {
	first, more, _ := strings.Cut(e.Message, "\n")
	c.line(at, "", failed, none, c.place(dir, e)+": "+first)
	for _, l := range append(c.excerpt(dir, e), nonEmpty(more)...) {
		c.line(at, "", moreWords, dim, l)
	}
}

// Errors writes what is wrong with a recipe in the folder dir the way compilers do, so that editors and CI find the
// places.
func Errors(w io.Writer, opt Options, dir string, errs []api.RecipeError) error {
	c := New(opt)
	for _, e := range errs {
		first, more, _ := strings.Cut(e.Message, "\n")
		c.paint(bold, text.Visible([]byte(c.place(dir, e))))
		c.buf = append(c.buf, ": "...)
		c.buf = append(c.buf, text.Visible([]byte(first))...)
		c.buf = append(c.buf, '\n')
		for _, l := range append(c.excerpt(dir, e), nonEmpty(more)...) {
			c.paint(dim, text.Visible([]byte(l)))
			c.buf = append(c.buf, '\n')
		}
	}
	return c.Flush(w)
}

func nonEmpty(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}

// place names where an error is.
func (c *Console) place(dir string, e api.RecipeError) string {
	p := e.File
	if !filepath.IsAbs(p) {
		p = filepath.Join(dir, p)
	}
	p = c.shown(p)
	for _, n := range []int{e.Line, e.Column} {
		if n > 0 {
			p += fmt.Sprintf(":%d", n)
		}
	}
	return p
}

// shown is a path as a person is shown it: relative to the working directory, unless that is longer.
func (c *Console) shown(path string) string {
	if rel, err := filepath.Rel(c.opt.Dir, path); err == nil && len(rel) < len(path) {
		return rel
	}
	return path
}
