package main

import (
	"context"
	"errors"
	"slices"

	"github.com/prochost/prochost/cmd/prochost/view"
	"github.com/prochost/prochost/host"
	"github.com/prochost/prochost/host/api"
	"github.com/prochost/prochost/luaapi"
	"github.com/spf13/cobra"
)

func graphCommand(a *app) *cobra.Command {
	var file, color string
	var asJSON, dot, mermaid bool
	cmd := &cobra.Command{
		Use:   "graph [NAME…]",
		Short: "Show what depends on what",
		Long: `Shows below each process what it depends on, and in which condition it needs that to
be: started, ready, success (it has ended well) or exit. With names, only those and
what they depend on. What stands there already is not shown again, which is marked
by "…".

It shows the recipe in force and how things stand. Where no host runs it loads the
recipe, as "check" does.`,
		Example: `  prochost graph
  prochost graph web
  prochost graph --dot | dot -Tsvg > stack.svg`,
		ValidArgsFunction: a.completeNames(anyProcess),
		RunE: func(cmd *cobra.Command, names []string) error {
			if asJSON && dot || dot && mermaid || asJSON && mermaid {
				return usage(cmd, "--json, --dot and --mermaid contradict each other")
			}
			nodes, err := a.nodes(cmd.Context(), file)
			if err != nil {
				return err
			}
			if nodes, err = below(nodes, names); err != nil {
				return err
			}
			switch {
			case asJSON:
				return a.writeJSON(nodes)
			case dot:
				return a.write(view.Dot(nodes))
			case mermaid:
				return a.write(view.Mermaid(nodes))
			}
			return a.write(view.Tree(nodes, a.shown(color)))
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.StringVarP(&file, "file", "f", "", "show the recipe in `FILE`, whatever runs")
	f.BoolVar(&dot, "dot", false, "in the language of Graphviz")
	f.BoolVar(&mermaid, "mermaid", false, "in the language of Mermaid")
	jsonVar(cmd, &asJSON, "as a JSON array of processes")
	colorVar(cmd, &color)
	return cmd
}

// nodes are the processes of the recipe: of the one in force, else of the one on disk.
func (a *app) nodes(ctx context.Context, file string) (nodes []view.Node, err error) {
	err = &noHost{}
	if file == "" {
		err = a.withHost(ctx, func(s api.Service) error {
			nodes, err = inForce(ctx, s)
			return err
		})
	}
	if none := (*noHost)(nil); errors.As(err, &none) {
		return a.onDisk(ctx, file)
	}
	return nodes, err
}

// inForce are the processes of the recipe that a host runs.
func inForce(ctx context.Context, s api.Service) ([]view.Node, error) {
	status, err := s.RecipeStatus(ctx, api.Nothing{})
	if err != nil {
		return nil, err
	}
	all, err := s.List(ctx, api.ListIn{Latest: true})
	if err != nil {
		return nil, err
	}
	nodes := []view.Node{}
	for _, name := range status.Processes {
		p := bearer(all, name)
		n := view.Node{Name: name, Depends: status.Depends[name], Process: &p}
		if n.Depends == nil {
			n.Depends = map[string]string{}
		}
		nodes = append(nodes, n)
	}
	return nodes, nil
}

// onDisk are the processes of a recipe that is loaded for that.
func (a *app) onDisk(ctx context.Context, file string) ([]view.Node, error) {
	p, err := a.locate(file)
	if err != nil {
		return nil, err
	}
	program, _, err := luaapi.Load(ctx, luaapi.Options{
		Path: p.recipe, Env: host.Environ(a.environ), Shell: shell(), Version: build().Version,
		Print: func(text string) { a.print(text) },
	})
	if err != nil {
		a.showErrors(p.recipe, err)
		return nil, &failure{code: exitFailed}
	}
	defer program.Close()
	nodes := []view.Node{}
	for _, d := range program.Recipe().Processes {
		n := view.Node{Name: d.Name, Depends: map[string]string{}}
		for _, need := range d.Depends {
			n.Depends[need.Name] = need.Condition.String()
		}
		nodes = append(nodes, n)
	}
	return nodes, nil
}

// below returns the processes that names and globs mean, and what they depend on. Without names it is all.
func below(nodes []view.Node, names []string) ([]view.Node, error) {
	if len(names) == 0 {
		return nodes, nil
	}
	listed := make([]api.Info, len(nodes))
	for i, n := range nodes {
		listed[i].Name = n.Name
	}
	chosen, err := choose(listed, names)
	if err != nil {
		return nil, err
	}
	meant := map[string]bool{}
	var mean func(name string)
	mean = func(name string) {
		if meant[name] {
			return
		}
		meant[name] = true
		for _, n := range nodes {
			if n.Name == name {
				for need := range n.Depends {
					mean(need)
				}
			}
		}
	}
	for _, t := range chosen {
		mean(t.name)
	}
	return slices.DeleteFunc(nodes, func(n view.Node) bool { return !meant[n.Name] }), nil
}
