// Package text turns the bytes that processes write, and the words that hooks return, into text that
// somebody may safely be shown. It is pure: no clock, no I/O, no goroutine.
//
//	bytes of a stream ── Lines ──▶ visible lines      what matchers look at
//	one raw line ─────── Visible ─▶ visible text      the same, for a line at hand and for files
//	                 ├── Terminal ▶ text with colours what a terminal is shown
//	                 └── Raw ─────▶ text as it came   what a program is told
//	words of a hook ──── Words ───▶ plain words       nothing hidden, nothing that steers a terminal
//	any text ─────────── Reveal ──▶ text for a frame  what is hidden is shown as \u{…}
//
// # What a line is
//
// A line ends at a line feed, and at the end of the stream. Carriage returns directly before either
// belong to the line end, so "abc\r\n" is the line "abc", and so is a last "abc\r" with nothing after
// it: at the end of a stream nothing is left that could overwrite it. Lines finds the line ends itself.
// Visible, Terminal and Raw are given a line without its end; a carriage return that is still there
// counts as one inside the line and discards what stands before it.
//
// # What is visible
//
// Escape sequences are dropped: CSI, the short ones (nF, Fp, Fe, Fs), OSC and APC up to ST or BEL, and
// DCS, SOS and PM up to ST. One that is not complete swallows the rest of its line and no more. What
// stands before a carriage return is dropped, as are control characters (C0, DEL, C1). A tab becomes
// spaces up to the next multiple of eight terminal cells. Each byte that is not part of valid UTF-8
// becomes U+FFFD.
//
// A CSI or short sequence is read as terminals read it: control characters inside it take effect, CAN
// and SUB break it off, ESC begins another one, and a character that is not ASCII ends it and is shown.
// Eight-bit controls begin no sequence; in UTF-8 they are characters of their own, and dropped.
//
// # Order and loss
//
// Lines reports every visible line once and in order, wherever the blocks are cut, in bounded memory.
// It leaves out lines without visible text and lines of more than MaxLine characters; nothing else.
package text
