-- facts
assert(host.version == "0.3.1")
assert(host.session == "s1")
assert(host.dir:match("/testdata/language$"))
assert(host.os == "linux" or host.os == "darwin")
assert(type(host.arch) == "string")
assert(prochost.host == host)
assert(tostring(host) == "host")
assert(getmetatable(host) == false)
assert(not pcall(rawset, host, "os", "plan9"))

requires(">=0.3")
requires(">=0.2, <1")
