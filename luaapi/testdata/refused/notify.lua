process "a" {
  command = "a",
  notify = {
    onSuccess = "trun",                    -- ### `notify.onSuccess: want "turn", "context" or "ignore", got "trun"; did you mean "turn"\?$`
    onFailure = false,                     -- ### `notify.onFailure: want "turn", "context" or "ignore", got false$`
    onKilled = "IGNORE",                   -- ### `notify.onKilled: want .*, got "IGNORE"; did you mean "ignore"\?$`
    logMatches = {
      "panic",                             -- ### `notify.logMatches\[1\]: want a table such as { pattern = "…" }, got a string$`
      {},                                  -- ### `notify.logMatches\[2\]: has no pattern$`
      { pattern = "" },                    -- ### `notify.logMatches\[3\].pattern: is empty$`
      { pattern = " \t" },                 -- ### `notify.logMatches\[4\].pattern: is only white space$`
      { pattern = "(", mode = "regex" },   -- ### `notify.logMatches\[5\].pattern: is no regular expression: missing closing \)`
      { pattern = "(" },
      { pattern = "x", mode = "re" },      -- ### `notify.logMatches\[7\].mode: want "literal" or "regex", got "re"$`
      { pattern = "x", stream = "out" },   -- ### `notify.logMatches\[8\].stream: want "both", "stdout" or "stderr", got "out"`
      { pattern = "x", repeats = 1 },      -- ### `notify.logMatches\[9\].repeats: want true or false, got the number 1$`
      { pattern = "x", repeats = true, ["repeat"] = true }, -- ### `notify.logMatches\[10\].repeat: is the same as repeats: only one of them may be given$`
      { pattern = "x", on = "wake" },      -- ### `notify.logMatches\[11\].on: want "turn", "context" or "ignore", got "wake"$`
      { pattern = ("x"):rep(501) },        -- ### `notify.logMatches\[12\].pattern: has 501 characters, at most 500 are allowed$`
      { patern = "x" },                    -- ### `unknown key "patern" in notify.logMatches\[13\]; did you mean "pattern"\?$`
      { pattern = 5 },                     -- ### `notify.logMatches\[14\].pattern: want a string, got the number 5$`
    },
  },
}

process "b" {
  command = "b",
  notify = {
    logMatches = {
      { pattern = "1" }, { pattern = "2" }, { pattern = "3" }, { pattern = "4" }, { pattern = "5" },
      { pattern = "6" }, { pattern = "7" }, { pattern = "8" }, { pattern = "9" }, { pattern = "10" },
      { pattern = "11" }, { pattern = "12" }, { pattern = "13" }, { pattern = "14" }, { pattern = "15" },
      { pattern = "16" }, { pattern = "17" }, { pattern = "18" }, { pattern = "19" }, { pattern = "20" },
      { pattern = "21" },                  -- ### `^process "b": notify.logMatches\[21\]: at most 20 matchers are allowed, got 22$`
      { pattern = "22" },
    },
  },
}
