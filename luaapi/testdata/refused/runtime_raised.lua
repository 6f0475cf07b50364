error { message = "no port is free" }      -- ### `^no port is free$`
