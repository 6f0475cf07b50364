x = 5                                      -- ### `^"x" is not declared: write local x = `
