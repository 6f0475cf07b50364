-- A small dev stack in Python: an HTTP API, a worker that asks it for work, a smoke test.
--
--   go run ./cmd/prochost up -f examples/web/prochost.lua
--   go run ./cmd/prochost up -f examples/web/prochost.lua --exit-on smoke
--
-- The first runs until Ctrl-C, which stops worker, then api: what depends on something goes before it.
-- The second ends with the smoke test, with its exit code. Try an edit of this file while it runs, too:
-- what you changed is applied, the rest is left alone.

local python = require "python"             -- python.lua, beside this file
local matchers = require "prochost.matchers"

dotenv ".env"                               -- optional: say PORT=9000 there, for instance

-- os.getenv answers what a process declared here would see, .env included.
local port = os.getenv("PORT") or "8321"
env { PORT = port }

process "api" (python {
  script  = "api.py",
  ready   = { log = "listening on http://" },
  restart = { on = "failure", delay = "500ms", backoff = 2, maxDelay = "5s", max = 5 },
  notify  = {
    logMatches = {
      matchers.python_traceback,
      { pattern = [[rejected order: (.+)]], mode = "regex", stream = "stderr", on = "context" },
    },
  },
})

process "worker" (python {
  script  = "worker.py",
  depends = { api = "ready" },
  restart = "failure",
})

include "jobs/*.lua"                        -- jobs/smoke.lua declares the smoke test

on("format.log_match", function(n)
  if n.match.captures[1] then
    return ("%s rejected an order: %s"):format(n.process.name, n.match.captures[1])
  end
end)

print(("the API will be at http://127.0.0.1:%s/orders"):format(port))
