-- every word is a field of prochost
for _, name in ipairs { "process", "job", "env", "dotenv", "include", "on", "requires", "require", "host", "print" } do
  assert(prochost[name] == _G[name], name)
end
assert(not pcall(function() prochost.process = nil end))
assert(not pcall(function() return prochost.proces end))

-- an event each, and the general one
for _, event in ipairs { "format", "format.success", "format.failure", "format.crash", "format.killed", "format.log_match" } do
  on(event, function() end)
end

-- what reaches outside is not there
for _, name in ipairs { "io", "debug", "load", "loadstring", "dofile", "loadfile", "coroutine", "package", "collectgarbage", "getfenv", "setfenv" } do
  assert(not pcall(function() return _G[name] end), name)
end
for _, name in ipairs { "execute", "exit", "remove", "rename", "setenv", "tmpname" } do
  assert(os[name] == nil, name)
end
