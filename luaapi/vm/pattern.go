package vm

import "strings"

const (
	maxCaptures = 32 // as in Lua 5.1
	// maxMatchDepth bounds the recursion of the matcher.
	maxMatchDepth = 10000
	// baseSteps and stepsPerByte are what one match may cost: some pattern and subject of a few hundred
	// characters would take years.
	baseSteps    = 1 << 20
	stepsPerByte = 16
	// pollSteps is after how many steps the matcher asks whether the call is over.
	pollSteps = 4096
)

// Lengths of captures that are not ordinary.
const (
	captureOpen     = -1
	capturePosition = -2
)

// matcher is the pattern matcher of Lua 5.1 with a bound on its steps. Positions are offsets; -1 means no
// match. Where the reference implementation reads the zero byte that ends a C string, at gives one.
type matcher struct {
	src, pat string
	steps    int // left
	depth    int
	captures []capture
	// fail raises an error in the pattern; tooComplex one because of its cost; poll may end the call. The
	// first two do not return.
	fail       func(message string)
	tooComplex func()
	poll       func()
	space      [4]capture
}

type capture struct{ start, length int }

func (m *matcher) init(src, pat string) {
	m.src, m.pat = src, pat
	m.captures = m.space[:0]
	m.refill()
}

func (m *matcher) refill() { m.steps = baseSteps + stepsPerByte*len(m.src) }

func (m *matcher) reset() { m.captures = m.captures[:0] }

func (m *matcher) step() {
	if m.steps--; m.steps%pollSteps == 0 {
		if m.steps <= 0 {
			m.tooComplex()
		}
		m.poll()
	}
}

// at returns the byte of the pattern at p, 0 beyond its end.
func (m *matcher) at(p int) byte {
	if p < len(m.pat) {
		return m.pat[p]
	}
	return 0
}

// match matches the pattern from p on at s and returns where the match ends.
func (m *matcher) match(s, p int) int {
	if m.depth++; m.depth > maxMatchDepth {
		m.tooComplex()
	}
	defer func() { m.depth-- }()
	for {
		m.step()
		if p >= len(m.pat) {
			return s
		}
		switch m.pat[p] {
		case '(':
			if m.at(p+1) == ')' {
				return m.startCapture(s, p+2, capturePosition)
			}
			return m.startCapture(s, p+1, captureOpen)
		case ')':
			return m.endCapture(s, p+1)
		case '%':
			switch c := m.at(p + 1); {
			case c == 'b':
				if s = m.balance(s, p+2); s < 0 {
					return -1
				}
				p += 4
				continue
			case c == 'f':
				p += 2
				if m.at(p) != '[' {
					m.fail("missing '[' after '%f' in pattern")
				}
				end := m.classEnd(p)
				var before, here byte
				if s > 0 {
					before = m.src[s-1]
				}
				if s < len(m.src) {
					here = m.src[s]
				}
				if m.inSet(before, p, end-1) || !m.inSet(here, p, end-1) {
					return -1
				}
				p = end
				continue
			case isDigit(c):
				if s = m.backReference(s, c); s < 0 {
					return -1
				}
				p += 2
				continue
			}
		case '$':
			if p+1 == len(m.pat) {
				if s == len(m.src) {
					return s
				}
				return -1
			}
		}
		end := m.classEnd(p)
		switch m.at(end) {
		case '?':
			if m.single(s, p, end) {
				if r := m.match(s+1, end+1); r >= 0 {
					return r
				}
			}
			p = end + 1
		case '*':
			return m.maxExpand(s, p, end)
		case '+':
			if !m.single(s, p, end) {
				return -1
			}
			return m.maxExpand(s+1, p, end)
		case '-':
			return m.minExpand(s, p, end)
		default:
			if !m.single(s, p, end) {
				return -1
			}
			s, p = s+1, end
		}
	}
}

func (m *matcher) maxExpand(s, p, end int) int {
	i := 0
	for m.single(s+i, p, end) {
		m.step()
		i++
	}
	for ; i >= 0; i-- {
		m.step()
		if r := m.match(s+i, end+1); r >= 0 {
			return r
		}
	}
	return -1
}

func (m *matcher) minExpand(s, p, end int) int {
	for {
		m.step()
		if r := m.match(s, end+1); r >= 0 {
			return r
		}
		if !m.single(s, p, end) {
			return -1
		}
		s++
	}
}

func (m *matcher) startCapture(s, p, length int) int {
	if len(m.captures) >= maxCaptures {
		m.fail("too many captures")
	}
	n := len(m.captures)
	m.captures = append(m.captures, capture{s, length})
	r := m.match(s, p)
	if r < 0 {
		m.captures = m.captures[:n]
	}
	return r
}

func (m *matcher) endCapture(s, p int) int {
	for i := len(m.captures) - 1; i >= 0; i-- {
		if m.captures[i].length != captureOpen {
			continue
		}
		m.captures[i].length = s - m.captures[i].start
		r := m.match(s, p)
		if r < 0 {
			m.captures[i].length = captureOpen
		}
		return r
	}
	m.fail("invalid pattern capture")
	return -1
}

// balance matches %bxy, whose two characters are at p.
func (m *matcher) balance(s, p int) int {
	if p+1 >= len(m.pat) {
		m.fail("unbalanced pattern")
	}
	opening, closing := m.pat[p], m.pat[p+1]
	if s >= len(m.src) || m.src[s] != opening {
		return -1
	}
	depth := 1
	for s++; s < len(m.src); s++ {
		m.step()
		switch m.src[s] {
		case closing:
			if depth--; depth == 0 {
				return s + 1
			}
		case opening:
			depth++
		}
	}
	return -1
}

func (m *matcher) backReference(s int, digit byte) int {
	i := int(digit) - '1'
	if i < 0 || i >= len(m.captures) || m.captures[i].length == captureOpen {
		m.fail("invalid capture index")
	}
	c := m.captures[i]
	if c.length < 0 { // of a position: it has no text to match
		return -1
	}
	if strings.HasPrefix(m.src[s:], m.src[c.start:c.start+c.length]) {
		return s + c.length
	}
	return -1
}
