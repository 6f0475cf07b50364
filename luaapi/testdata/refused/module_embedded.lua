local lib = require "prochost.macthers"    -- ### `^there is no module "prochost.macthers" in the library of prochost; did you mean "prochost.matchers"\?$`
