local s = host.sesion                      -- ### `^host has no field "sesion"; did you mean "session"\?$`
