process "a" {
  command = "x",
  notify = { logMatches = { { pattern = "x", repeat = true } } }, -- ### `^"repeat" is a reserved word of Lua and cannot be a key: write repeats = `
}
