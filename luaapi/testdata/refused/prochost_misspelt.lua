prochost.proces "x" {}                     -- ### `^prochost has no field "proces"; did you mean "process"\?$`
