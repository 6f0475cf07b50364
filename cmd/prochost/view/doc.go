// Package view turns the answers of a host into what a person reads: tables that fit the terminal, trees, and
// sentences.
//
// It is pure: values and the time go in, text comes out. What processes and recipes have a say in (names, commands,
// reasons) is made safe to show on its way, so that nothing of it steers a terminal or breaks a line.
//
// # Tables
//
// Where there is a terminal, a table is as wide as that at most: columns that say nothing go first, then the columns that
// can be cut are cut, then columns go in the order of their rank. Elsewhere, and so for programs, every column is
// there and whole.
package view
