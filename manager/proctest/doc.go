// Package proctest lets a test have its own binary play a role in a process of its own: a host in circumstances
// that cannot be had within the test process, such as those of an ordinary user, of a low limit, or of a
// namespace. It also counts what a process holds, and finds what a test has left.
//
//	test ── Stage.Play ──▶ sh script ──▶ this binary ── Main ──▶ the role, which prints what the test looks at
//
// A role is a function in the test package, entered in a table that TestMain hands to Main. Whatever a role
// starts inherits a token in its environment: Play fails if anything that has it survives.
package proctest
