local function port(options)
  return options.net.port                  -- ### `(?s)^attempt to index .*nil value.*\n    runtime.lua:2: in function.*\n    runtime.lua:5: in main chunk$`
end

local p = port { host = "localhost" }
