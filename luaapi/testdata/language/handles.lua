-- process returns what stands for its name
local db = process "db" { command = "x" }
assert(db.name == "db")
assert(tostring(db) == "db")
assert(getmetatable(db) == false)
local api = process("api", { command = "x", depends = { db } })
assert(api.name == "api")
local pending = process "later"
assert(pending.name == "later")
assert(pending { command = "x" } == pending)
local options = { command = "x", depends = { [api] = "exit" } }
process "copied" (options)
options.command = nil -- what was declared is a copy
options.depends[api] = "nonsense"
local job_ = job "migrate" { command = "x" }
process "after" { command = "x", depends = { [job_] = "success", db = "started" } }
