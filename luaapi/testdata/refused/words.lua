env { 5 }                                  -- ### `^env: unexpected value number 1, without a key; variables are written NAME = "value"$`
env "A=1"                                  -- ### `^env: want a table such as { PORT = "8080" }, got a string$`
env {
  A = 1,
  B = true,                                -- ### `^env: B: want a string, a number or false, got true$`
}
dotenv {}                                  -- ### `^dotenv: want a string, got a table$`
dotenv ""                                  -- ### `^dotenv: is blank$`
include "none.lua"                         -- ### `^include: "none.lua": no such file or directory$`
include "[.lua"                            -- ### `^include: "\[.lua": it is no pattern`
include "**/*.lua"                         -- ### `^include: "\*\*/\*.lua": "\*\*" has no meaning here`
include "/dev/null"                        -- ### `^include: "\.\.[^"]*/dev/null": it is no regular file$`
include "."                                -- ### `^include: "\.": it is a directory$`
include(nil)                               -- ### `^include: want a string, got nothing$`
requires "newest"                          -- ### `^requires: want versions such as ">=0.3", got "newest"$`
on("format.crashed", function() end)       -- ### `^on: want "format.success", .* or "format", got "format.crashed"; did you mean "format.crash"\?$`
on("format.crash")                         -- ### `^on\("format.crash"\): want a function, got nothing$`
on("format.killed", function() end)
on("format.killed", function() end)        -- ### `^on\("format.killed"\): has a handler already, at words.lua:18$`
on(5, function() end)                      -- ### `^on: want "format.success", .*, got the number 5$`
