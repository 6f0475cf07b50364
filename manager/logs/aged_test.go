package logs

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/prochost/prochost/manager/proc"
)

// ten writes lines of ten bytes.
func (r *rig) ten(words ...string) {
	for _, w := range words {
		r.out((w + ".........")[:9] + "\n")
	}
}

func tens(words ...string) string {
	var b strings.Builder
	for _, w := range words {
		b.WriteString((w + ".........")[:9] + "\n")
	}
	return b.String()
}

// onDisk returns what each file of stdout holds, from the newest on.
func (r *rig) onDisk() (texts []string) {
	stdout, _ := r.Files()
	paths, err := filepath.Glob(strings.TrimSuffix(stdout, ".log") + "*.log")
	require.NoError(r.tb, err)
	slices.Sort(paths)
	slices.Reverse(paths) // the plain name goes last
	slices.Reverse(paths[1:])
	for _, p := range paths {
		text, err := os.ReadFile(p)
		require.NoError(r.tb, err)
		texts = append(texts, string(text))
	}
	return texts
}

func TestManyFiles(t *testing.T) {
	r := newRigOf(t, 40, 4) // four files of ten bytes
	follower, stuck := r.Reader(View{}), r.Reader(View{})
	defer follower.Close()
	defer stuck.Close()
	stuck.Next()
	for i, w := range []string{"a", "b", "c", "d", "e", "f"} {
		r.ten(w)
		assert.Equal(t, "o:"+tens(w), read(follower))
		assert.Len(t, r.onDisk(), min(i+1, 4))
	}
	assert.Equal(t, []string{tens("f"), tens("e"), tens("d"), tens("c")}, r.onDisk())
	assert.Equal(t, Size{Kept: 40, Written: 60}, r.Sizes()[proc.Stdout])
	assert.Equal(t, "o:[gap 20]o:"+tens("c", "d", "e", "f"), read(stuck))
	assert.Equal(t, "o:"+tens("d", "e", "f"), readAll(r.Log, View{From: Tail(3)}))
	assert.LessOrEqual(t, r.bytesOnDisk()-r.indexSize(), int64(40))

	require.NoError(t, r.Close())
	assert.Equal(t, "o:[gap 20]o:"+tens("c", "d", "e", "f"), readAll(r.load(), View{}))
	follower.Close()
	stuck.Close()
	require.NoError(t, os.Remove(r.index.path))
	assert.Equal(t, "o:"+tens("c", "d", "e", "f"), readAll(r.load(), View{}), "without an index the first that is kept is the first")
	require.NoError(t, r.Remove())
	assert.Empty(t, r.onDiskAtAll())
}

func (r *rig) onDiskAtAll() []string {
	paths, err := filepath.Glob(filepath.Join(r.dir, "*"))
	require.NoError(r.tb, err)
	return paths
}

// failing lets so many renames work.
type failing struct {
	disk
	works int
}

func (d *failing) rename(from, to string) error {
	if d.works == 0 {
		return &os.LinkError{Op: "rename", Old: from, New: to, Err: syscall.EIO}
	}
	d.works--
	return d.disk.rename(from, to)
}

// TestRotationThatFailsHalfway lets a rotation fail after each of its renames, and then go on.
func TestRotationThatFailsHalfway(t *testing.T) {
	for works := range 3 {
		for _, old := range [][]string{{"b", "c", "d"}, {"a", "b", "c", "d"}} { // with and without one that has to go
			r := newRigOf(t, 40, 4)
			r.ten(old...)
			bad := &failing{r.disk, works}
			r.opt.disk = bad
			r.ten("lost")
			assert.NotEmpty(t, r.troubles)
			late := readAll(r.crash(), View{})
			assert.Contains(t, late, tens("b", "c", "d")[10*max(0, len(old)-3):], "a crash then loses nothing more")
			bad.works = 100
			r.pass(lastPause)
			r.ten("e")
			kept := append(slices.Clone(old), "e")
			kept = kept[len(kept)-4:]
			want := slices.Clone(kept)
			slices.Reverse(want)
			var texts []string
			for _, w := range want {
				texts = append(texts, tens(w))
			}
			assert.Equal(t, texts, r.onDisk(), "after %d renames", works)
			got := readAll(r.Log, View{})
			for _, w := range kept {
				assert.Contains(t, got, tens(w))
			}
			require.NoError(t, r.Close())
			got = readAll(r.load(), View{})
			for _, w := range kept {
				assert.Contains(t, got, tens(w))
			}
		}
	}
}

func TestOlderFileThatIsTakenAway(t *testing.T) {
	r := newRigOf(t, 40, 4)
	r.ten("a", "b", "c")
	require.NoError(t, os.Remove(r.streams[proc.Stdout].numbered(2)))
	r.ten("d", "e")
	assert.Equal(t, []string{tens("e"), tens("d"), tens("c"), tens("b")}, r.onDisk())
	assert.Equal(t, "o:[gap 10]o:"+tens("b", "c", "d", "e"), readAll(r.Log, View{}))
	assert.Empty(t, r.troubles)
}
