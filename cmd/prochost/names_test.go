package main

import (
	"testing"

	"github.com/prochost/prochost/host/api"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestChoose(t *testing.T) {
	all := []api.Info{
		ended("p1", "api", 1), running("p2", "api", 2), running("p3", "worker-1", 3), ended("p4", "worker-2", 0),
		running("p5", "twin", 5), running("p6", "twin", 6), ended("p7", "old", 1), ended("p8", "old", 1),
		ended("p9", "web", 1), declared("web", "backoff", "web is to be started again"),
	}
	for _, tt := range []struct {
		why   string
		words []string
		want  []string // references
		ids   []string // of what they mean now
	}{
		{"a name is left to the host", []string{"api"}, []string{"api"}, []string{"p2"}},
		{"an id is that instance", []string{"p1"}, []string{"p1"}, []string{"p1"}},
		{"both mean one", []string{"api", "p2"}, []string{"api"}, []string{"p2"}},
		{"an older instance is another", []string{"api", "p1"}, []string{"api", "p1"}, []string{"p2", "p1"}},
		{"a glob means what runs", []string{"worker-*"}, []string{"p3", "worker-2"}, []string{"p3", "p4"}},
		{"and all of one name that run", []string{"tw?n"}, []string{"p5", "p6"}, []string{"p5", "p6"}},
		{"several live ones are left to the host", []string{"twin"}, []string{"twin"}, []string{"p6"}},
		{"of several ended ones the newest", []string{"o*"}, []string{"old"}, []string{"p8"}},
		{"what stands for a declaration comes before its last instance", []string{"w[e]b"}, []string{"web"}, []string{""}},
		{"in the order of the words, each once", []string{"old", "*"}, []string{"old", "p2", "p3", "worker-2", "p5", "p6", "web"},
			[]string{"p8", "p2", "p3", "p4", "p5", "p6", ""}},
	} {
		targets, err := choose(all, tt.words)
		require.NoError(t, err, tt.why)
		var refs, ids []string
		for _, target := range targets {
			refs, ids = append(refs, target.ref), append(ids, target.info.ID)
		}
		assert.Equal(t, tt.want, refs, tt.why)
		assert.Equal(t, tt.ids, ids, tt.why)
	}
}

func TestUnknownNames(t *testing.T) {
	all := []api.Info{running("p1", "database", 1), running("p2", "api", 2)}
	for _, tt := range []struct {
		all   []api.Info
		words []string
		want  string
	}{
		{all, []string{"databsae"}, `no process is named "databsae"; did you mean "database"?`},
		{all, []string{"queue"}, `no process is named "queue"; there are: database, api`},
		{all, []string{"q*", "api"}, `no process has a name like "q*"; there are: database, api`},
		{all, []string{"apj", "", "zzzzzz"}, "no process is named \"apj\"; did you mean \"api\"?\nno process is named \"\"\nno process is named \"zzzzzz\""},
		{nil, []string{"*"}, `no process has a name like "*"; there is none at all`},
		{nil, []string{"api"}, `no process is named "api"; there is none at all`},
		{all, []string{"[a"}, `no process has a name like "[a"; there are: database, api`},
	} {
		_, err := choose(tt.all, tt.words)
		assert.EqualError(t, err, tt.want)
		assert.Equal(t, exitUnknownName, codeOf(err))
	}
}
