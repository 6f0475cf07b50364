package vm

import lua "github.com/yuin/gopher-lua"

// instruction is one instruction of gopher-lua's machine.
type instruction uint32

const constantBit = 1 << 8 // of an operand that is a constant

func (i instruction) op() int { return int(i >> 26) }
func (i instruction) a() int  { return int(i>>18) & 0xff }
func (i instruction) b() int  { return int(i & 0x1ff) }
func (i instruction) c() int  { return int(i>>9) & 0x1ff }
func (i instruction) bx() int { return int(i & 0x3ffff) }

// at returns the instruction that f executes, which must be of Lua.
func (f frame) at() instruction { return instruction(f.function().Proto.Code[f.pc()]) }

// origin says where the value of an operand of f's instruction came from, as in "field 'x'", or "".
func (f frame) origin(operand int) string {
	proto := f.function().Proto
	if operand&constantBit != 0 {
		return ""
	}
	for pc := f.pc() - 1; pc >= 0; pc-- {
		i := instruction(proto.Code[pc])
		switch i.op() {
		case lua.OP_GETGLOBAL:
			if i.a() == operand {
				return named("global", proto.Constants[i.bx()])
			}
		case lua.OP_GETTABLEKS, lua.OP_SELF:
			if i.a() == operand && i.c()&constantBit != 0 {
				kind := "field"
				if i.op() == lua.OP_SELF {
					kind = "method"
				}
				return named(kind, proto.Constants[i.c()&^constantBit])
			}
			if i.a() == operand || i.op() == lua.OP_SELF && i.a()+1 == operand {
				return ""
			}
		case lua.OP_GETUPVAL:
			if i.a() == operand && i.b() < len(proto.DbgUpvalues) {
				return named("upvalue", lua.LString(proto.DbgUpvalues[i.b()]))
			}
		case lua.OP_MOVE:
			if i.a() == operand {
				operand = i.b()
			}
		case lua.OP_LOADK, lua.OP_LOADBOOL, lua.OP_LOADNIL, lua.OP_GETTABLE, lua.OP_NEWTABLE, lua.OP_CLOSURE,
			lua.OP_UNM, lua.OP_NOT, lua.OP_ADD, lua.OP_SUB, lua.OP_MUL, lua.OP_DIV, lua.OP_POW:
			if i.a() == operand {
				return ""
			}
		case lua.OP_SETTABLE, lua.OP_SETTABLEKS, lua.OP_SETGLOBAL, lua.OP_SETUPVAL, lua.OP_NOP:
		case lua.OP_CALL:
			if i.a() <= operand {
				return f.parameter(operand)
			}
		default: // another way may lead here
			return f.parameter(operand)
		}
	}
	return f.parameter(operand)
}

// parameter names the parameters. Which other local variable a register is, the compiler does not tell.
func (f frame) parameter(register int) string {
	proto := f.function().Proto
	if register < int(proto.NumParameters) && register < len(proto.DbgLocals) {
		return named("local", lua.LString(proto.DbgLocals[register].Name))
	}
	return ""
}

func named(kind string, name lua.LValue) string {
	if s, ok := name.(lua.LString); ok && s != "" && s[0] != '(' {
		return kind + " '" + clip(string(s)) + "'"
	}
	return ""
}

// argument says where argument i of the running function came from, if Lua code called it.
func (c call) argument(i int) string {
	f, ok := innermost(c.LState)
	if !ok {
		return ""
	}
	p, ok := f.parent()
	if !ok || p.function().IsG {
		return ""
	}
	if in := p.at(); in.op() == lua.OP_CALL || in.op() == lua.OP_TAILCALL {
		return p.origin(in.a() + i)
	}
	return ""
}
