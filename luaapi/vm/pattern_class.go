package vm

// classEnd returns where the single-character class at p ends.
func (m *matcher) classEnd(p int) int {
	c := m.at(p)
	p++
	switch c {
	case '%':
		if p >= len(m.pat) {
			m.fail("malformed pattern (ends with '%')")
		}
		return p + 1
	case '[':
		if m.at(p) == '^' {
			p++
		}
		for first := true; first || m.at(p) != ']'; first = false {
			m.step()
			if p >= len(m.pat) {
				m.fail("malformed pattern (missing ']')")
			}
			if m.pat[p] == '%' && p+1 < len(m.pat) {
				p++
			}
			p++
		}
		return p + 1
	}
	return p
}

// single reports whether the character at s is of the class from p to end.
func (m *matcher) single(s, p, end int) bool {
	if s >= len(m.src) {
		return false
	}
	c := m.src[s]
	switch m.pat[p] {
	case '.':
		return true
	case '%':
		return inClass(c, m.pat[p+1])
	case '[':
		return m.inSet(c, p, end-1)
	}
	return m.pat[p] == c
}

// inSet reports whether c is in the set that opens at p and closes at last.
func (m *matcher) inSet(c byte, p, last int) bool {
	in := true
	p++
	if m.at(p) == '^' {
		in = false
		p++
	}
	for ; p < last; p++ {
		m.step()
		switch {
		case m.pat[p] == '%':
			p++
			if inClass(c, m.at(p)) {
				return in
			}
		case m.at(p+1) == '-' && p+2 < last:
			if m.pat[p] <= c && c <= m.pat[p+2] {
				return in
			}
			p += 2
		case m.pat[p] == c:
			return in
		}
	}
	return !in
}

// inClass reports whether c is of the class that a letter after % names.
func inClass(c, class byte) bool {
	var in bool
	switch class | 0x20 {
	case 'a':
		in = isAlpha(c)
	case 'c':
		in = c < 0x20 || c == 0x7f
	case 'd':
		in = isDigit(c)
	case 'l':
		in = c >= 'a' && c <= 'z'
	case 'p':
		in = c > ' ' && c < 0x7f && !isAlpha(c) && !isDigit(c)
	case 's':
		in = c == ' ' || c >= '\t' && c <= '\r'
	case 'u':
		in = c >= 'A' && c <= 'Z'
	case 'w':
		in = isAlpha(c) || isDigit(c)
	case 'x':
		in = isDigit(c) || c|0x20 >= 'a' && c|0x20 <= 'f'
	case 'z':
		in = c == 0
	default:
		return class == c
	}
	if !isAlpha(class) { // a character such as \x01, which |0x20 made look like a letter
		return class == c
	}
	return in != (class >= 'A' && class <= 'Z')
}

func isAlpha(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
