local api = process "api" { command = "x" }
print(api.pid)                             -- ### `^process "api" has a name and nothing else, got "pid"$`
