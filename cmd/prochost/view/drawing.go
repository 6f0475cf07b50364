package view

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Dot is the graph in the language of Graphviz.
func Dot(nodes []Node) []byte {
	quoted := func(s string) string { return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"` }
	buf := []byte("digraph prochost {\n")
	for _, n := range nodes {
		buf = fmt.Appendf(buf, "  %s;\n", quoted(n.Name))
	}
	for _, n := range nodes {
		for _, need := range slices.Sorted(maps.Keys(n.Depends)) {
			buf = fmt.Appendf(buf, "  %s -> %s [label=%s];\n", quoted(n.Name), quoted(need), quoted(n.Depends[need]))
		}
	}
	return append(buf, "}\n"...)
}

// Mermaid is the graph in the language of Mermaid.
func Mermaid(nodes []Node) []byte {
	id := map[string]int{}
	buf := []byte("graph TD\n")
	for i, n := range nodes {
		id[n.Name] = i
		buf = fmt.Appendf(buf, "  p%d[\"%s\"]\n", i, strings.ReplaceAll(n.Name, `"`, "#quot;"))
	}
	for i, n := range nodes {
		for _, need := range slices.Sorted(maps.Keys(n.Depends)) {
			if to, ok := id[need]; ok {
				buf = fmt.Appendf(buf, "  p%d -->|%s| p%d\n", i, n.Depends[need], to)
			}
		}
	}
	return buf
}
