package vm

import (
	"math"
	"math/rand/v2"

	lua "github.com/yuin/gopher-lua"
)

func (vm *VM) openMath() {
	functions := map[string]func(c call) int{
		"frexp":      mathFrexp,
		"ldexp":      func(c call) int { return c.ret(lua.LNumber(math.Ldexp(c.num(1), c.int(2)))) },
		"max":        mathMax,
		"min":        mathMin,
		"modf":       mathModf,
		"random":     mathRandom,
		"randomseed": mathRandomseed,
	}
	for name, fn := range map[string]func(x float64) float64{
		"abs": math.Abs, "acos": math.Acos, "asin": math.Asin, "atan": math.Atan, "ceil": math.Ceil,
		"cos": math.Cos, "cosh": math.Cosh, "exp": math.Exp, "floor": math.Floor, "log": math.Log,
		"log10": math.Log10, "sin": math.Sin, "sinh": math.Sinh, "sqrt": math.Sqrt, "tan": math.Tan,
		"tanh": math.Tanh,
		"deg":  func(x float64) float64 { return x / (math.Pi / 180) },
		"rad":  func(x float64) float64 { return x * (math.Pi / 180) },
	} {
		functions[name] = func(c call) int { return c.ret(lua.LNumber(fn(c.num(1)))) }
	}
	for name, fn := range map[string]func(x, y float64) float64{
		"atan2": math.Atan2, "fmod": math.Mod, "mod": math.Mod, "pow": math.Pow,
	} {
		functions[name] = func(c call) int { return c.ret(lua.LNumber(fn(c.num(1), c.num(2)))) }
	}
	lib := vm.newLibrary(functions)
	lib.RawSetString("pi", lua.LNumber(math.Pi))
	lib.RawSetString("huge", lua.LNumber(math.Inf(1)))
	vm.SetGlobal("math", lib)
}

func mathFrexp(c call) int {
	fraction, exponent := math.Frexp(c.num(1))
	return c.ret(lua.LNumber(fraction), lua.LNumber(exponent))
}

func mathModf(c call) int {
	v := c.num(1)
	if math.IsInf(v, 0) {
		return c.ret(lua.LNumber(v), lua.LNumber(0))
	}
	whole, fraction := math.Modf(v)
	return c.ret(lua.LNumber(whole), lua.LNumber(fraction))
}

func mathMax(c call) int {
	most := c.num(1)
	for i := 2; i <= c.GetTop(); i++ {
		if v := c.num(i); v > most {
			most = v
		}
	}
	return c.ret(lua.LNumber(most))
}

func mathMin(c call) int {
	least := c.num(1)
	for i := 2; i <= c.GetTop(); i++ {
		if v := c.num(i); v < least {
			least = v
		}
	}
	return c.ret(lua.LNumber(least))
}

func mathRandom(c call) int {
	r := c.vm.random.Float64()
	low, high := 1, 0
	switch c.GetTop() {
	case 0:
		return c.ret(lua.LNumber(r))
	case 1:
		high = c.int(1)
		if high < 1 {
			c.badArg(1, "interval is empty")
		}
	case 2:
		low, high = c.int(1), c.int(2)
		if low > high {
			c.badArg(2, "interval is empty")
		}
	default:
		c.fail("wrong number of arguments")
	}
	return c.ret(lua.LNumber(math.Floor(r*(float64(high)-float64(low)+1)) + float64(low)))
}

func mathRandomseed(c call) int {
	seed := math.Float64bits(c.num(1))
	c.vm.random = rand.New(rand.NewPCG(seed, seed))
	return 0
}
