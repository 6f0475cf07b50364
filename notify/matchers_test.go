package notify

import (
	"strings"
	"testing"
	"time"

	"github.com/prochost/prochost/manager/proc"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestCheckMatchers(t *testing.T) {
	long := strings.Repeat("ä", MaxPattern)
	for _, tt := range []struct {
		m    Matcher
		want string
	}{
		{Matcher{Pattern: ""}, "logMatches[0].pattern: is empty"},
		{Matcher{Pattern: " \t"}, "logMatches[0].pattern: is only white space"},
		{Matcher{Pattern: long + "x"}, "logMatches[0].pattern: has 501 characters, at most 500 are allowed"},
		{Matcher{Pattern: "a(", Mode: Regex}, "logMatches[0].pattern: is no regular expression: missing closing ): `a(`"},
		{Matcher{Pattern: "a("}, ""},
		{Matcher{Pattern: long}, ""},
	} {
		err := CheckMatchers([]Matcher{tt.m})
		if tt.want == "" {
			assert.NoError(t, err)
			continue
		}
		assert.EqualError(t, err, tt.want)
	}
	twenty := make([]Matcher, MaxMatchers)
	for i := range twenty {
		twenty[i].Pattern = "x"
	}
	assert.NoError(t, CheckMatchers(twenty))
	assert.EqualError(t, CheckMatchers(append(twenty, Matcher{Pattern: "x"})), "logMatches[20]: at most 20 matchers are allowed")
}

// fires tells which matchers fire on a line, as a string of their patterns.
func fires(m *Matchers, line string, at time.Time) string {
	var out []string
	for _, hit := range m.Observe(proc.Stdout, []byte(line), at) {
		out = append(out, hit.Matcher.Pattern)
	}
	return strings.Join(out, "")
}

func TestEditingMatchersKeepsOrForgets(t *testing.T) {
	now := time.Now()
	fresh := func() *Matchers {
		m, err := NewMatchers([]Matcher{{Pattern: "a"}, {Pattern: "b"}, {Pattern: "c", Repeat: true}})
		require.NoError(t, err)
		require.Equal(t, "abc", fires(m, "abc", now))
		require.Equal(t, "", fires(m, "abc", now))
		return m
	}
	m := fresh()
	require.NoError(t, m.Append([]Matcher{{Pattern: "d"}}))
	assert.Equal(t, "d", fires(m, "abcd", now), "append: what fired stays fired")

	m = fresh()
	require.NoError(t, m.RemoveAt(0))
	assert.Equal(t, "", fires(m, "abc", now), "remove: what fired stays fired")
	assert.Equal(t, "c", fires(m, "abc", now.Add(Cooldown)))
	assert.ErrorIs(t, m.RemoveAt(2), ErrNoMatcher)
	assert.ErrorIs(t, m.RemoveAt(-1), ErrNoMatcher)

	m = fresh()
	require.NoError(t, m.RemoveWhere(func(c Matcher) bool { return c.Pattern == "b" }))
	assert.Len(t, m.List(), 2)
	assert.ErrorIs(t, m.RemoveWhere(func(c Matcher) bool { return c.Pattern == "b" }), ErrNoMatcher)

	m = fresh()
	require.NoError(t, m.Replace([]Matcher{{Pattern: "a"}}))
	assert.Equal(t, "a", fires(m, "abc", now), "replace: starts afresh")

	m = fresh()
	require.NoError(t, m.Adopt([]Matcher{{Pattern: "c", Repeat: true}, {Pattern: "b", On: MatchContext}, {Pattern: "a"}}))
	assert.Equal(t, "b", fires(m, "abc", now), "adopt: what is equal remembers, what changed does not")
	assert.Equal(t, "c", fires(m, "abc", now.Add(Cooldown)))

	m = fresh()
	for _, err := range []error{
		m.Append([]Matcher{{Pattern: "ok"}, {Pattern: ""}}), m.Replace([]Matcher{{Pattern: "(", Mode: Regex}}), m.Adopt([]Matcher{{}}),
		m.Append(make([]Matcher, MaxMatchers)),
	} {
		assert.Error(t, err)
	}
	assert.Len(t, m.List(), 3, "what is refused changes nothing")
	assert.EqualError(t, m.Append([]Matcher{{Pattern: "ok"}, {Pattern: ""}}), "logMatches[1].pattern: is empty")
}

// Two equal matchers are two: each remembers for itself when a reload keeps them.
func TestAdoptPairsEqualMatchersOneByOne(t *testing.T) {
	now := time.Now()
	m, err := NewMatchers([]Matcher{{Pattern: "a"}})
	require.NoError(t, err)
	require.Equal(t, "a", fires(m, "a", now))
	require.NoError(t, m.Adopt([]Matcher{{Pattern: "a"}, {Pattern: "a"}}))
	assert.Equal(t, "a", fires(m, "a", now), "only the second is new")
	assert.Equal(t, "", fires(m, "a", now))
}

func TestMatchCarriesGroupsAndCutsTheLine(t *testing.T) {
	m, err := NewMatchers([]Matcher{{Pattern: `port (\d+)(x)?`, Mode: Regex}})
	require.NoError(t, err)
	hits := m.Observe(proc.Stderr, []byte("port 8080 "+strings.Repeat("ü", 200)), time.Now())
	require.Len(t, hits, 1)
	assert.Equal(t, []string{"8080", ""}, hits[0].Captures)
	assert.Equal(t, 210, len([]rune(hits[0].Line)))
	cut := []rune(hits[0].CutLine())
	assert.Len(t, cut, 160)
	assert.Equal(t, "...", string(cut[157:]))
}

func TestWatchable(t *testing.T) {
	assert.False(t, Watchable(nil))
	assert.True(t, Watchable([]byte(strings.Repeat("ü", MaxLine))))
	assert.False(t, Watchable([]byte(strings.Repeat("ü", MaxLine+1))))
}
