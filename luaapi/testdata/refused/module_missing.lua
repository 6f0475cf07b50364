local lib = require "lib.none"             -- ### `^there is no module "lib.none": no file lib/none.lua$`
