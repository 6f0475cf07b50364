process "a" {
  command = "x",
  notify = { logMatches = { { pattern = "x", repeat = true } } }, -- ### `repeat is a reserved word of Lua.*(the key is written repeats|repeats)`
}
