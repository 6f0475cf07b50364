package view

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/prochost/prochost/cmd/prochost/ink"
	"github.com/prochost/prochost/host/api"
	"github.com/prochost/prochost/notify"
)

// Process is an instance, or a process of the recipe that has none, and what it uses if it is live.
type Process struct {
	api.Info
	Usage *api.Usage `json:"usage,omitempty"`
}

// Processes is the table of processes at now. With ids their ids stand in front. Why something does not run stands in
// the last column if there is room for all of it, else below.
func Processes(list []Process, ids bool, now time.Time, opt Options) []byte {
	t := table{columns: []column{
		{title: "NAME", min: 12},
		{title: "STATUS"},
		{title: "READY", rank: 1},
		{title: "PID", right: true, rank: 4},
		{title: "UPTIME", right: true, rank: 2},
		{title: "RESTARTS", right: true, rank: 5},
		{title: "CPU", right: true, rank: 7},
		{title: "MEM", right: true, rank: 6},
		{title: "PORTS", min: 10, rank: 3},
	}}
	if ids {
		t.columns = append([]column{{title: "ID"}}, t.columns...)
	}
	var reasons []cell
	for _, p := range list {
		var row []cell
		if ids {
			row = append(row, cell{text: p.ID})
		}
		row = append(row, cell{text: p.Name}, statusCell(p.Info), readyCell(p.Info))
		t.rows = append(t.rows, append(row, lifeCells(p, now)...))
		if r := reasonOf(p.Info); r != "" {
			reasons = append(reasons, cell{text: r})
		}
	}
	if len(reasons) == 0 {
		return t.render(opt)
	}
	wide := table{columns: append(slices.Clone(t.columns), column{title: "WHY"})}
	for i, row := range t.rows {
		wide.rows = append(wide.rows, append(slices.Clone(row), cell{text: reasonOf(list[i].Info)}))
	}
	if opt.Width == 0 || wide.width() <= opt.Width {
		return wide.render(opt)
	}
	below := table{bare: true, columns: []column{{}}}
	for _, r := range reasons {
		below.rows = append(below.rows, []cell{r})
	}
	return append(append(t.render(opt), '\n'), below.render(Options{Color: opt.Color})...)
}

// lifeCells are the process id, the age, and what it uses.
func lifeCells(p Process, now time.Time) []cell {
	row := make([]cell, 6)
	if p.PID != nil && p.Live() {
		row[0].text = fmt.Sprint(*p.PID)
	}
	switch {
	case p.EndTime != nil:
		row[1] = cell{text: notify.Duration(millis(now.UnixMilli()-*p.EndTime)) + " ago", style: ink.Dim}
	case p.Live():
		row[1].text = notify.Duration(millis(now.UnixMilli() - p.StartTime))
	}
	if row[2].text = fmt.Sprint(p.Restarts); p.Restarts == 0 {
		row[2].style = ink.Dim
	}
	if u := p.Usage; u != nil {
		row[3].text = cpuOf(u.CPU)
		row[4].text = bytesOf(u.Memory)
		row[5].text = portsOf(u.Ports)
	}
	return row
}

func readyCell(p api.Info) cell {
	switch {
	case p.Ready == nil || !p.Live():
		return cell{}
	case *p.Ready:
		return cell{text: "yes", style: ink.Green}
	}
	return cell{text: "no", style: ink.Yellow}
}

// statusCell says how it stands: the status, and of an end what ended it.
func statusCell(p api.Info) cell {
	switch p.Status {
	case "running":
		return cell{text: p.Status, style: ink.Green}
	case "terminating":
		return cell{text: "stopping", style: ink.Yellow}
	case "terminate_timeout":
		return cell{text: "stop timed out", style: ink.Loud}
	case "exited", "killed":
	case "skipped", "backoff", "waiting":
		return cell{text: p.Status, style: ink.Yellow}
	default:
		return cell{text: p.Status, style: ink.Dim}
	}
	style := ink.Red
	if p.Success != nil && *p.Success {
		style = ink.Dim
	} else if p.Status == "killed" {
		style = ink.Yellow
	}
	switch {
	case p.ErrorMessage != nil:
		return cell{text: "not started", style: style}
	case p.Signal != nil:
		return cell{text: fmt.Sprintf("%s (%s)", p.Status, p.Signal.Name), style: style}
	case p.ExitCode != nil:
		return cell{text: fmt.Sprintf("%s (%d)", p.Status, *p.ExitCode), style: style}
	}
	return cell{text: "lost", style: style}
}

// reasonOf says why it does not run, where the status alone leaves that open.
func reasonOf(p api.Info) string {
	switch {
	case p.ErrorMessage != nil && !p.Live():
		return p.Name + " could not be started: " + strings.TrimPrefix(*p.ErrorMessage, fmt.Sprintf("start %q: ", p.Name))
	case p.Status == "waiting", p.Status == "skipped", p.Status == "backoff":
		return p.Why
	}
	return ""
}

func millis(ms int64) time.Duration { return time.Duration(ms) * time.Millisecond }
