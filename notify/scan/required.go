package scan

import (
	"regexp/syntax"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	maxAlternatives = 32 // literals of which one must occur
	maxJoined       = 64 // bytes of a literal that is joined of parts
	maxCopies       = 8  // of what is repeated
)

// Required returns literals of which at least one occurs in any text that expr matches, in Perl's syntax
// as package regexp reads it. It returns nil if there are none, or none that are rare enough to be worth
// searching for.
func Required(expr string) []Literal {
	re, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		return nil
	}
	list := analyse(re).best()
	if len(list) == 0 || frequency(list) > useful {
		return nil
	}
	return list
}

// facts is what is known of the texts that an expression matches. Where case folds the literals stand
// for more than it matches, never for less.
type facts struct {
	exact    []Literal // each of them is one of these, maybe empty; nil if not known
	required []Literal // each of them contains one of these; nil if not known
}

var (
	anything = facts{}
	nothing  = facts{exact: []Literal{{}}} // matches between characters
)

func analyse(re *syntax.Regexp) facts {
	switch re.Op {
	case syntax.OpEmptyMatch, syntax.OpBeginLine, syntax.OpEndLine, syntax.OpBeginText, syntax.OpEndText,
		syntax.OpWordBoundary, syntax.OpNoWordBoundary:
		return nothing
	case syntax.OpLiteral:
		return literal(re)
	case syntax.OpCharClass:
		return class(re.Rune)
	case syntax.OpCapture:
		return analyse(re.Sub[0])
	case syntax.OpQuest:
		return anyOf([]facts{nothing, analyse(re.Sub[0])})
	case syntax.OpPlus:
		return repeated(re.Sub[0], 1, -1)
	case syntax.OpRepeat:
		return repeated(re.Sub[0], re.Min, re.Max)
	case syntax.OpConcat:
		c := newChain()
		for _, sub := range re.Sub {
			c.add(analyse(sub))
		}
		return c.facts()
	case syntax.OpAlternate:
		var subs []facts
		for _, sub := range re.Sub {
			subs = append(subs, analyse(sub))
		}
		return anyOf(subs)
	}
	return anything
}

func literal(re *syntax.Regexp) facts {
	folds := re.Flags&syntax.FoldCase != 0
	if !folds && !slices.Contains(re.Rune, utf8.RuneError) {
		return facts{exact: []Literal{{Text: string(re.Rune)}}}
	}
	c := newChain()
	for _, r := range re.Rune {
		c.add(character(r, folds))
	}
	return c.facts()
}

// character tells what is known of the texts that one character of a literal matches.
func character(r rune, folds bool) facts {
	if r == utf8.RuneError { // stands for every byte that is no UTF-8, too
		return anything
	}
	if !folds {
		return facts{exact: []Literal{{Text: string(r)}}}
	}
	var list []Literal
	for next := unicode.SimpleFold(r); ; next = unicode.SimpleFold(next) {
		l := Literal{Text: string(next)}
		if next < utf8.RuneSelf && unicode.IsLetter(next) {
			l = Literal{Text: string(unicode.ToLower(next)), Fold: true}
		}
		if !slices.Contains(list, l) {
			list = append(list, l)
		}
		if next == r {
			return facts{exact: list}
		}
	}
}

// class takes the ranges of a character class.
func class(ranges []rune) facts {
	var list []Literal
	for i := 0; i < len(ranges); i += 2 {
		for r := ranges[i]; r <= ranges[i+1]; r++ {
			if len(list) == maxAlternatives || r == utf8.RuneError {
				return anything
			}
			list = append(list, Literal{Text: string(r)})
		}
	}
	return facts{exact: list}
}

// repeated takes what is there at least least times; most is -1 where there is no bound.
func repeated(sub *syntax.Regexp, least, most int) facts {
	f := analyse(sub)
	c := newChain()
	for range min(least, maxCopies) {
		c.add(f)
	}
	if least != most || least > maxCopies {
		c.add(anything)
	}
	return c.facts()
}

// anyOf takes what is one of several.
func anyOf(subs []facts) facts {
	all := facts{exact: []Literal{}, required: []Literal{}}
	for _, f := range subs {
		all.exact = union(all.exact, f.exact)
		all.required = union(all.required, f.best())
	}
	return all
}

// union returns the literals of both, nil if either is not known or there are too many.
func union(a, b []Literal) []Literal {
	if a == nil || b == nil {
		return nil
	}
	for _, l := range b {
		if !slices.Contains(a, l) {
			a = append(a, l)
		}
	}
	if len(a) > maxAlternatives {
		return nil
	}
	return a
}

// best returns the literals to search for, nil if none are known.
func (f facts) best() []Literal { return better(f.exact, f.required) }

// better returns which of two lists is to be searched for.
func better(a, b []Literal) []Literal {
	if b == nil || a != nil && price(a) <= price(b) {
		return a
	}
	return b
}

// A chain is what is known of parts that follow one another.
type chain struct {
	end   []Literal // the text since the last part that is not known is one of these
	whole bool      // there was no such part
	best  []Literal
}

func newChain() *chain { return &chain{end: nothing.exact, whole: true} }

func (c *chain) add(f facts) {
	c.best = better(c.best, f.required)
	if f.exact == nil {
		c.end, c.whole = nothing.exact, false
		return
	}
	if both := join(c.end, f.exact); both != nil {
		c.end = both
	} else {
		c.end, c.whole = f.exact, false
	}
	c.best = better(c.best, c.end)
}

func (c *chain) facts() facts {
	if c.whole {
		return facts{exact: c.end, required: c.best}
	}
	return facts{required: c.best}
}

// join returns every literal of a followed by every one of b, nil if that is too much.
func join(a, b []Literal) []Literal {
	if len(a)*len(b) > maxAlternatives {
		return nil
	}
	var list []Literal
	for _, x := range a {
		for _, y := range b {
			if len(x.Text) > 0 && len(y.Text) > 0 && len(x.Text)+len(y.Text) > maxJoined {
				return nil
			}
			l := Literal{Text: x.Text + y.Text, Fold: x.Fold || y.Fold}
			if l.Fold {
				l.Text = strings.Map(func(r rune) rune {
					if r < utf8.RuneSelf {
						r = rune(lower(byte(r)))
					}
					return r
				}, l.Text)
			}
			if !slices.Contains(list, l) {
				list = append(list, l)
			}
		}
	}
	return list
}
