package journal

import (
	"encoding/binary"
	"flag"
	"fmt"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prochost/prochost/host/journal/wal"
	"github.com/prochost/prochost/manager/proc"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "rewrite testdata/format.txt")

// sample is a value of a type that is not zero.
func sample(t *testing.T, typ reflect.Type) reflect.Value {
	v := reflect.New(typ).Elem()
	switch typ {
	case reflect.TypeFor[time.Time]():
		return reflect.ValueOf(time.Unix(1_700_000_000, 123).UTC())
	case reflect.TypeFor[proc.End]():
		return reflect.ValueOf(proc.ExitedWith(3))
	}
	switch typ.Kind() {
	case reflect.String:
		v.SetString("\xffnot UTF-8")
	case reflect.Int:
		v.SetInt(-5)
	case reflect.Uint64:
		v.SetUint(1<<63 + 1)
	case reflect.Uint8:
		v.SetUint(200)
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Slice:
		v = reflect.MakeSlice(typ, 2, 2) // of which one is zero
		v.Index(1).Set(sample(t, typ.Elem()))
	case reflect.Struct:
		for i := range typ.NumField() {
			v.Field(i).Set(sample(t, typ.Field(i).Type))
		}
	default:
		require.FailNow(t, "there is no sample", "%s", typ)
	}
	return v
}

// leaves calls f for each field of a record, those of a Process by themselves.
func leaves(v reflect.Value, f func(name string, field reflect.Value)) {
	for i := range v.NumField() {
		name := v.Type().Field(i).Name
		if v.Field(i).Type() == reflect.TypeFor[Process]() {
			leaves(v.Field(i), f)
			continue
		}
		f(name, v.Field(i))
	}
}

// The format is a promise to the files that are there: numbers that change would misread them. testdata/format.txt
// may only grow.
func TestFormat(t *testing.T) {
	var b strings.Builder
	for _, k := range slices.Sorted(maps.Keys(kinds)) {
		r := kinds[k]()
		assert.Equal(t, k, r.kind())
		fmt.Fprintf(&b, "%d %s\n", k, reflect.TypeOf(r).Elem().Name())
		leaves(reflect.ValueOf(r).Elem(), func(name string, field reflect.Value) {
			field.Set(sample(t, field.Type()))
			f := fields{encode: true}
			r.fields(&f)
			key, _ := binary.Uvarint(f.out)
			fmt.Fprintf(&b, "  %d %s %s\n", key>>1, [...]string{"number", "bytes"}[key&1], name)
			field.SetZero()
		})
		v := reflect.ValueOf(r).Elem()
		v.Set(sample(t, v.Type()))
		fmt.Fprintf(&b, "  such as %x\n", encode([]Record{r}))
	}
	const path = "testdata/format.txt"
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(b.String()), 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, string(want), b.String(), "`go test ./host/journal -update` rewrites it")
}

func TestRecordsComeBackAsTheyWere(t *testing.T) {
	var all []Record
	for _, k := range slices.Sorted(maps.Keys(kinds)) {
		r := kinds[k]()
		empty := kinds[k]()
		v := reflect.ValueOf(r).Elem()
		v.Set(sample(t, v.Type()))
		all = append(all, r, empty)
	}
	group := encode(all)
	records, err := decode(group)
	require.NoError(t, err)
	require.Equal(t, all, records)

	clear(group)
	assert.Equal(t, all, records, "what is read does not alias the file")
	group = encode(all)
	for cut := range group {
		_, err := decode(group[:cut])
		if err != nil {
			assert.ErrorIs(t, err, errMalformed)
		}
	}
}

// record is the bytes of a record of any kind.
func record(k kind, body ...byte) []byte {
	b := binary.AppendUvarint(nil, uint64(k))
	b = binary.AppendUvarint(b, uint64(len(body)))
	return append(b, body...)
}

func TestLaterVersions(t *testing.T) {
	closed := encode([]Record{&SessionClosed{"s"}})
	for _, row := range []struct {
		what  string
		group []byte
		want  []Record
		err   error
	}{
		{"a kind that may be skipped", append(record(optional, 1, 2, 3), closed...), []Record{&SessionClosed{"s"}}, nil},
		{"a kind that may not", append(record(optional-1), closed...), nil, wal.ErrVersion},
		{"a field that is not known", record(kindSessionClosed, 5<<1, 9, 1<<1|1, 1, 's', 7<<1|1, 2, 0, 0), []Record{&SessionClosed{"s"}}, nil},
		{"a number that is not known", record(kindSessionClosed, 1<<1|1, 1, 's', 33<<1|1, 2, 0, 0), []Record{&SessionClosed{"s"}}, nil},
		{"a field of another form", record(kindSessionClosed, 1<<1, 7), nil, errMalformed},
		{"a field that is longer than its record", record(kindSessionClosed, 1<<1|1, 9, 's'), nil, errMalformed},
		{"a list whose item is longer than it", record(kindCleared, 1<<1|1, 2, 9, 0), nil, errMalformed},
		{"an item of another form", record(kindCleared, 1<<1|1, 3, 2, 1<<1, 7), nil, errMalformed},
		{"an end of another form", record(kindEnded, 3<<1|1, 2, 1<<1, 7), nil, errMalformed},
		{"no length", []byte{byte(kindEnded)}, nil, errMalformed},
		{"a kind without an end", []byte{0xff, 0xff}, nil, errMalformed},
	} {
		got, err := decode(row.group)
		assert.ErrorIs(t, err, row.err, row.what)
		assert.Equal(t, row.want, got, row.what)
	}
}

// Whatever the bytes are: what is read can be written and is then the same, and any State it makes has a snapshot.
func FuzzReplay(f *testing.F) {
	for _, row := range applyTable {
		f.Add(encode(row.records))
	}
	f.Add(record(optional, 1, 2, 3))
	f.Fuzz(func(t *testing.T, group []byte) {
		records, err := decode(group)
		if err != nil {
			return
		}
		again, err := decode(encode(records))
		require.NoError(t, err)
		require.Equal(t, records, again)

		m := &memory{state: NewState()}
		require.NoError(t, m.Apply(group))
		m.Recovered(wal.Report{})
		copied := &memory{state: NewState()}
		for g := range m.Snapshot() {
			require.NoError(t, copied.Apply(g))
		}
		require.Equal(t, dump(m.state), dump(copied.state))
		require.Equal(t, dump(m.state), dump(m.found))
	})
}
