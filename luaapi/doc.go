// Package luaapi loads recipes, which are programs in Lua, and asks their hooks for words.
//
// # A load
//
//	Load ──▶ run: a VM, the words ──▶ the recipe declares ──▶ check ──▶ Program
//	              │                        │
//	              disk (read, kept)        trouble (kept) ──▶ Errors
//
// A recipe declares and does nothing else: a load has no effect on the world, whether it succeeds or not. It
// runs in a VM of its own (package vm), within two seconds and 256 MiB. What is wrong with a declaration
// does not stop it. Trouble is collected, so that all of it is told at once, and only when the load has
// failed is it placed on the line of the key: by finding, in the source, the table that the call was given.
// What stops a load is an error of the program itself. Whether what one process says of another holds is
// looked at when all have been declared.
//
// Every file that a load looked for is listed, with a hash of what it held, so that the host can watch them;
// so is every directory that an include looked through. A module is found below the directory of the entry
// recipe, whoever requires it. Any other path is relative to the recipe that is being read, which for a
// function of a module is the recipe that called it.
//
// # The schema
//
// The keys of a process stand in one table (keys.go, and one for each table within), with their types, what
// a change of them asks for, and a line of help. Decoding, the search for what a misspelt key means, and
// Reference read it. To add a key is to add its row, and what recipe.Compare makes of it.
//
// # Hooks
//
// A Program keeps the VM that the recipe ran in, on a goroutine of its own. Words hands a copy of a
// notification to a hook and takes text back; nothing else can be returned, and nothing that is written into
// the copy leads anywhere. The caller leaves at its deadline whatever the hook does. Three failures in a row
// turn a hook off. If a hook hangs in a function of Go, which the VM cannot end, its VM is given up and the
// recipe is run again in another one, from the text that was loaded; after three of those all hooks are
// off. A later notification is never held up by an earlier one: while a VM is busy or away, the built-in
// words stand in.
//
// # Order and loss
//
// Hooks run one at a time. Of many notifications at once some find no time left, and have the built-in
// words. Whether a notification goes out, and how loudly, was decided before a hook is asked, and cannot be
// expressed in what it returns.
package luaapi
