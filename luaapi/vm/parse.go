package vm

import (
	"fmt"

	"github.com/yuin/gopher-lua/ast"
)

// Bounds of what is parsed. The recursion of every later pass is bounded by them too.
const (
	maxLevels    = 200     // nested blocks, functions, tables and operands, as in Lua 5.1
	maxChain     = 1000    // operators, calls or indexes in one expression; elseif parts of one if
	maxLocals    = 200     // local variables of one function, as in Lua 5.1
	maxFunctions = 4096    // functions in one source
	maxConstWork = 1 << 27 // steps of the compiler's linear search for constants, per source
)

// localFunctionStmt is `local function name`: unlike in `local name = function`, the body sees the name.
type localFunctionStmt struct {
	ast.StmtBase
	name string
	fn   *ast.FunctionExpr
}

// parser turns tokens into the tree that the compiler of gopher-lua takes. It is recursive descent after
// the grammar of Lua 5.1; where a program is at fault it knows what was open and what usually is meant.
// Faults leave by panicking with a *SyntaxError.
type parser struct {
	lx       *lexer
	tok      token
	ahead    *token
	prev     token // the token before tok
	open     []opening
	elseIf   int // line of an `else if` that opened an if of its own, 0 if there was none
	level    int
	fn       *funcScope
	funcs    int
	constRun int
}

// opening is something that waits for its closing token.
type opening struct {
	what   string // as it is written
	closer kind
	token
}

// funcScope is what the parser needs to know about the function that it is in.
type funcScope struct {
	parent    *funcScope
	line      int
	vararg    bool
	locals    int // active
	loops     int // enclosing loops
	constants map[any]struct{}
}

func parse(chunk string, src []byte) []ast.Stmt {
	p := &parser{lx: newLexer(chunk, src)}
	p.fn = &funcScope{vararg: true, constants: map[any]struct{}{}}
	p.next()
	stmts := p.block()
	if p.tok.kind != tEOF {
		p.strayCloser()
	}
	return stmts
}

func (p *parser) next() {
	p.prev = p.tok
	if p.ahead != nil {
		p.tok, p.ahead = *p.ahead, nil
		return
	}
	p.tok = p.lx.next()
}

func (p *parser) peek() token {
	if p.ahead == nil {
		t := p.lx.next()
		p.ahead = &t
	}
	return *p.ahead
}

func (p *parser) failAt(t token, format string, args ...any) {
	p.lx.fail(t.line, t.column, fmt.Sprintf(format, args...))
}

// enter bounds the nesting; leave is its counterpart.
func (p *parser) enter() {
	p.level++
	if p.level > maxLevels {
		p.failAt(p.tok, "nested too deeply: more than %d levels", maxLevels)
	}
}

func (p *parser) leave() { p.level-- }

func (p *parser) accept(k kind) bool {
	if p.tok.kind != k {
		return false
	}
	p.next()
	return true
}

// expect consumes k. where says what it belongs to, as in "after the condition of 'if'".
func (p *parser) expect(k kind, where string) token {
	t := p.tok
	if t.kind != k {
		p.missing(k, where)
	}
	p.next()
	return t
}

// name consumes a name. where says what it belongs to.
func (p *parser) name(where string) token {
	if p.tok.kind == tName {
		t := p.tok
		p.next()
		return t
	}
	if p.tok.kind.reserved() {
		p.failAt(p.tok, "'%s' is a reserved word of Lua and cannot be a name %s", p.tok.kind, where)
	}
	p.missing(tName, where)
	return token{}
}

// push records that t opened something that closer ends.
func (p *parser) push(t token, closer kind) {
	p.open = append(p.open, opening{what: t.kind.String(), closer: closer, token: t})
}

// pop consumes the closing token of the innermost opening.
func (p *parser) pop() token {
	o := p.open[len(p.open)-1]
	t := p.tok
	if t.kind != o.closer {
		p.unclosed(o)
	}
	p.open = p.open[:len(p.open)-1]
	p.next()
	return t
}

// constant counts a use of a constant in the current function. The compiler looks each up by walking all
// those before it, so their number is bounded by the work that this makes.
func (p *parser) constant(v any) {
	p.fn.constants[v] = struct{}{}
	p.constRun += len(p.fn.constants)
	if p.constRun > maxConstWork {
		p.failAt(p.tok, "too many constants in one function: split it into several")
	}
}

// declare counts local variables of the current block; scope takes them back.
func (p *parser) declare(n int) {
	p.fn.locals += n
	if p.fn.locals > maxLocals {
		p.failAt(p.prev, "more than %d local variables in %s", maxLocals, p.fn.describe())
	}
}

func (f *funcScope) describe() string {
	if f.parent == nil {
		return "the main part of the file"
	}
	return fmt.Sprintf("the function of line %d", f.line)
}

// block parses statements up to a token that ends a block.
func (p *parser) block() []ast.Stmt {
	p.enter()
	defer p.leave()
	locals := p.fn.locals
	stmts := []ast.Stmt{}
	for !p.blockEnds() {
		s, last := p.statement()
		if s != nil {
			stmts = append(stmts, s)
		}
		p.accept(tSemicolon)
		if last {
			if !p.blockEnds() {
				p.wrongCloser()
				p.failAt(p.tok, "'%s' must be the last statement of its block: found %s after it", lastWord(s), p.tok)
			}
			break
		}
	}
	p.fn.locals = locals
	return stmts
}

func lastWord(s ast.Stmt) string {
	if _, ok := s.(*ast.BreakStmt); ok {
		return "break"
	}
	return "return"
}

func (p *parser) blockEnds() bool {
	switch p.tok.kind {
	case tEOF, tEnd, tElse, tElseif, tUntil:
		return true
	}
	return false
}

// body parses the body of a function from its parameter list on; self says that it is a method.
func (p *parser) body(t token, self bool) *ast.FunctionExpr {
	if p.funcs++; p.funcs > maxFunctions {
		p.failAt(t, "more than %d functions in one file", maxFunctions)
	}
	p.fn = &funcScope{parent: p.fn, line: t.line, constants: map[any]struct{}{}}
	p.push(t, tEnd)
	params := &ast.ParList{Names: []string{}}
	if self {
		params.Names = append(params.Names, "self")
	}
	p.expect(tLparen, "before the parameters of a function")
	for p.tok.kind != tRparen {
		if p.accept(tDots) {
			params.HasVargs = true
			break
		}
		params.Names = append(params.Names, p.name("of a parameter").text)
		if !p.accept(tComma) {
			break
		}
		if p.tok.kind == tRparen {
			p.failAt(p.tok, "a parameter is missing after the last ','")
		}
	}
	p.expect(tRparen, "after the parameters of a function")
	p.declare(len(params.Names))
	if params.HasVargs {
		p.declare(1) // arg
	}
	p.fn.vararg = params.HasVargs
	fn := &ast.FunctionExpr{ParList: params, Stmts: p.block()}
	fn.SetLine(t.line)
	fn.SetLastLine(p.tok.line)
	p.pop()
	p.fn = p.fn.parent
	return fn
}
