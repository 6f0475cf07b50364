package luaapi

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestParseDotenv(t *testing.T) {
	env := inherited([]string{"PATH=/bin", "DOLLAR=a$PATH'\"#", "EMPTY="})
	for _, c := range []struct{ name, src, want string }{
		{"plain", "A=1\nB=two words\n", "A=1|B=two words"},
		{"comments and blanks", "\n# c\n  \nA=1 # c\nB=x#y\n", "A=1|B=x#y"},
		{"export and spaces", "export A=1\n  B = 2 \n", "A=1|B=2"},
		{"quotes", `A="a b" ` + "\n" + `B='$PATH # x'`, "A=a b|B=$PATH # x"},
		{"several lines", "A=\"one\ntwo\"\nB=3", "A=one\ntwo|B=3"},
		{"escapes", `A="a\nb"`, "A=a\nb"},
		{"carriage returns", "A=1\r\nB=2\r\n", "A=1|B=2"},
		{"byte order mark", "\ufeffA=1", "A=1"},
		{"empty", "", ""},
		{"empty value", "A=\nB=", "A=|B="},
		{"last line end missing", "A=1", "A=1"},
		{"inherited", "PATH=$PATH:x\nB=${PATH}", "B=/bin:x|PATH=/bin:x"},
		{"above in the file first", "PATH=/y\nB=$PATH", "B=/y|PATH=/y"},
		{"not taken over", "B=$PATH", "B=/bin"},
		{"taken as it is", "B=$DOLLAR", "B=a$PATH'\"#"},
		{"set to nothing", "B=x${EMPTY}y", "B=xy"},
		{"not set", "B=x${NOWHERE}y", "B=xy"},
		{"itself", "PATH=$PATH", ""}, // is what it was
	} {
		t.Run(c.name, func(t *testing.T) {
			vars, err := parseDotenv([]byte(c.src), env)
			require.NoError(t, err)
			assert.Equal(t, c.want, strings.Join(vars.list(), "|"))
		})
	}
}

func TestParseDotenvErrors(t *testing.T) {
	for _, c := range []struct {
		name, src string
		line      int
		message   string
	}{
		{"no value", "A=1\nSECRET\nB=2", 2, "want NAME=value"},
		{"no value at the end", "A=1\n\nSECRET", 3, "want NAME=value"},
		{"after a quote", "A='x' SECRET\nB=1", 1, "want NAME=value"},
		{"bad name", "A=1\nSEC-RET=hunter2\n", 2, `unexpected character "-" in variable name`},
		{"space in a name", "A B=1", 1, "want NAME=value"},
		{"open quote", "A=\"1\n2\"\n\nB='SECRET\nC=2\n", 4, "a quote is opened and never closed"},
		{"open quote after an escaped one", `A="x\"` + "\nB=1", 1, "a quote is opened and never closed"},
		{"NUL", "A=1\nB=\x00SECRET", 2, "a NUL byte cannot be passed on"},
		{"line of several lines", "A=\"1\n2\n3\"\nB!=1", 4, `unexpected character "!" in variable name`},
		{"carriage returns", "A=1\r\nB!=1\r\n", 2, `unexpected character "!" in variable name`},
		{"with a reference before", "A=$PATH\nB!=1", 2, `unexpected character "!" in variable name`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := parseDotenv([]byte(c.src), inherited([]string{"PATH=/bin"}))
			var bad *dotenvError
			require.True(t, errors.As(err, &bad), "%v", err)
			assert.Equal(t, c.line, bad.line)
			assert.Equal(t, c.message, bad.message)
			assert.NotContains(t, err.Error(), "SECRET")
			assert.NotContains(t, err.Error(), "hunter2")
		})
	}
}

func FuzzParseDotenv(f *testing.F) {
	f.Add("A=1\nB=\"x\n\"\nexport C='$A'")
	f.Add("A=\"\nB")
	f.Fuzz(func(t *testing.T, src string) {
		parseDotenv([]byte(src), inherited([]string{"A=1"})) // comes to an end
	})
}
