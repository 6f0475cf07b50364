local api = process "api" { command = "x" }
api.command = "y"                          -- ### `^process "api" cannot be changed$`
