package luaapi

import (
	"fmt"
	"reflect"
	"strings"
)

// Reference returns the reference of the language in Markdown: its words, and the keys of its tables with
// what a change of each asks for. It is made from the tables that a load checks against.
func Reference() string {
	var b strings.Builder
	b.WriteString("## Words\n\n| word | does |\n|---|---|\n")
	for _, w := range words() {
		tableRow(&b, "`"+w.usage+"`", w.help)
	}
	b.WriteString("\nEvery word is also a field of the global `prochost`, for modules: `prochost.process`. ")
	b.WriteString("Unless it is for hooks too (" + wordsForHooks() + "), a word may be used only while the recipe loads.\n\n")
	fmt.Fprintf(&b, "The name of a process begins with a letter, a digit or an underscore; in it are allowed %s.\n", nameRule)

	b.WriteString("\n## Keys of a process\n\n")
	b.WriteString("The last column says what a reload does when the key has changed: `restart` stops and starts the process, ")
	b.WriteString("`live` applies it to what runs, `next start` leaves what runs alone.\n\n")
	b.WriteString("| key | is | means | on a change |\n|---|---|---|---|\n")
	var tables []doc
	for _, d := range processKeys.docs() {
		tableRow(&b, "`"+d.name+"`", d.typ, d.help, d.change.String())
		if d.keys != nil {
			tables = append(tables, d)
		}
	}
	for i := 0; i < len(tables); i++ {
		t := tables[i]
		fmt.Fprintf(&b, "\n### Keys of `%s`\n\n| key | is | means |\n|---|---|---|\n", t.name)
		for _, d := range t.keys.docs() {
			tableRow(&b, "`"+d.name+"`", d.typ, d.help)
			if d.keys != nil {
				d.name = t.name + "." + d.name
				tables = append(tables, d)
			}
		}
	}

	b.WriteString("\n## What a hook gets\n\n| field | is | means |\n|---|---|---|\n")
	documentView(&b, "n", reflect.TypeFor[view]())
	documentView(&b, "n.process", reflect.TypeFor[processView]())
	documentView(&b, "n.match", reflect.TypeFor[matchView]())
	b.WriteString("\nA duration is a string such as `\"300ms\"`, `\"5s\"` or `\"2m\"`, a size one such as `\"512 KiB\"`, `\"64 MiB\"` or `\"1 GiB\"`.\n")
	return b.String()
}

// documentView writes a row for each field, from its tag: the type, a colon, what it means.
func documentView(b *strings.Builder, name string, t reflect.Type) {
	for i := range t.NumField() {
		tag := t.Field(i).Tag
		typ, help, _ := strings.Cut(tag.Get("doc"), ": ")
		tableRow(b, "`"+name+"."+tag.Get("luar")+"`", typ, help)
	}
}

func tableRow(b *strings.Builder, cells ...string) {
	for _, c := range cells {
		b.WriteString("| " + strings.ReplaceAll(c, "|", `\|`) + " ")
	}
	b.WriteString("|\n")
}

func wordsForHooks() string {
	var names []string
	for _, w := range words() {
		if w.always {
			names = append(names, "`"+w.name+"`")
		}
	}
	return strings.Join(names, ", ")
}
