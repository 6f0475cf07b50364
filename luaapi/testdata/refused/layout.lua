-- The table is found however the call is laid out.
process "a"
{
  command = "x",
  comand = "y",                            -- ### `^process "a": unknown key "comand"`
}
process(
  "b",
  {
    command = "x",
    env = {
      OK = "1",
      BAD = {},                            -- ### `^process "b": env.BAD: want`
    },
  }
)
process "c" { command = "x", notify = {
    onSuccess = "x" } }                    -- ### `^process "c": notify.onSuccess: want`
process ("d") ({
  command = "x",
  stop = { signal =                        -- ### `^process "d": stop.signal: unknown signal "X"`
    "X" },                                 -- (a value is told at its key)
})
process [[e]] {
  command = "x",
  ["cwd"] = 5,
  cwd = "x", ["cwd"] =                     -- ### `^process "e": cwd: want a string, got the number 6`
    6,
}
local p = process
p "f" { command = "x",                     -- ### `^process "f": cwd: want`
  cwd = 5,                                 -- (called by another name: told at the call)
}
if true then for i = 1, 1 do (function()
  process "g" { command = "x",
    auto = "no" }                          -- ### `^process "g": auto: want`
end)() end end
