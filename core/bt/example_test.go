package bt_test

import (
	"fmt"
	"time"

	"bateleur/core/bt"
)

// desk is an environment: what leaves see, and the journal of what they write.
type desk struct {
	open    bool
	printed []string
}

func (d *desk) Mark() int     { return len(d.printed) }
func (d *desk) Undo(mark int) { d.printed = d.printed[:mark] }

func prints(line string) bt.Node[*desk] {
	return bt.Leaf("print "+line, func(d *desk) bt.Result {
		d.printed = append(d.printed, line)
		return bt.Ok()
	})
}

var isOpen = bt.Leaf("is open", func(d *desk) bt.Result {
	if !d.open {
		return bt.Fail("closed", "the desk opens at nine")
	}
	return bt.Ok()
})

func Example() {
	tree := bt.MustCompile(bt.Selector("serve",
		bt.Sequence("welcome", prints("welcome"), isOpen, prints("have a seat")),
		prints("come back tomorrow"),
	), bt.SingleShot(), bt.WithJournal(func(d *desk) bt.Journal { return d }))

	for _, d := range []*desk{{open: true}, {open: false}} {
		out := tree.Run(d)
		fmt.Println(out.Status, d.printed)
	}
	// Output:
	// success [welcome have a seat]
	// success [come back tomorrow]
}

func ExampleTree_Run_failure() {
	out := bt.MustCompile(bt.Sequence("welcome", isOpen)).Run(&desk{})
	fmt.Println(out.Status, out.Path, out.Reason)
	// Output: failure welcome/is open closed: the desk opens at nine
}

func ExampleWhenRole() {
	clerk := func(yes bool) bt.Gate[*desk] {
		return bt.Gate[*desk]{
			Name: "CLERK", Grants: "stamp",
			Ask: func(*desk) (bool, bt.Reason, error) {
				return yes, bt.Reason{Code: "guest", Text: "only clerks stamp"}, nil
			},
		}
	}
	stamp := bt.Leaf("stamp", func(*desk) bt.Result { return bt.Ok() }, bt.Needs("stamp"))

	skipped := bt.MustCompile(bt.WhenRole(clerk(false), stamp)).Run(&desk{})
	fmt.Println(skipped.Status, skipped.NotMine, skipped.NotMinePath)

	refused := bt.MustCompile(bt.RequireRole(clerk(false), stamp)).Run(&desk{})
	fmt.Println(refused.Err)

	_, err := bt.Compile(stamp)
	fmt.Println(err)
	// Output:
	// success true stamp@CLERK
	// bt: stamp@CLERK: CLERK is required: guest: only clerks stamp
	// bt: stamp: no gate above grants stamp
}

func ExampleLatchLast() {
	file := bt.Leaf("file", func(*desk) bt.Result { return bt.Fail("full", "the cabinet is full") })
	filed := bt.Leaf("mark as filed", func(d *desk) bt.Result {
		d.printed = append(d.printed, "filed")
		return bt.Ok()
	}, bt.Latch())
	d := &desk{}
	out := bt.MustCompile(bt.LatchLast("filing", filed, file)).Run(d)
	fmt.Println(out.Status, out.Reason.Code, len(d.printed))

	_, err := bt.Compile(bt.Sequence("filing", filed, file))
	fmt.Println(err)
	// Output:
	// failure full 0
	// bt: filing/mark as filed: a Latch leaf stands only in the last place of LatchLast
}

func ExampleKey() {
	number := bt.NewKey[int]("number")
	draw := bt.CellLeaf("draw", func(_ *desk, c *bt.Cells) bt.Result {
		bt.Set(c, number, 42)
		return bt.Ok()
	}, bt.Writes(number))
	call := bt.CellLeaf("call", func(_ *desk, c *bt.Cells) bt.Result {
		n, _ := bt.Get(c, number)
		fmt.Println("number", n, "please")
		return bt.Ok()
	}, bt.Reads(number))

	bt.MustCompile(bt.Sequence("queue", draw, call)).Run(&desk{})

	_, err := bt.Compile(bt.Sequence("queue", call, draw))
	fmt.Println(err)
	// Output:
	// number 42 please
	// bt: queue/call: nothing before this leaf can have written key number
}

func ExampleInstance() {
	var answered bool
	answer := bt.Leaf("answer", func(*desk) bt.Result {
		if !answered {
			return bt.Wait("unanswered", "the form lies on the desk")
		}
		return bt.Ok()
	}, bt.Waits(), bt.OnHalt(func(_ *desk, why bt.Reason) { fmt.Println("form taken away:", why.Code) }))
	inst := bt.MustCompile(bt.ReactiveSequence("form", isOpen, answer)).NewInstance()

	d := &desk{open: true}
	fmt.Println(inst.Tick(d).Reason)
	d.open = false
	fmt.Println(inst.Tick(d).Reason)
	d.open, answered = true, true
	fmt.Println(inst.Tick(d).Status)
	// Output:
	// unanswered: the form lies on the desk
	// form taken away: superseded
	// closed: the desk opens at nine
	// success
}

func ExampleTrace() {
	tree := bt.MustCompile(bt.Selector("serve",
		bt.Sequence("welcome", isOpen, prints("have a seat")),
		prints("come back tomorrow"),
	))
	trace := bt.NewTrace(0, time.Now)
	tree.Run(&desk{}, bt.WithTrace(trace))
	fmt.Print(trace.Unicode())
	// Output:
	// ? serve ✓
	// ├─ → welcome ✗
	// │  ├─ • is open ✗
	// │  └─ • print have a seat
	// └─ • print come back tomorrow ✓
}
