--- Log matchers for common tools: entries of a process's `notify.logMatches`.
--
--     local matchers = require "prochost.matchers"
--
--     process "api" {
--       command = "go run ./cmd/api",
--       notify = { logMatches = {
--         matchers.go_panic,
--         matchers.with(matchers.port_in_use, { on = "context" }),
--       } },
--     }
--
-- Each tells of a fault as soon as it is logged, while the process goes on: what ends the process is told
-- anyway. All are regular expressions (RE2), match anywhere in a line, and watch both streams unless said
-- otherwise. Those with `repeats` tell again, at most every 15 seconds.

local M = {}

local function matcher(pattern, fields)
  local m = { pattern = pattern, mode = "regex" }
  for key, value in pairs(fields or {}) do
    m[key] = value
  end
  return m
end

--- A copy of matcher with some fields changed.
function M.with(matcher, fields)
  local copy = {}
  for key, value in pairs(matcher) do
    copy[key] = value
  end
  for key, value in pairs(fields) do
    copy[key] = value
  end
  return copy
end

--- A line at level error or above, as most loggers write it: ERROR, [error], level=fatal, "level":"error".
M.errors = matcher([[\b(ERROR|FATAL|CRITICAL|PANIC)\b|\[(error|fatal|crit)\]|\blevel"?[=:] ?"?(error|fatal|panic)\b]], { repeats = true })

--- Go: a panic, also one that a server recovers from, a fatal error of the runtime, a data race.
M.go_panic = matcher([[^panic: |: panic serving |^fatal error: |^WARNING: DATA RACE]], { repeats = true })

--- Go: a compiler's or vet's complaint, as `go run` and watchers print it.
M.go_build = matcher([[^(vet: )?[\w./-]+\.go:\d+:\d+: ]], { repeats = true, on = "context" })

--- Python: the first line of a traceback.
M.python_traceback = matcher([[^\s*Traceback \(most recent call last\):]], { repeats = true })

--- Node.js: an error that nothing caught, or a promise that nobody handled. (The last line of a traceback of
-- Python looks the same.)
M.node_uncaught = matcher([[^(Uncaught|\[?Unhandled)|UnhandledPromiseRejection|^(\w*Error|\w*Exception): .|^node:internal/.*:\d+$]], { repeats = true })

--- TypeScript: an error of the compiler, as `tsc --watch` prints it.
M.typescript = matcher([[\berror TS\d+: ]], { repeats = true, on = "context" })

--- Rust: a panic in any thread.
M.rust_panic = matcher([[^thread '.*' (\(\d+\) )?panicked at ]], { repeats = true })

--- Java and Kotlin: an exception that ended a thread, or the first line of its cause.
M.java_exception = matcher([[^Exception in thread "|^Caused by: [\w.$]+(Exception|Error)\b]], { repeats = true })

--- Ruby: an exception, with the place it was raised.
M.ruby_exception = matcher([[^\S+\.rb:\d+:in .*\((\w|::)*(Error|Exception)\)$]], { repeats = true })

--- Any language: somebody else has the port.
M.port_in_use = matcher([[EADDRINUSE|[Aa]ddress already in use|[Pp]ort \d+ is (already )?(in use|allocated|taken)]])

--- Any language: nobody answers, most often because something else has not started.
M.connection_refused = matcher([[ECONNREFUSED|[Cc]onnection refused]], { on = "context" })

--- Any language: memory has run out.
M.out_of_memory = matcher([[JavaScript heap out of memory|java\.lang\.OutOfMemoryError|^MemoryError\b|fatal error: (runtime: )?out of memory|[Cc]annot allocate memory|std::bad_alloc]])

--- Any tool: no space is left, or too many files are open or watched.
M.no_resources = matcher([[ENOSPC|[Nn]o space left on device|EMFILE|[Tt]oo many open files]])

return M
