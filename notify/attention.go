package notify

import "fmt"

// Attention says how a notification reaches the reader. Silence is not an Attention.
type Attention uint8

const (
	// Turn wakes the reader.
	Turn Attention = iota
	// Context waits for the reader's next turn.
	Context
)

// String returns the wire word.
func (a Attention) String() string {
	if a == Context {
		return "context"
	}
	return "turn"
}

// Choice is what a process may ask for an end that is not a failure.
type Choice uint8

const (
	ChooseTurn Choice = iota
	ChooseContext
	ChooseIgnore
)

// attention returns what the choice comes to; told is false for ChooseIgnore alone.
func (c Choice) attention() (a Attention, told bool) {
	switch c {
	case ChooseContext:
		return Context, true
	case ChooseIgnore:
		return Context, false
	}
	return Turn, true
}

// MatchChoice is what a log matcher may ask. Nothing in it means silence: MatchIgnore is delivered as
// Context, and only the payload says "ignore".
type MatchChoice uint8

const (
	MatchTurn MatchChoice = iota
	MatchContext
	MatchIgnore
)

// Attention returns how a match is delivered.
func (c MatchChoice) Attention() Attention {
	if c == MatchTurn {
		return Turn
	}
	return Context
}

// String returns the wire word.
func (c MatchChoice) String() string {
	switch c {
	case MatchContext:
		return "context"
	case MatchIgnore:
		return "ignore"
	}
	return "turn"
}

// UnmarshalText implements encoding.TextUnmarshaler.
func (c *MatchChoice) UnmarshalText(b []byte) error {
	w, err := ParseWish(string(b))
	if err != nil {
		return err
	}
	*c = MatchChoice(w - WishTurn)
	return nil
}

// Wish is what somebody wrote for one of onSuccess, onFailure and onKilled. It is kept for display and
// comparison; a decision sees only the Policy that it narrows to.
type Wish uint8

const (
	Unset Wish = iota
	WishTurn
	WishContext
	WishIgnore
)

var wishWords = []string{"", "turn", "context", "ignore"}

// String returns the word as written, "" for Unset.
func (w Wish) String() string { return wishWords[w] }

// ParseWish reads "turn", "context" or "ignore".
func ParseWish(s string) (Wish, error) {
	for i, w := range wishWords[1:] {
		if s == w {
			return Wish(i + 1), nil
		}
	}
	return Unset, fmt.Errorf(`got %q, want "turn", "context" or "ignore"`, s)
}
