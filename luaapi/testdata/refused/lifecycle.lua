process "a" {
  command = "a",
  stop = {
    signal = "SIGTREM",                    -- ### `stop.signal: unknown signal "SIGTREM"; did you mean "TERM"\?$`
    grace = 5,                             -- ### `^process "a": stop.grace: durations are strings such as "5s", got the number 5$`
  },
  ready = { mode = "regex" },              -- ### `ready: has no log$`
  restart = {
    on = "allways",                        -- ### `restart.on: want "never", "failure" or "always", got "allways"; did you mean "always"\?$`
    delay = "5",                           -- ### `restart.delay: want a duration such as "300ms", "5s" or "2m", got "5"$`
    backoff = 0.5,                         -- ### `restart.backoff: want a number from 1 to 100, got the number 0.5$`
    maxDelay = "1x",                       -- ### `restart.maxDelay: want a duration`
    max = -1,                              -- ### `restart.max: want a whole number from 0 to 1000000, got the number -1$`
    healthy = "-1s",                       -- ### `restart.healthy: want at least 0s, got "-1s"$`
  },
}
process "b" {
  command = "b",
  leftovers = "kill",                      -- ### `leftovers: want "end" or "keep", got "kill"$`
  stop = { signal = 9, grace = "0s" },     -- ### `stop.signal: want the name of a signal such as "INT", got the number 9$` ### `stop.grace: want at least 1ms, got "0s"$`
  ready = { log = " " },                   -- ### `ready.log: is only white space$`
}
process "c" {
  command = "c",
  restart = {
    delay = "10s",
    maxDelay = "5s",                       -- ### `restart.maxDelay: 5s is less than the delay of 10s$`
  },
  ready = { log = "[", mode = "regex" },   -- ### `ready.log: is no regular expression: missing closing \]`
}
process "d" {
  command = "d",
  restart = {
    max = "5",                             -- ### `restart.max: want a whole number from 0 to 1000000, got a string$`
    backoff = 0 / 0,                       -- ### `restart.backoff: want a number from 1 to 100, got the number`
    healthy = true,                        -- ### `restart.healthy: want a duration such as "5s", got true$`
  },
  leftovers = true,                        -- ### `leftovers: want "end" or "keep", got true$`
  stop = {
    parentOnly = "yes",                    -- ### `stop.parentOnly: want true or false, got a string$`
    command = 5,                           -- ### `stop.command: want a string or a list of strings, got the number 5$`
  },
}
process "e" {
  command = "e",
  leftover = "end",                        -- ### `unknown key "leftover"; did you mean "leftovers"\?$`
  stop = {
    parent_only = true,                    -- ### `unknown key "parent_only" in stop; did you mean "parentOnly"\?$`
    parentonly = true,                     -- ### `unknown key "parentonly" in stop; did you mean "parentOnly"\?$`
    comand = "x",                          -- ### `unknown key "comand" in stop; did you mean "command"\?$`
    command = { "" },                      -- ### `stop.command\[1\]: is blank$`
  },
}
process "f" { command = "f", stop = { command = " " } } -- ### `stop.command: is blank$`
process "g" { command = "g", stop = { command = {} } } -- ### `stop.command: is an empty list$`
