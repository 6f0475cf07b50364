package filewatch

import (
	"testing"

	"github.com/fsnotify/fsnotify"
	"github.com/stretchr/testify/assert"
)

func TestDirectoryThatMovesHasToBeWatchedAnew(t *testing.T) {
	w := watches{interest: newInterest(true), dirs: map[string]*watched{"/home": {}, "/home/src": {}, "/tmp": {}}}
	w.heed(fsnotify.Event{Name: "//home", Op: fsnotify.Rename})
	w.heed(fsnotify.Event{Name: "/home/src", Op: fsnotify.Remove})
	w.heed(fsnotify.Event{Name: "//tmp", Op: fsnotify.Chmod})
	assert.Equal(t, map[string]*watched{"/tmp": {}}, w.dirs)
}

func TestInterest(t *testing.T) {
	i := newInterest(true)
	for _, name := range []string{"home", "src", "Dev.lua", "conf.d"} {
		i.name(name)
	}
	i.list("/home/src/conf.d")
	vague := newInterest(false)
	for _, c := range []struct {
		path string
		op   fsnotify.Op
		want bool
	}{
		{"/home/src/Dev.lua", fsnotify.Write, true},
		{"/home/src/Dev.lua", fsnotify.Chmod, true},
		{"/home/src/dev.lua", fsnotify.Write, true}, // on a file system that ignores case
		{"/mnt/src/Dev.lua", fsnotify.Write, true},  // the same directory by another way
		{"/home/src/ÄNDERUNG", fsnotify.Write, true},
		{"/home/src/server.log", fsnotify.Write, false},
		{"/home/src/.Dev.lua.swp", fsnotify.Create, false},
		{"/home/src", fsnotify.Rename, true},
		{"//home", fsnotify.Rename, true},
		{"//tmp", fsnotify.Rename, false},
		{"/home/src/conf.d/a", fsnotify.Create, true},
		{"/home/src/conf.d/a", fsnotify.Remove, true},
		{"/home/src/conf.d/a", fsnotify.Rename, true},
		{"/home/src/conf.d/a", fsnotify.Write, false},
		{"/home/src/conf.d/a", fsnotify.Chmod, false},
	} {
		ev := fsnotify.Event{Name: c.path, Op: c.op}
		assert.Equal(t, c.want, i.has(ev), "has(%v)", ev)
		assert.True(t, vague.has(ev), "vague has(%v)", ev)
	}
}
