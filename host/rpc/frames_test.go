package rpc

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// all returns copies of the frames of f, and the error behind them.
func all(f *frames) (got []string, err error) {
	for {
		line, err := f.next()
		if err != nil {
			return got, err
		}
		got = append(got, string(line))
	}
}

func TestFramesAreLines(t *testing.T) {
	for _, tt := range []struct {
		in   string
		want []string
	}{
		{"", nil},
		{"a\nb\n", []string{"a", "b"}},
		{"\n \r\n\na\n\n", []string{"a"}},
		{"a\r\n", []string{"a\r"}},
		{"whole\nhalf", []string{"whole"}},
		{"12345678\n", []string{"12345678"}},
	} {
		for name, r := range map[string]io.Reader{
			"whole": strings.NewReader(tt.in), "bytes": iotest.OneByteReader(strings.NewReader(tt.in)), "halves": iotest.HalfReader(strings.NewReader(tt.in)),
		} {
			got, err := all(&frames{r: r, most: 8, size: 4})
			assert.Equal(t, tt.want, got, "%q in %s", tt.in, name)
			assert.Equal(t, io.EOF, err)
		}
	}
}

func TestFramesAreBounded(t *testing.T) {
	for name, in := range map[string]string{"a line": "ok\n123456789\nok\n", "no line end": "ok\n123456789"} {
		f := &frames{r: strings.NewReader(in), most: 8, size: 4}
		got, err := all(f)
		assert.Equal(t, []string{"ok"}, got, name)
		assert.EqualError(t, err, "a frame holds at most 8 bytes", name)
		_, again := f.next()
		assert.Equal(t, err, again, "what follows is in the middle of something")
	}
}

// endless is a line without an end.
type endless struct{ read int64 }

func (e *endless) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = 'x'
	}
	e.read += int64(len(b))
	return len(b), nil
}

func TestFramesOfAnEndlessLineTakeBoundedMemory(t *testing.T) {
	most := defaults().request
	var e endless
	f := &frames{r: &e, most: most, size: 4 << 10}
	_, err := f.next()
	assert.EqualError(t, err, "a frame holds at most 4194304 bytes")
	assert.Equal(t, most+1, cap(f.buf))
	assert.LessOrEqual(t, e.read, int64(most+1))
}

func TestFramesAskBeforeTheyGrow(t *testing.T) {
	small, large := strings.Repeat("s", smallFrame/2), strings.Repeat("l", 3*smallFrame)
	var log []string
	f := &frames{
		r: strings.NewReader(small + "\n" + large + "\n" + large + "\n" + small + "\n" + small + "\n"), most: 1 << 20, size: 4 << 10,
		large: func() error { log = append(log, "large"); return nil },
		free:  func() { log = append(log, "free") },
	}
	got, err := all(f)
	assert.Equal(t, io.EOF, err)
	assert.Equal(t, []string{small, large, large, small, small}, got)
	assert.Equal(t, []string{"large", "free"}, log[:2])
	assert.Zero(t, len(log)%2, "what was granted was given back: %v", log)
	assert.LessOrEqual(t, cap(f.buf), smallFrame)

	f = &frames{r: &endless{}, most: 1 << 20, size: 4 << 10, large: func() error { return errors.New("not today") }}
	_, err = f.next()
	assert.EqualError(t, err, "not today")
	assert.Equal(t, smallFrame, cap(f.buf))
}

// begun is told of every frame that comes in pieces, once, and of the quiet after it.
func TestFramesTellWhenOneHasBegun(t *testing.T) {
	var log []string
	chunks := []string{"ab", "c", "d\nef", "g\n", "hi\n", "\n", "j"}
	f := &frames{most: 100, size: 16, r: readerFunc(func(b []byte) (int, error) {
		if len(chunks) == 0 {
			return 0, io.EOF
		}
		n := copy(b, chunks[0])
		log = append(log, chunks[0])
		chunks = chunks[1:]
		return n, nil
	}), begun: func(b bool) {
		if b {
			log = append(log, "begun")
		} else {
			log = append(log, "quiet")
		}
	}}
	got, err := all(f)
	assert.Equal(t, io.EOF, err)
	assert.Equal(t, []string{"abcd", "efg", "hi"}, got)
	assert.Equal(t, []string{"ab", "begun", "c", "d\nef", "begun", "g\n", "quiet", "hi\n", "\n", "j", "begun"}, log)
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(b []byte) (int, error) { return f(b) }

// A read that times out loses nothing.
func TestFramesGoOnAfterATimeout(t *testing.T) {
	var late = true
	rest := "lf\n"
	f := &frames{most: 100, size: 4, r: io.MultiReader(strings.NewReader("ha"), readerFunc(func(b []byte) (int, error) {
		if late {
			late = false
			return 0, errors.New("timeout")
		}
		n := copy(b, rest)
		rest = rest[n:]
		if n == 0 {
			return 0, io.EOF
		}
		return n, nil
	}))}
	_, err := f.next()
	require.EqualError(t, err, "timeout")
	assert.False(t, f.ready())
	line, err := f.next()
	require.NoError(t, err)
	assert.Equal(t, "half", string(line))
}

// FuzzFrames compares frames, read in pieces, with the lines of the whole.
func FuzzFrames(f *testing.F) {
	f.Add([]byte("a\nb\n"), uint8(3), uint8(8))
	f.Add([]byte("\n\n{}\r\nlong long long\nx"), uint8(1), uint8(5))
	f.Fuzz(func(t *testing.T, in []byte, piece, most uint8) {
		var want []string
		wantErr := io.EOF
		for rest := in; ; {
			line, after, ok := bytes.Cut(rest, []byte("\n"))
			if len(line) > int(most) {
				wantErr = errTooLong(most)
				break
			}
			if !ok {
				break
			}
			if len(bytes.TrimSpace(line)) > 0 {
				want = append(want, string(line))
			}
			rest = after
		}
		src := bytes.NewReader(in)
		fr := &frames{most: int(most), size: 4, r: readerFunc(func(b []byte) (int, error) {
			return src.Read(b[:min(len(b), int(piece)+1)])
		})}
		got, err := all(fr)
		if err != wantErr {
			t.Fatalf("ends with %v, want %v", err, wantErr)
		}
		if len(got) != len(want) {
			t.Fatalf("got %q, want %q", got, want)
		}
		for i := range got {
			if got[i] != want[i] {
				t.Fatalf("got %q, want %q", got, want)
			}
		}
		if most := max(4, int(most)+1); cap(fr.buf) > 2*most {
			t.Fatalf("a buffer of %d bytes for frames of %d", cap(fr.buf), most)
		}
	})
}
