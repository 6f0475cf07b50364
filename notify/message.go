package notify

import (
	"errors"
	"fmt"
	"strings"

	"github.com/prochost/prochost/notify/text"
)

const (
	// MaxSummary and MaxBody bound the words of a message, in bytes.
	MaxSummary = 200
	MaxBody    = 4096
)

// Words are what a hook may choose: text alone.
type Words struct {
	Summary string
	Body    string
}

// ParseWords reads a string as words: the first line is the summary, the rest the body.
func ParseWords(s string) Words {
	summary, body, _ := strings.Cut(s, "\n")
	return Words{Summary: summary, Body: body}
}

// ErrBlank is reported for words in which nothing can be seen.
var ErrBlank = errors.New("the text is blank")

// Message is a Notification with its words, ready to be delivered. The facts always travel with it; words
// only accompany them.
type Message struct {
	Notification
	number  uint64
	summary string
	body    string
	custom  bool
}

// Message joins n and words. It is total: with a nil w, or words that cannot be used, the built-in words
// stand in, and err says why the words were not used. number is the number of the message in its session.
func (n Notification) Message(number uint64, w *Words) (m Message, err error) {
	m = Message{Notification: n, number: number, summary: n.Fact()}
	if w == nil {
		return m, nil
	}
	summary, body := text.Words(w.Summary, false, MaxSummary), text.Words(w.Body, true, MaxBody)
	if text.Blank(summary) {
		return m, fmt.Errorf("words for %s: %w", n.kind, ErrBlank)
	}
	if text.Blank(body) {
		body = ""
	}
	m.summary, m.body, m.custom = summary, body, true
	return m, nil
}

// Number is rising and without gaps within a session.
func (m Message) Number() uint64 { return m.number }

// Summary is one line.
func (m Message) Summary() string { return m.summary }

// Body is empty or holds further lines.
func (m Message) Body() string { return m.body }

// Custom reports whether the words are a hook's.
func (m Message) Custom() bool { return m.custom }
