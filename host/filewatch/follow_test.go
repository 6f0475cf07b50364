package filewatch

import (
	"errors"
	"slices"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestFollowWatchesEachDirectoryThatDecides(t *testing.T) {
	d := newDir(t)
	d.mkdir("p/q")
	d.write("p/q/dev.lua", "")
	d.mkdir("links")
	d.link("../p/q/dev.lua", "links/relative.lua")
	d.link(d.at("p/q/dev.lua"), "links/absolute.lua")
	d.link("p/q", "short")
	d.link("loop", "loop")

	for name, c := range map[string]struct {
		path  string
		every []string // relative to d, beside d itself and what is above
		few   []string // relative to d, and nothing beside
	}{
		"file":                  {"p/q/dev.lua", []string{"p", "p/q"}, []string{"p/q"}},
		"relative link":         {"links/relative.lua", []string{"links", "p", "p/q"}, []string{"links", "p/q"}},
		"absolute link":         {"links/absolute.lua", []string{"links", "p", "p/q"}, []string{"links", "p/q"}},
		"link to a directory":   {"short/dev.lua", []string{"p", "p/q"}, []string{".", "p/q"}},
		"missing file":          {"p/x.lua", []string{"p"}, []string{"p"}},
		"missing directories":   {"x/y/z.lua", nil, []string{"."}},
		"file on the way":       {"p/q/dev.lua/x", []string{"p", "p/q"}, []string{"p/q"}},
		"directory":             {"p/q", []string{"p", "p/q"}, []string{"p", "p/q"}},
		"link that is a loop":   {"loop/x", nil, []string{"."}},
		"dots":                  {"p/./q/../q//dev.lua", []string{"p", "p/q"}, []string{"p/q"}},
		"dots after a link":     {"short/../x.lua", []string{"p"}, []string{".", "p"}},
		"directory by its link": {"short/", []string{"p", "p/q"}, []string{".", "p", "p/q"}},
	} {
		t.Run(name, func(t *testing.T) {
			for _, every := range []bool{true, false} {
				var want []string
				relative := c.few
				if every {
					want, relative = above(d.path), c.every
				}
				for _, dir := range relative {
					want = append(want, d.at(dir))
				}
				slices.Sort(want)

				sys := everything()
				sys.everyDir = every
				fake := &fake{}
				w := watches{sys: *sys, open: fake.source}
				w.begin()
				assert.NoError(t, w.follow(d.path+"/"+c.path))
				assert.Equal(t, want, fake.watched(), "every directory: %v", every)
				assert.False(t, w.sweep(), "sweep of a first round")
			}
		})
	}
}

// An entry is seen to if its directory is watched, or if it is a watched directory.
func TestCoverage(t *testing.T) {
	first, second := errors.New("first"), errors.New("second")
	for name, c := range map[string]struct {
		steps []any // an error or nil: a directory entered; "look": the entry in it is no directory
		want  error
	}{
		"all watched":                     {[]any{nil, nil, "look"}, nil},
		"above, but not the last":         {[]any{first, nil, "look"}, nil},
		"only the last":                   {[]any{nil, first, "look"}, first},
		"two in a row":                    {[]any{first, second, nil, "look"}, first},
		"two apart":                       {[]any{first, nil, second, nil, "look"}, nil},
		"of a symlink":                    {[]any{first, "look", nil, "look"}, first},
		"of a symlink, and another later": {[]any{first, "look", nil, second, "look"}, first},
		"none":                            {[]any{first, first, "look"}, first},
	} {
		t.Run(name, func(t *testing.T) {
			var cov coverage
			for _, s := range c.steps {
				if s == "look" {
					cov.looked()
					continue
				}
				err, _ := s.(error)
				cov.entered(err)
			}
			assert.Equal(t, c.want, cov.err)
		})
	}
}

// A directory that is gone when it is to be watched means that the path was changed meanwhile.
func TestFollowTriesAgainWhenADirectoryVanishes(t *testing.T) {
	d := newDir(t)
	inP(d)
	fake := &fake{}
	fake.refuse = func(dir string) error {
		if dir == d.at("p") {
			fake.refuse = nil
			d.remove("p")
			d.mkdir("q")
			d.link("q", "p")
			return syscall.ENOENT
		}
		return nil
	}
	w := watches{sys: *everything(), open: fake.source}
	w.begin()
	assert.NoError(t, w.follow(d.at("p/dev.lua")))
	assert.Contains(t, fake.watched(), d.at("q"))
}

func TestFollowTellsWhatItCannotWatch(t *testing.T) {
	d := newDir(t)
	d.mkdir("p/q")
	d.link("p/q", "link")
	for path, covered := range map[string]bool{
		"p/dev.lua":          false,
		"p/q/dev.lua":        true, // p/q itself tells when it is gone
		"p":                  false,
		"link":               true,
		"link/dev.lua":       true,
		"p/q/../../dev.lua":  false, // nobody looks into p/q, but it has to be there
		"link/../../dev.lua": false,
		"dev.lua":            true,
	} {
		fake := &fake{refuse: func(dir string) error {
			if dir == d.at("p") {
				return errFull
			}
			return nil
		}}
		w := watches{sys: *everything(), open: fake.source}
		w.begin()
		err := w.follow(d.path + "/" + path)
		assert.Equal(t, covered, err == nil, "follow(%q) = %v", path, err)
	}
}
