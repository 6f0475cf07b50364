-- A Go program, from its sources to its output: vet, test and build side by side, then run.
--
--   go run ./cmd/prochost up -f examples/go/prochost.lua
--
-- It ends by itself, with code 0. importer comes upon an order that makes it panic, recovers and goes on:
-- no end to tell of, so a log matcher tells of the line.

local checks = { vet = "success", test = "success", build = "success" }

-- A recipe is a program: what is alike is declared in a loop.
for name, command in pairs {
  vet   = { "go", "vet", "./importer" },
  test  = { "go", "test", "./importer" },
  build = { "go", "build", "-o", "bin/importer", "./importer" },
} do
  job(name, {
    command = command,
    notify  = { onSuccess = "ignore" },
  })
end

job "importer" {
  command = { "bin/importer", "orders.csv", "bin/prices.csv" },
  depends = checks,
  notify  = {
    logMatches = {
      { pattern = [[^panic: (.+) \[recovered\]$]], mode = "regex", stream = "stderr", repeats = true },
    },
  },
  -- Words for this process alone; asked before the handlers of `on`.
  format = function(n)
    if n.match then
      return ("an order was left out: %s"):format(n.match.captures[1])
    end
    for _, line in ipairs(n.tail) do        -- the last lines of output, both streams
      if line:find("imported") then
        return ("%s in %.1f s"):format(line, n.process.uptime)
      end
    end
  end,
}

-- diff says 1 where it finds a difference, and that is no failure here.
job "compare" {
  command      = "diff last-week.csv bin/prices.csv",
  depends      = { importer = "success" },
  successCodes = { 1 },
  notify       = { onSuccess = "context" },
}
