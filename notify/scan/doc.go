// Package scan finds which of many literals occur in a text, in one pass and without looking at most of
// the bytes, and derives from a regular expression the literals that whatever it matches must contain. It
// is pure, and it knows nothing of lines.
//
//	regular expression ── Required ──▶ literals, one of which is in every match
//	groups of literals ── New ──▶ Set ── Next ──▶ a place, and the groups found there
//
// # How it searches
//
// Of each literal a window of m bytes is chosen, m being the length of the shortest literal (or 16).
// Wherever the literal occurs, its window covers m-q+1 places at which a gram of q bytes lies wholly
// inside, so it is enough to look at every (m-q+1)th gram of the text. Each of these is hashed into a
// table of bits that says whether a window has such a gram; only where it does are the literals
// compared. No step waits for the outcome of the one before, as it would in a Wu-Manber search or an
// Aho-Corasick automaton, and so the processor works on several at a time: that is what makes it
// three and six times faster than those, and still faster when a literal has but two bytes.
//
// The window is the one whose commonest gram is rarest in logs. Grams are taken without regard to the
// case of ASCII letters, which costs nothing and lets literals that fold case be searched for with all
// others. Other letters are never folded here: Required gives each of their cases as a literal.
//
// # What may be assumed
//
// Next misses nothing: a text without a hit holds none of the literals. Of a hit it is certain that the
// literal is there.
package scan
