package view

import (
	"maps"
	"slices"
	"strings"

	"github.com/prochost/prochost/cmd/prochost/ink"
	"github.com/prochost/prochost/host/api"
)

// Node is a process of the recipe in the graph of dependencies.
type Node struct {
	Name    string            `json:"name"`
	Depends map[string]string `json:"depends"`           // name → started, ready, success or exit
	Process *api.Info         `json:"process,omitempty"` // what stands for it; absent where no host runs
}

// Tree shows what depends on what: below each process that nobody needs what it needs, and so on. What is shown
// already is not shown again.
func Tree(nodes []Node, opt Options) []byte {
	f := forest{byName: map[string]Node{}, order: map[string]int{}, shown: map[string]bool{}}
	needed := map[string]bool{}
	statuses := false
	for i, n := range nodes {
		f.byName[n.Name], f.order[n.Name] = n, i
		statuses = statuses || n.Process != nil
		for name := range n.Depends {
			needed[name] = true
		}
	}
	f.table = table{bare: true, columns: []column{{min: 20}}}
	if statuses {
		f.table.columns = append(f.table.columns, column{rank: 1})
	}
	for _, n := range nodes {
		if !needed[n.Name] {
			f.grow(n.Name, "", "", "")
		}
	}
	return f.table.render(opt)
}

// forest is what a tree is drawn of.
type forest struct {
	byName map[string]Node
	order  map[string]int
	shown  map[string]bool
	table  table
}

// grow adds a process, which is needed in that condition, and below it what it needs. lead stands before its name, and
// below before the names of those.
func (f *forest) grow(name, condition, lead, below string) {
	n := f.byName[name]
	words := name
	if condition != "" {
		words += " (" + condition + ")"
	}
	again := f.shown[name]
	if again && len(n.Depends) > 0 {
		words += " …"
	}
	row := []cell{{text: words, lead: lead}}
	if len(f.table.columns) > 1 {
		row = append(row, nodeCell(n, again))
	}
	f.table.rows = append(f.table.rows, row)
	if again {
		return
	}
	f.shown[name] = true
	needs := f.needs(n)
	for i, need := range needs {
		if i == len(needs)-1 {
			f.grow(need, n.Depends[need], below+"└─ ", below+"   ")
		} else {
			f.grow(need, n.Depends[need], below+"├─ ", below+"│  ")
		}
	}
}

// needs returns what n depends on, in the order of declaration.
func (f *forest) needs(n Node) []string {
	return slices.SortedFunc(maps.Keys(n.Depends), func(a, b string) int {
		if f.order[a] != f.order[b] {
			return f.order[a] - f.order[b]
		}
		return strings.Compare(a, b)
	})
}

func nodeCell(n Node, again bool) cell {
	switch p := n.Process; {
	case again || p == nil:
		return cell{}
	case p.Status == "running" && p.Ready != nil && *p.Ready:
		return cell{text: "ready", style: ink.Green}
	case p.Status == "running" && p.Ready != nil:
		return cell{text: "not ready", style: ink.Yellow}
	default:
		return statusCell(*p)
	}
}
