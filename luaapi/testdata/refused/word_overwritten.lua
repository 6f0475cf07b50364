process = nil                              -- ### `^"process" is a word of the language and cannot be assigned to$`
