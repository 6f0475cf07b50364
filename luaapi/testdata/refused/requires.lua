process "a" { comand = "x" }               -- not told: it may be right for that version
requires ">=0.4, <2"                       -- ### `^requires prochost >=0.4, <2, this is 0.3.1$`
