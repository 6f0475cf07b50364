// Package scripts holds the library that comes with prochost: Lua modules that a recipe gets by
// require "prochost.NAME". They are plain Lua and can do nothing that a recipe could not do itself.
package scripts

import (
	"embed"
	"strings"
)

//go:embed prochost/*.lua
var files embed.FS

// Module returns the source of the module prochost.NAME.
func Module(name string) (src []byte, ok bool) {
	src, err := files.ReadFile("prochost/" + name + ".lua")
	return src, err == nil
}

// Modules returns the names that Module knows, sorted.
func Modules() []string {
	entries, _ := files.ReadDir("prochost") // it is embedded
	var names []string
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), ".lua"))
	}
	return names
}
