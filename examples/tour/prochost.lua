-- The tour: a stack of four that needs a shell and nothing else, and ends by itself after some seconds.
--
--   go run ./cmd/prochost up -f examples/tour/prochost.lua
--
-- db gets ready, migrate runs once, api crashes at its first start and is well at its second, worker packs
-- five orders and complains about one of them. Then the shop closes, and with the last process prochost
-- ends: with code 0, since the restart has mended the crash.

env { CURRENCY = "EUR" }                    -- for every process below

process "db" {
  description = "stands in for a database",
  command = { "sh", "db.sh" },              -- a list: run as it is, in the folder of this file
  ready   = { log = "ready to accept connections" },
  notify  = { onSuccess = "ignore" },       -- a good end may be silent; a bad one never is
}

-- A job is a process that is expected to end. Others can wait for its success.
job "migrate" {
  command = "sh migrate.sh",                -- a string: a line for the shell
  depends = { db = "ready" },
  notify  = { onSuccess = "context" },      -- told, without waking anybody
}

process "api" {
  command = { "sh", "api.sh" },
  depends = { db = "ready", migrate = "success" },
  ready   = { log = "listening" },
  restart = { on = "failure", delay = "500ms", max = 3 },
  notify  = { onSuccess = "context" },
}

process "worker" {
  command = { "sh", "worker.sh" },
  depends = { api = "ready" },
  notify  = {
    logMatches = {
      { pattern = [[order (\d+) is late]], mode = "regex" },
    },
  },
}

-- Words for every crash in this recipe. That it is told, and how loudly, is decided before this runs, and the
-- facts stand beside the words whatever they are.
on("format.crash", function(n)
  return ("%s broke, its last words: %s"):format(n.process.name, n.tail[#n.tail] or "none")
end)

on("format.log_match", function(n)
  return "customer of order " .. n.match.captures[1] .. " waits"
end)
