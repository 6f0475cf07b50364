-- What the Python processes of this stack have in common, as a function on their tables.
return function(p)
  -- -u: a line reaches prochost when it is printed, not when a buffer is full.
  p.command = { "python3", "-u", p.script }
  p.script = nil
  p.env = { PYTHONDONTWRITEBYTECODE = "1" }
  return p
end
