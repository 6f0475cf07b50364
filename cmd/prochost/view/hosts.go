package view

import (
	"fmt"
	"time"

	"github.com/prochost/prochost/cmd/prochost/ink"
	"github.com/prochost/prochost/notify"
)

// Host is a host of this user, as it has said itself, or as what it has left behind says.
type Host struct {
	Project string `json:"project"` // its folder
	PID     int    `json:"pid,omitempty"`
	Version string `json:"version,omitempty"`
	Started int64  `json:"started,omitempty"` // Unix milliseconds
	State   string `json:"state"`             // starting, ready, stopping; "silent": it does not answer; "gone": it was killed
	Live    int    `json:"live"`              // instances
	Socket  string `json:"socket,omitempty"`
}

// Hosts is the table of hosts at now.
func Hosts(list []Host, now time.Time, opt Options) []byte {
	t := table{columns: []column{
		{title: "PROJECT", min: 20}, {title: "STATE"}, {title: "PROCESSES", right: true, rank: 1}, {title: "PID", right: true, rank: 2},
		{title: "UPTIME", right: true, rank: 3}, {title: "VERSION", rank: 4},
	}}
	for _, h := range list {
		row := []cell{{text: h.Project}, hostCell(h.State), {}, {}, {}, {text: h.Version}}
		if h.State != "gone" {
			if h.State != "silent" {
				row[2].text = fmt.Sprint(h.Live)
			}
			if h.PID != 0 {
				row[3].text = fmt.Sprint(h.PID)
			}
			if h.Started != 0 {
				row[4].text = notify.Duration(millis(now.UnixMilli() - h.Started))
			}
		}
		t.rows = append(t.rows, row)
	}
	return t.render(opt)
}

func hostCell(state string) cell {
	switch state {
	case "ready":
		return cell{text: state, style: ink.Green}
	case "silent":
		return cell{text: state, style: ink.Loud}
	case "gone":
		return cell{text: state, style: ink.Dim}
	}
	return cell{text: state, style: ink.Yellow}
}
