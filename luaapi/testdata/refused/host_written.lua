host.os = "plan9"                          -- ### `^host is read-only$`
