// Package notify decides what the reader of a stack (an agent, a person, a script) is told, and how
// loudly. It is pure: no goroutine, no clock, no file; time arrives as a parameter and decisions leave
// as values.
//
// # The flow
//
//	proc.Ended ──Decide──▶ Notification ──View──▶ (a hook words it) ──Message──▶ Message
//	line ──Matchers.Observe, or ObserveRun for many──▶ Match ──Limiter.Admit──▶ Notification ──▶ …
//
// Beside it, Pattern finds in a log what a matcher would have matched; nothing comes of it but lines.
//
// Each arrow changes the type, so no step can be skipped, repeated or run backwards. A Notification is
// sealed: its fields are unexported and have no setters. A hook is called after the decision, sees a View
// (a copy), and returns Words, which have room for text alone. Message is total: whatever the words are,
// the message goes out, with the kind and the attention that were decided.
//
// # What cannot be written
//
// A failure has no Choice to be ignored: Policy.OnFailure is an Attention, and silence is not an
// Attention. An end is not a Match, so the Limiter cannot swallow one. The zero Policy, the zero Kind and
// the zero Attention are the loud ones: what is forgotten is told. Programs that try otherwise are kept in
// testdata/illegal, and a test holds that the compiler refuses them.
package notify
