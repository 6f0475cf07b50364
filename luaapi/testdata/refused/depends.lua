local db = process "db" { command = "x" }
process "web" { command = "x", depends = { "wbe" } }        -- ### `^process "web": depends\[1\]: there is no process "wbe"; did you mean "web"\?$`
process "api" {
  command = "x",
  depends = {                              -- ### `^process "api": depends.db: "db" has no ready \(depends.lua:1\)$`
    [db] = "ready",
    cache = "started",                     -- ### `^process "api": depends.cache: there is no process "cache"$`
    migrate = "sucess",                    -- ### `^process "api": depends.migrate: want "started", "ready", "success" or "exit", got "sucess"; did you mean "success"\?$`
    worker = true,                         -- ### `^process "api": depends.worker: want "started", "ready", "success" or "exit", got true$`
    5,                                     -- ### `^process "api": depends\[1\]: want the name of a process, got the number 5$`
  },
}
process "worker" { command = "x", depends = { db = "ready" } } -- ### `^process "worker": depends.db: "db" has no ready \(depends.lua:1\)$`
process "self" { command = "x", depends = { "self" } } -- ### `^process "self": depends\[1\]: depends on itself$`
process "twice" { command = "x", depends = { db, db = "exit" } } -- ### `^process "twice": depends.db: "db" is named twice$`

process "a" { command = "x", depends = { "b" } }
process "b" { command = "x", depends = { "c" } }
process "c" {
  command = "x",
  depends = {
    db = "started",
    a = "started",                         -- ### `^process "c": depends.a: dependency cycle: a → b → c → a$`
  },
}
process "d" { command = "x", depends = { "a", "e" } }
process "e" { command = "x", depends = { "d" } } -- ### `^process "e": depends\[1\]: dependency cycle: d → e → d$`
