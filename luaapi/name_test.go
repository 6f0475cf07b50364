package luaapi

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestCheckName(t *testing.T) {
	for _, good := range []string{
		"api", "API", "api-1", "_x", "3000", "a.b", "web:dev", "user@host", "c++", "web server", "größe", "データベース", "हिन्दी",
		strings.Repeat("x", MaxName),
	} {
		assert.NoError(t, checkName(good), good)
	}
	for _, bad := range []string{
		"", " ", ".", "..", "-", "-x", "--all", ".hidden", "+x", ":x", "@x", " x", "x ", "a  b", "a\tb", "a\nb", "a\x00b", "a\x1b[31m",
		"a/b", `a\b`, "*", "a?", "[a]", "a|b", "a'b", `a"b`, "a$b", "a=b", "a,b", "a\u00a0b", "a\u202eb", "a\u200bb", "a\u200db",
		"a\ufe0f", "\u3164", "a\u034f", "\U0001f600", "a\xff", strings.Repeat("x", MaxName+1), strings.Repeat("ä", 51),
	} {
		assert.Error(t, checkName(bad), "%q", bad)
	}
}
