process "" { command = "x" }               -- ### `^process "": a name cannot be empty$`
process "a/b" { command = "x" }            -- ### `^process "a/b": a name cannot hold '/'; allowed are letters of any script`
process "-f" { command = "x" }             -- ### `^process "-f": a name cannot begin with a dash`
process "a\nb" { command = "x" }           -- ### `^process "a\\nb": a name cannot hold control characters$`
process "." { command = "x" }              -- ### `^process "\.": this name is taken by directories$`
process(("x"):rep(101)) { command = "x" }  -- ### `^process "xxx.*\.\.\.": a name has at most 100 bytes, this one has 101$`
process " a" { command = "x" }             -- ### `spaces in a name stand alone`
process "*" { command = "x" }              -- ### `a name cannot hold '\*'`
process(5) { command = "x" }               -- ### `^process "": want a name, got the number 5$`
process { command = "x" }                  -- ### `^process "": want a name, got a table$`
job("a/b", { command = "x" })              -- ### `^job "a/b": a name cannot hold '/'`

process "api" { command = "x" }
process "api" { command = "y" }            -- ### `^process "api": is declared already, at names.lua:13$`
job "api" { command = "z" }                -- ### `^job "api": is declared already, at names.lua:13$`
local db = process "db" { command = "x" }
db { command = "y" }                       -- ### `^process "db": is declared already, at names.lua:16$`
