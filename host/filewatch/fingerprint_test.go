package filewatch

import (
	"crypto/sha256"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestFingerprint(t *testing.T) {
	d := newDir(t)
	d.write("dev.lua", "one")
	d.write("empty", "")
	d.mkdir("conf.d")
	d.write("conf.d/b", "")
	d.write("conf.d/a", "")
	d.link("dev.lua", "link")
	d.link("conf.d", "dirlink")
	d.link("nowhere", "dangling")
	d.link("loop", "loop")
	require.NoError(t, syscall.Mkfifo(d.at("pipe"), 0o644))

	missing := File{Missing: true}
	hash := func(content string) File { return File{Hash: sha256.Sum256([]byte(content))} }
	for path, want := range map[string]File{
		"dev.lua":                    hash("one"),
		"link":                       hash("one"),
		"empty":                      hash(""),
		"conf.d":                     hash("directory\x00a\x00b\x00"),
		"dirlink":                    hash("directory\x00a\x00b\x00"),
		"absent":                     missing,
		"absent/dev.lua":             missing,
		"dev.lua/x":                  missing,
		"dangling":                   missing,
		"loop":                       missing,
		"pipe":                       missing, // and it does not wait for a writer
		"nul\x00":                    missing,
		strings.Repeat("long", 1000): missing,
	} {
		want.Path = d.path + "/" + path
		assert.Equal(t, want, Fingerprint(want.Path), "Fingerprint(%q)", path)
	}
}

// A file is read again unless it is provably as it was.
func TestReadKeepsWhatIsProvablyUnchanged(t *testing.T) {
	d := newDir(t)
	path := d.at("dev.lua")
	later := time.Now().Add(time.Minute)
	forged := [sha256.Size]byte{1} // what is kept shows by this
	reread := func(t *testing.T, at time.Time, change func()) bool {
		d.remove("dev.lua")
		one(d)
		before, err := read(path, reading{}, at)
		require.NoError(t, err)
		before.file.Hash = forged
		change()
		after, err := read(path, before, at)
		require.NoError(t, err)
		return after.file.Hash != forged
	}
	nothing := func() {}
	assert.False(t, reread(t, later, nothing), "unchanged")
	assert.True(t, reread(t, time.Now(), nothing), "it may change again within the step of its clock")
	assert.True(t, reread(t, later, func() { d.write("dev.lua", "longer") }), "another size")
	assert.True(t, reread(t, later, func() { d.save("dev.lua", "two") }), "another file")
	assert.True(t, reread(t, later, func() { d.remove("dev.lua") }), "removed")
	assert.True(t, reread(t, later, func() {
		info, err := os.Stat(path)
		require.NoError(t, err)
		at := changeTime(info)
		for changeTime(info).Equal(at) { // until the clock of the file system has moved on
			d.write("dev.lua", "two")
			require.NoError(t, os.Chtimes(path, info.ModTime(), info.ModTime()))
			info, err = os.Stat(path)
			require.NoError(t, err)
		}
	}), "same size, times set back")
	assert.True(t, reread(t, later, func() {
		d.write("dev.lua", "")
		before, err := read(path, reading{}, later)
		require.NoError(t, err)
		assert.Nil(t, before.info, "an empty file may be one of the proc file system")
	}))
}

// What cannot be known is neither missing nor a change.
func TestReadTellsMissingFromUnknown(t *testing.T) {
	for _, err := range []error{syscall.ENOENT, syscall.ENOTDIR, syscall.EACCES, syscall.EPERM, syscall.ELOOP} {
		r, got := missing("x", &os.PathError{Op: "open", Path: "x", Err: err})
		assert.NoError(t, got, err)
		assert.Equal(t, File{Path: "x", Missing: true}, r.file, err)
	}
	for _, err := range []error{syscall.EMFILE, syscall.ENFILE, syscall.ENOMEM, syscall.EIO, syscall.ESTALE} {
		_, got := missing("x", &os.PathError{Op: "open", Path: "x", Err: err})
		assert.ErrorIs(t, got, err)
	}
}
