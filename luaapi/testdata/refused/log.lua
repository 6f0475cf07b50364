process "a" {
  command = "a",
  log = {
    cap = 64,                              -- ### `^process "a": log.cap: sizes are strings such as "64 MiB", got the number 64$`
    keep = "2",                            -- ### `log.keep: want a whole number from 2 to 100, got a string$`
  },
}
process "b" {
  command = "b",
  log = {
    cap = "64MB",                          -- ### `log.cap: want a size such as "512 KiB", "64 MiB" or "1 GiB", got "64MB"; did you mean "64 MiB"\?$`
    keep = 1,                              -- ### `log.keep: want a whole number from 2 to 100, got the number 1$`
    kep = 3,                               -- ### `unknown key "kep" in log; did you mean "keep"\?$`
    max_size = "1 MiB",                    -- ### `unknown key "max_size" in log; did you mean "cap"\?$`
  },
}
process "c" { command = "c", log = { cap = "1g" } } -- ### `log.cap: want a size .*, got "1g"; did you mean "1 GiB"\?$`
process "d" { command = "d", log = { cap = "64" } } -- ### `log.cap: want a size .*, got "64"$`
process "e" { command = "e", log = { cap = "much" } } -- ### `log.cap: want a size .*, got "much"$`
process "f" { command = "f", log = { cap = "63 KiB" } } -- ### `log.cap: want at least 64 KiB, got "63 KiB"$`
process "g" { command = "g", log = { cap = "2 TiB" } } -- ### `log.cap: want at most 1 TiB, got "2 TiB"$`
process "h" { command = "h", log = { cap = "99999999999999999999 B" } } -- ### `log.cap: want at most 1 TiB`
process "i" { command = "i", log = { cap = "9999999999999999 GiB" } } -- ### `log.cap: want at most 1 TiB`
process "j" { command = "j", log = { cap = true } } -- ### `log.cap: want a size such as "512 KiB", "64 MiB" or "1 GiB", got true$`
process "k" { command = "k", log = "64 MiB" } -- ### `log: want a table such as \{ cap = "64 MiB" \}, got a string$`
