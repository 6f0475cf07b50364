local lib = require "../lib"               -- ### `^"../lib" is no name of a module`
