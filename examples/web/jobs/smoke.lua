-- Paths are relative to the file that they stand in: hence the cwd.
job "smoke" {
  command = { "python3", "-u", "smoke.py" },
  cwd     = "..",
  depends = { api = "ready", worker = "started" },
}
