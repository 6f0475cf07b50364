-- A stack for CI, in which one check fails on purpose. The first failure stops the rest, in order, and its
-- exit code is that of prochost:
--
--   go run ./cmd/prochost up -f examples/ci/prochost.lua --exit-on failure
--   echo $?        # 7 from a built prochost; `go run` itself turns every failure into 1
--
-- Only unit is told as a crash. server is stopped because of it: that is an intended end, told without
-- waking anybody. e2e is never started.

local server = process "server" {
  command = { "sh", "-c", "echo 'listening'; while :; do sleep 1; done" },
  ready   = { log = "listening" },
}

local lint = job "lint" {
  command = "echo '12 files, nothing to say'",
  notify  = { onSuccess = "ignore" },
}

local unit = job "unit" {
  command = [[
    echo 'ok   TestAdd'
    echo 'FAIL TestDivide: 1/3 = 0' >&2
    exit 7
  ]],
  depends = { [server] = "ready", [lint] = "success" },   -- what job returned stands for the name
}

job "e2e" {
  command = "echo 'never gets here'; exit 1",
  depends = { [unit] = "success" },
}

on("format.crash", function(n)
  for _, line in ipairs(n.tail) do
    local test, why = line:match("FAIL (%w+): (.*)")
    if test then
      -- The first line is the summary, the rest the body.
      return ("%s failed: %s\nto see it alone: make unit ONLY=%s"):format(test, why, test)
    end
  end
  -- Returning nothing leaves it to the built-in words.
end)
