package host

import (
	"context"
	"fmt"
	"testing"

	"github.com/prochost/prochost/host/api"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Readers that do not read, of the events, of a feed and of a log, hold up neither the process that writes nor another
// reader nor a stop; and one that goes on after all still gets every line.
func TestReadersThatDoNotRead(t *testing.T) {
	t.Parallel()
	const lines = 20_000
	r, s := newService(t, fmt.Sprintf(`
process "loud" { command = "read x; seq 1 %d; exec sleep 1000" }
`, lines))
	ctx := t.Context()
	r.wait(0, "it runs", started("loud"))
	feed := r.h.Subscribe(FeedOptions{Output: true})
	defer feed.Close()
	events, err := s.Events(ctx, api.EventsIn{})
	require.NoError(t, err)
	defer events.Close()
	log, err := s.Logs(ctx, api.LogsIn{IDs: []string{"loud"}, Follow: true})
	require.NoError(t, err)
	defer log.Close()

	_, err = s.Write(ctx, api.WriteIn{ID: "loud", Input: "\n"})
	require.NoError(t, err)
	r.wait(0, "the last line", output("loud", fmt.Sprint(lines)))
	out, err := s.Stop(ctx, api.StopIn{ID: "loud"})
	require.NoError(t, err)
	assert.True(t, out.OK)

	for n := range lines {
		e, err := log.Next(context.Background())
		require.NoError(t, err)
		require.Equal(t, fmt.Sprint(n+1), e.(*api.Output).Text)
	}
}
