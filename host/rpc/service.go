package rpc

import (
	"context"

	"github.com/prochost/prochost/host/api"
)

// ask is Call with a result.
func ask[Out any](ctx context.Context, c *Client, method string, in any) (Out, error) {
	var out Out
	err := c.Call(ctx, method, in, &out)
	return out, err
}

// Start is process.start.
func (c *Client) Start(ctx context.Context, in api.StartIn) (api.Info, error) {
	return ask[api.Info](ctx, c, "process.start", in)
}

// List is process.list.
func (c *Client) List(ctx context.Context, in api.ListIn) ([]api.Info, error) {
	return ask[[]api.Info](ctx, c, "process.list", in)
}

// Get is process.get.
func (c *Client) Get(ctx context.Context, in api.Ref) (*api.Info, error) {
	return ask[*api.Info](ctx, c, "process.get", in)
}

// Output is process.output.
func (c *Client) Output(ctx context.Context, in api.OutputIn) (api.OutputOut, error) {
	return ask[api.OutputOut](ctx, c, "process.output", in)
}

// CombinedOutput is process.combinedOutput.
func (c *Client) CombinedOutput(ctx context.Context, in api.TailIn) ([]api.CombinedLine, error) {
	return ask[[]api.CombinedLine](ctx, c, "process.combinedOutput", in)
}

// LogFiles is process.logFiles.
func (c *Client) LogFiles(ctx context.Context, in api.Ref) (api.LogFiles, error) {
	return ask[api.LogFiles](ctx, c, "process.logFiles", in)
}

// FileSize is process.fileSize.
func (c *Client) FileSize(ctx context.Context, in api.Ref) (api.FileSize, error) {
	return ask[api.FileSize](ctx, c, "process.fileSize", in)
}

// Write is process.write.
func (c *Client) Write(ctx context.Context, in api.WriteIn) (api.WriteOut, error) {
	return ask[api.WriteOut](ctx, c, "process.write", in)
}

// Update is process.update.
func (c *Client) Update(ctx context.Context, in api.UpdateIn) (api.UpdateOut, error) {
	return ask[api.UpdateOut](ctx, c, "process.update", in)
}

// Signal is process.signal.
func (c *Client) Signal(ctx context.Context, in api.SignalIn) (api.Info, error) {
	return ask[api.Info](ctx, c, "process.signal", in)
}

// Release is process.release.
func (c *Client) Release(ctx context.Context, in api.Ref) (api.Info, error) {
	return ask[api.Info](ctx, c, "process.release", in)
}

// Kill is process.kill.
func (c *Client) Kill(ctx context.Context, in api.KillIn) (api.StopOut, error) {
	return ask[api.StopOut](ctx, c, "process.kill", in)
}

// Stop is process.stop.
func (c *Client) Stop(ctx context.Context, in api.StopIn) (api.StopOut, error) {
	return ask[api.StopOut](ctx, c, "process.stop", in)
}

// Restart is process.restart.
func (c *Client) Restart(ctx context.Context, in api.RestartIn) (api.Info, error) {
	return ask[api.Info](ctx, c, "process.restart", in)
}

// Clear is process.clear.
func (c *Client) Clear(ctx context.Context, in api.ClearIn) (api.ClearOut, error) {
	return ask[api.ClearOut](ctx, c, "process.clear", in)
}

// Wait is process.wait.
func (c *Client) Wait(ctx context.Context, in api.WaitIn) (api.WaitOut, error) {
	return ask[api.WaitOut](ctx, c, "process.wait", in)
}

// Why is process.why.
func (c *Client) Why(ctx context.Context, in api.Ref) (api.WhyOut, error) {
	return ask[api.WhyOut](ctx, c, "process.why", in)
}

// Usage is process.usage.
func (c *Client) Usage(ctx context.Context, in api.UsageIn) ([]api.Usage, error) {
	return ask[[]api.Usage](ctx, c, "process.usage", in)
}

// RecipeReload is recipe.reload.
func (c *Client) RecipeReload(ctx context.Context, in api.RecipeReloadIn) (api.RecipeLoaded, error) {
	return ask[api.RecipeLoaded](ctx, c, "recipe.reload", in)
}

// RecipeStatus is recipe.status.
func (c *Client) RecipeStatus(ctx context.Context, in api.Nothing) (api.RecipeStatus, error) {
	return ask[api.RecipeStatus](ctx, c, "recipe.status", in)
}

// SessionOpen is session.open.
func (c *Client) SessionOpen(ctx context.Context, in api.SessionOpenIn) (api.Session, error) {
	return ask[api.Session](ctx, c, "session.open", in)
}

// SessionClose is session.close.
func (c *Client) SessionClose(ctx context.Context, in api.SessionRef) (api.SessionCloseOut, error) {
	return ask[api.SessionCloseOut](ctx, c, "session.close", in)
}

// SessionList is session.list.
func (c *Client) SessionList(ctx context.Context, in api.Nothing) ([]api.Session, error) {
	return ask[[]api.Session](ctx, c, "session.list", in)
}

// InboxTake is inbox.take.
func (c *Client) InboxTake(ctx context.Context, in api.InboxTakeIn) (api.InboxTakeOut, error) {
	return ask[api.InboxTakeOut](ctx, c, "inbox.take", in)
}

// InboxAck is inbox.ack.
func (c *Client) InboxAck(ctx context.Context, in api.InboxAckIn) (api.InboxAckOut, error) {
	return ask[api.InboxAckOut](ctx, c, "inbox.ack", in)
}

// HostInfo is host.info.
func (c *Client) HostInfo(ctx context.Context, in api.HostInfoIn) (api.HostInfo, error) {
	return ask[api.HostInfo](ctx, c, "host.info", in)
}

// HostShutdown is host.shutdown.
func (c *Client) HostShutdown(ctx context.Context, in api.HostShutdownIn) (api.HostShutdownOut, error) {
	return ask[api.HostShutdownOut](ctx, c, "host.shutdown", in)
}

// Events is events.subscribe.
func (c *Client) Events(ctx context.Context, in api.EventsIn) (api.Stream, error) {
	return c.stream(ctx, "events.subscribe", in)
}

// Logs is logs.subscribe.
func (c *Client) Logs(ctx context.Context, in api.LogsIn) (api.Stream, error) {
	return c.stream(ctx, "logs.subscribe", in)
}
