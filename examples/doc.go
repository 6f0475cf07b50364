// Package examples holds stacks to run and to copy from, one to a folder. Its tests run each of them, and hold
// what the documentation says against what the program does.
package examples
