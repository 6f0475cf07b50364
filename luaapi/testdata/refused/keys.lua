-- Every key that is wrong is told on its own line, with the key that was meant.
process "api" {
  comand = "go run .",                     -- ### `^process "api": unknown key "comand"; did you mean "command"\?$`
  CWD = "x",                               -- ### `^process "api": unknown key "CWD"; did you mean "cwd"\?$`
  depends_on = { "db" },                   -- ### `unknown key "depends_on"; did you mean "depends"\?$`
  workdir = "x",                           -- ### `unknown key "workdir"; did you mean "cwd"\?$`
  xyzzy = 1,                               -- ### `^process "api": unknown key "xyzzy"$`
  notify = {
    onsuccess = "turn",                    -- ### `^process "api": unknown key "onsuccess" in notify; did you mean "onSuccess"\?$`
    ["on success"] = "turn",               -- ### `unknown key "on success" in notify; did you mean "onSuccess"\?$`
    logMatches = {
      { pattern = "a" },
      {
        pattern = "b",
        repeat_ = true,                    -- ### `unknown key "repeat_" in notify.logMatches\[2\]; did you mean "repeats"\?$`
      },
    },
  },
  restart = { on = "failure", maximum = 3 }, -- ### `unknown key "maximum" in restart$`
  stop = {
    garce = "5s",                          -- ### `unknown key "garce" in stop; did you mean "grace"\?$`
  },
  ready = {
    log = "up",
    tcp = 8080,                            -- ### `unknown key "tcp" in ready$`
  },
  "go run .",                              -- ### `^process "api": unexpected value number 1, without a key$`
}

job("migrate", {
  command = "x",
  watch = {},                              -- ### `^job "migrate": unknown key "watch"$`
  tty = true,                              -- ### `unknown key "tty"; did you mean "pty"\?$`
})

-- written out elsewhere: the line of the declaration
local options = {
  command = "x",
  shel = "bash",
}
process "worker" (options)                 -- ### `^process "worker": unknown key "shel"; did you mean "shell"\?$`

for _, name in ipairs { "a", "b" } do
  process(name) {
    command = "x",
    stdn = "pipe",                         -- ### `^process "a": unknown key "stdn"` ### `^process "b": unknown key "stdn"; did you mean "stdin"\?$`
  }
end

prochost.process "dotted" {
  command = "x",
  descripton = "",                         -- ### `^process "dotted": unknown key "descripton"; did you mean "description"\?$`
}

process "one" { command = "x", aoto = true } process "two" { command = "x", -- ### `^process "one": unknown key "aoto"`
  atuo = false,                            -- ### `^process "two": unknown key "atuo"`
}

local function service(name, options)
  options.command = "x"
  process(name)(options)                   -- ### `^process "svc": unknown key "gorup"$`
end
service("svc", { gorup = "x" })

process "computed" {                       -- ### `^process "computed": unknown key "descriptoin"`
  command = "x",
  env = setmetatable({ A = 1 }, {}),
  [("de" .. "scription")] = "built",
  [("de" .. "scriptoin")] = "built",       -- told at the declaration, whose line is above
}
