process "a" { comand = "x" }               -- ### `unknown key "comand"`
process "b" { command = "x", depends = { "nowhere" } } -- what follows is not known: not told
if hots.os == "linux" then end             -- ### `^"hots" is not declared; did you mean "host"\?$`
