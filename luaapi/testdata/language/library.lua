-- the embedded library is plain tables
local matchers = require "prochost.matchers"
assert(require "prochost.matchers" == matchers)
local quiet = matchers.with(matchers.go_panic, { on = "context" })
assert(quiet.on == "context" and matchers.go_panic.on == nil)
assert(quiet.pattern == matchers.go_panic.pattern)
local all = {}
for name, m in pairs(matchers) do
  if type(m) == "table" then all[#all + 1] = m end
end
process "all" { command = "x", notify = { logMatches = all } }
