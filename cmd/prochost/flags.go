package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
)

// choice is the value of a flag that takes one of a few words.
type choice struct {
	value *string
	words []string
}

func (c choice) String() string { return *c.value }
func (c choice) Type() string   { return "WORD" }

func (c choice) Set(word string) error {
	if !slices.Contains(c.words, word) {
		return fmt.Errorf("is %s, not %q", orList(c.words), word)
	}
	*c.value = word
	return nil
}

// chooseVar adds a flag that takes one of words. A shell completes them.
func chooseVar(cmd *cobra.Command, value *string, name, fallback, help string, words ...string) {
	*value = fallback
	cmd.Flags().Var(choice{value, words}, name, help)
	completeWords(cmd, name, words...)
}

// colorVar adds --color.
func colorVar(cmd *cobra.Command, value *string) {
	chooseVar(cmd, value, "color", "auto", "`WHEN` there are colours: auto (on a terminal, unless NO_COLOR is set), always or never", "auto", "always", "never")
}

func jsonVar(cmd *cobra.Command, value *bool, help string) {
	cmd.Flags().BoolVar(value, "json", false, help)
}

// span is the value of a flag that takes a duration.
type span struct{ value **time.Duration }

func (s span) Type() string { return "DURATION" }

func (s span) String() string {
	if s.value == nil || *s.value == nil {
		return ""
	}
	return (*s.value).String()
}

func (s span) Set(word string) error {
	d, err := time.ParseDuration(word)
	if err != nil || d < 0 {
		return fmt.Errorf("is a duration such as 500ms, 5s or 2m, not %q", word)
	}
	*s.value = &d
	return nil
}

// spanVar adds a flag that takes a duration; without it the value stays nil.
func spanVar(cmd *cobra.Command, value **time.Duration, name, help string) {
	cmd.Flags().Var(span{value}, name, help)
}

// millisOf is a duration as the wire has it; nil stays nil.
func millisOf(d *time.Duration) *int64 {
	if d == nil {
		return nil
	}
	ms := d.Milliseconds()
	if ms == 0 && *d > 0 {
		ms = 1 // none would mean something else
	}
	return &ms
}

// orList writes words as "a, b or c".
func orList(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " or " + words[len(words)-1]
}
