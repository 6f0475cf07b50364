local python = require "python"             -- modules are found beside prochost.lua, wherever this file is

job "smoke" (python {
  script  = "smoke.py",
  cwd     = "..",                           -- paths are relative to the file that they stand in
  depends = { api = "ready", worker = "started" },
})
