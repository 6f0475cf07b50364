-- Wrong types and values, each with what is wanted and what was given.
process "a" {
  command = 5,                             -- ### `^process "a": command: want a string or a list of strings, got the number 5$`
  cwd = {},                                -- ### `cwd: want a string, got a table$`
  env = "A=1",                             -- ### `env: want a table such as { PORT = "8080" }, got a string$`
  envFile = 1,                             -- ### `envFile: want a string or a list of strings, got the number 1$`
  shell = true,                            -- ### `shell: want a string, got true$`
  stdin = "pipes",                         -- ### `stdin: want "pipe" or "null", got "pipes"; did you mean "pipe"\?$`
  pty = "yes",                             -- ### `pty: want true or false, got a string$`
  description = function() end,            -- ### `description: want a string, got a function$`
  notify = "turn",                         -- ### `notify: want a table, got a string$`
  format = "x",                            -- ### `format: want a function, got a string$`
  restart = "on-failure",                  -- ### `restart: want "never", "failure" or "always", got "on-failure"; did you mean "failure"\?$`
  stop = 5,                                -- ### `stop: want a table, got the number 5$`
  auto = "yes",                            -- ### `auto: want true or false, got a string$`
  depends = "db",                          -- ### `depends: want a table such as { db = "ready" } or { "db" }, got a string$`
  ready = "up",                            -- ### `ready: want a table such as { log = "…" }, got a string$`
  successCodes = 3,                        -- ### `successCodes: want a list of exit codes, got the number 3$`
  turnDelivery = "followup",               -- ### `turnDelivery: want "steer" or "followUp", got "followup"; did you mean "followUp"\?$`
}

process "b" {
  command = { "a", 5, "b" },               -- ### `command\[2\]: want a string, got the number 5$`
  cwd = "  ",                              -- ### `cwd: is blank$`
  env = {
    A = true,                              -- ### `env.A: want a string, a number or false, got true$`
    B = {},                                -- ### `env.B: want a string, a number or false, got a table$`
    C = "a\0b",                            -- ### `env.C: a NUL byte cannot be passed on$`
    D = 1 / 0,                             -- ### `env.D: want a string, a number or false, got the number`
    ["E=F"] = "x",                         -- ### `env\["E=F"\]: cannot be the name of a variable$`
    [""] = "x",                            -- ### `env\[""\]: cannot be the name of a variable$`
    "A=1",                                 -- ### `unexpected value number 1 in env, without a key; variables are written NAME = "value"$`
  },
  successCodes = { 0, 255,
    256,                                   -- ### `successCodes\[3\]: want a whole number from 0 to 255, got the number 256$`
    -1,                                    -- ### `successCodes\[4\]: want a whole number from 0 to 255, got the number -1$`
    1.5,                                   -- ### `successCodes\[5\]: want a whole number from 0 to 255, got the number 1.5$`
    "2",                                   -- ### `successCodes\[6\]: want a whole number from 0 to 255, got a string$`
  },
  envFile = {
    "ok.env",                              -- ### `envFile\[1\]: "ok.env": no such file or directory$`
    1,                                     -- ### `envFile\[2\]: want a string, got the number 1$`
  },
}

process "c" { command = "  " }             -- ### `^process "c": command: is blank$`
process "d" { command = "a\0b" }           -- ### `^process "d": command: a NUL byte cannot be passed on$`
process "e" { command = {} }               -- ### `^process "e": command: is an empty list$`
process "f" { command = { "" } }           -- ### `^process "f": command\[1\]: is blank$`
process "g" {}                             -- ### `^process "g": has no command$`
process "h" { command = { "a", nil, "b" } } -- ### `^process "h": command\[3\]: the list has a hole before it$`
process "i" { command = { "a", x = "b" } } -- ### `^process "i": unknown key "x" in command; it is a list$`
process("j", "go run .")                   -- ### `^process "j": want a table such as { command = "…" }, got a string$`
process "k"                                -- ### `^process "k": has no table: the name is followed by { … }$`
process "l" { command = { "a" }, shell = "sh" } -- ### `^process "l": shell: has no meaning for a command that is a list$`
process "m" { command = "a", shell = "bash -e" } -- ### `^process "m": shell: a shell with flags is a list, such as { "bash", "-e", "-c" }$`
process "n" { command = "a", shell = {} }  -- ### `^process "n": shell: is an empty list$`
job "o" { command = "a", restart = "always" } -- ### `^job "o": restart: a job is expected to end, and is not restarted$`
process "p" { command = "a", env = { [true] = 1 } } -- ### `^process "p": env: true cannot be a key$`
local handle_ = process "q" { command = "a" }
process "r" { command = "a", env = { [handle_] = 1 } } -- ### `^process "r": env.q: cannot be the name of a variable$`
process "s" { command = "a", [handle_] = 1 } -- ### `^process "s": unknown key "q"$`
