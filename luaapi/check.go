package luaapi

import (
	"slices"
	"strings"

	"github.com/prochost/prochost/luaapi/recipe"
)

// check looks at the recipe as a whole: at what one process says of another.
func (l *load) check() {
	for _, h := range l.named {
		if h.state == named {
			h.in.fail(nil, "has no table: the name is followed by { … }")
		}
	}
	byName := map[string]*draft{}
	var names []string
	for _, d := range l.drafts {
		byName[d.Name] = d
		names = append(names, d.Name)
	}
	suggestion := func(name string) string {
		if l.failed >= maxErrors { // the search takes a while, and nobody would see what it found
			return ""
		}
		return didYouMean(name, names)
	}
	for _, d := range l.drafts {
		for _, dep := range d.depends {
			on := byName[dep.Name]
			switch {
			case dep.Name == d.Name:
				dep.at.fail("depends on itself")
			case on == nil:
				dep.at.fail("there is no process %s%s", quote(dep.Name), suggestion(dep.Name))
			case dep.Condition == recipe.OnReady && on.Ready == nil:
				dep.at.fail("%s has no ready (%s:%d)", quote(dep.Name), on.in.at.chunk, on.in.at.line)
			}
		}
	}
	l.checkCycles(byName)
}

// checkCycles reports every cycle that a walk along the dependencies closes, each once.
func (l *load) checkCycles(byName map[string]*draft) {
	done := map[string]bool{}
	var trail []string // from where the walk began to where it is
	var walk func(d *draft)
	walk = func(d *draft) {
		trail = append(trail, d.Name)
		for _, dep := range d.depends {
			on := byName[dep.Name]
			if on == nil || on == d || done[dep.Name] {
				continue
			}
			if i := slices.Index(trail, dep.Name); i >= 0 {
				dep.at.fail("dependency cycle: %s", strings.Join(append(trail[i:len(trail):len(trail)], dep.Name), " → "))
				continue
			}
			walk(on)
		}
		trail = trail[:len(trail)-1]
		done[d.Name] = true
	}
	for _, d := range l.drafts {
		if !done[d.Name] {
			walk(d)
		}
	}
}
