package main

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/prochost/prochost/host/api"
	"github.com/prochost/prochost/notify/spell"
)

// target is a process that a verb is about.
type target struct {
	ref  string // by which the host knows it: an id or a name
	name string
	info api.Info
}

// unknownName says which words are the name of no process.
type unknownName struct {
	words, known []string
}

func (u *unknownName) Error() string {
	var lines []string
	for _, w := range u.words {
		s := fmt.Sprintf("no process is named %q", w)
		if isGlob(w) {
			s = fmt.Sprintf("no process has a name like %q", w)
		}
		switch near := spell.Nearest(w, u.known); {
		case near != "":
			s += fmt.Sprintf("; did you mean %q?", near)
		case len(u.known) == 0:
			s += "; there is none at all"
		case len(u.words) == 1:
			s += "; there are: " + andMore(u.known)
		}
		lines = append(lines, s)
	}
	return strings.Join(lines, "\n")
}

// choose returns the processes that names, ids and globs mean among all that a host lists, in the order of the words,
// each once. A glob means every live instance whose name it meets, and of a name that no live one bears the newest.
func choose(all []api.Info, words []string) ([]target, error) {
	var chosen []target
	unknown := unknownName{known: namesOf(all)}
	for _, w := range words {
		found := meant(all, unknown.known, w)
		if len(found) == 0 {
			unknown.words = append(unknown.words, w)
		}
		for _, t := range found {
			if !slices.ContainsFunc(chosen, t.same) {
				chosen = append(chosen, t)
			}
		}
	}
	if len(unknown.words) > 0 {
		return nil, &unknown
	}
	return chosen, nil
}

// same reports whether two targets are one process.
func (t target) same(o target) bool {
	return t.name == o.name && (t.info.ID == o.info.ID || t.info.ID == "" || o.info.ID == "")
}

// namedBy reports whether one of words is the name or the id of t, and no glob.
func namedBy(words []string, t target) bool { return slices.Contains(words, t.ref) }

// meant returns what one word means.
func meant(all []api.Info, names []string, word string) []target {
	for _, p := range all {
		if p.ID == word && word != "" {
			return []target{{ref: word, name: p.Name, info: p}}
		}
	}
	if slices.Contains(names, word) { // if several live ones bear it the host says so
		return []target{{ref: word, name: word, info: bearer(all, word)}}
	}
	var found []target
	for _, name := range names {
		if !matches(word, name) {
			continue
		}
		n := len(found)
		for _, p := range all {
			if p.Name == name && p.Live() {
				found = append(found, target{ref: p.ID, name: name, info: p})
			}
		}
		if len(found) == n {
			found = append(found, target{ref: name, name: name, info: bearer(all, name)})
		}
	}
	return found
}

// bearer returns what stands for a name: the live instance, else the process of the recipe, else the newest instance.
func bearer(all []api.Info, name string) api.Info {
	var best api.Info
	for _, p := range all {
		if p.Name == name && (p.Live() || !best.Live() && (p.ID == "" || best.Name == "" || best.ID != "")) {
			best = p
		}
	}
	return best
}

// namesOf returns the names of processes, each once.
func namesOf(all []api.Info) []string {
	var names []string
	seen := map[string]bool{}
	for _, p := range all {
		if !seen[p.Name] {
			seen[p.Name] = true
			names = append(names, p.Name)
		}
	}
	return names
}

func isGlob(word string) bool { return strings.ContainsAny(word, `*?[`) }

func matches(glob, name string) bool {
	ok, err := path.Match(glob, name)
	return ok && err == nil
}

// andMore lists names, and of many the first ones.
func andMore(names []string) string {
	const most = 8
	if len(names) > most {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
	}
	return strings.Join(names, ", ")
}

// errNoneRuns says that globs mean processes of which none runs.
var errNoneRuns = errors.New("no process that is meant runs")
