process "a" {
  command = "x",
  notify = {
    onSuccess = "ignore",
} -- ### `^the file ends too early: '\{' of line 1 is not closed, '\}' is missing$`
