-- os.getenv sees what a process that is declared here would have
assert(os.getenv("HOME") == "/home/ann")
assert(os.getenv("LEVEL") == nil)
env { LEVEL = "debug", HOME = false, PORT = 8080, RATIO = 0.5, BIG = 1e20 }
assert(os.getenv("LEVEL") == "debug")
assert(os.getenv("HOME") == nil)
assert(os.getenv("PORT") == "8080")
assert(os.getenv("RATIO") == "0.5")
assert(os.getenv("BIG") == "1e+20")
env { LEVEL = "info" }
assert(os.getenv("LEVEL") == "info")
assert(os.getenv("PORT") == "8080")
dotenv "no-such.env"
assert(os.getenv("LEVEL") == "info")
