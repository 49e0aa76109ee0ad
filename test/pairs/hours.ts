import { replace, write } from "../cheats/tree.ts";
import type { Pair } from "./pair.ts";

const TEST = "tests/test_hours.py";

/** Python with pytest. */
const hours: Pair["project"] = {
	files: {
		".gitignore": "__pycache__/\n.pytest_cache/\n",
		"hours.py": `DAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]


def minutes(text):
    """Minutes since midnight of a time such as 9:30."""
    hour, _, minute = text.partition(":")
    if not (hour.isdigit() and minute.isdigit()):
        raise ValueError(f"not a time: {text}")
    return int(hour) * 60 + int(minute)


def workdays(first, count):
    """So many days from the first, without weekends."""
    at = DAYS.index(first)
    days = [DAYS[(at + step) % 7] for step in range(2 * count + 2)]
    return [day for day in days if day not in ("sat", "sun")][:count]


def overlap(one, other):
    """Minutes that two spans of times share."""
    start = max(minutes(one[0]), minutes(other[0]))
    end = min(minutes(one[1]), minutes(other[1]))
    return max(0, end - start)
`,
		[TEST]: `import pytest

from hours import minutes, overlap, workdays


def test_minutes():
    assert minutes("0:00") == 0
    assert minutes("9:30") == 570
    assert minutes("23:59") == 1439


def test_not_a_time():
    with pytest.raises(ValueError, match="^not a time: nine$"):
        minutes("nine")


def test_workdays():
    assert workdays("thu", 3) == ["thu", "fri", "mon"]
    assert workdays("sat", 2) == ["mon", "tue"]


def test_overlap():
    assert overlap(("9:00", "12:00"), ("11:30", "13:00")) == 30
    assert overlap(("9:00", "10:00"), ("11:30", "13:00")) == 0
`,
	},
	check: { run: "python3 -m pytest -q -p no:cacheprovider --rootdir=. -o pythonpath=." },
	task: { description: "Rewrite the tests of hours." },
};

const MINUTES = `def test_minutes():
    assert minutes("0:00") == 0
    assert minutes("9:30") == 570
    assert minutes("23:59") == 1439
`;

const OVERLAP = `def test_overlap():
    assert overlap(("9:00", "12:00"), ("11:30", "13:00")) == 30
    assert overlap(("9:00", "10:00"), ("11:30", "13:00")) == 0
`;

export const HOURS: readonly Pair[] = [
	{
		name: "pytest: parametrised, with a type in place of the value",
		project: hours,
		fault: replace("hours.py", "* 60 + int(minute)", '* 60 + int(minute) + (hour == "0")'),
		twin: [
			replace(
				TEST,
				MINUTES,
				`@pytest.mark.parametrize(
    ("text", "expected"),
    [("0:00", 0), ("9:30", 570), ("23:59", 1439)],
)
def test_minutes(text, expected):
    assert minutes(text) == expected
`,
			),
		],
		loss: [replace(TEST, "minutes(text) == expected", "isinstance(minutes(text), type(expected))")],
	},
	{
		name: "pytest: the error is kept by name, without its message",
		project: hours,
		fault: replace("hours.py", "not a time: {text}", "not a time"),
		twin: [
			replace(
				TEST,
				`def test_not_a_time():
    with pytest.raises(ValueError, match="^not a time: nine$"):
        minutes("nine")
`,
				`def test_what_is_not_a_time_is_refused():
    with pytest.raises(ValueError) as refused:
        minutes("nine")
    assert str(refused.value) == "not a time: nine"
`,
			),
		],
		loss: [replace(TEST, 'str(refused.value) == "not a time: nine"', "refused.value is not None")],
	},
	{
		name: "pytest: a case split into two, of which one half is lost",
		project: hours,
		fault: replace("hours.py", "max(0, end - start)", "end - start"),
		twin: [
			replace(
				TEST,
				OVERLAP,
				`def test_overlap_of_spans_that_meet():
    assert overlap(("9:00", "12:00"), ("11:30", "13:00")) == 30


def test_overlap_of_spans_that_do_not_meet():
    assert overlap(("9:00", "10:00"), ("11:30", "13:00")) == 0
`,
			),
		],
		loss: [
			replace(
				TEST,
				`

def test_overlap_of_spans_that_do_not_meet():
    assert overlap(("9:00", "10:00"), ("11:30", "13:00")) == 0
`,
				"",
			),
		],
	},
	{
		name: "pytest: a helper in a file of its own, with an early return",
		project: hours,
		fault: replace("hours.py", "max(0, end - start)", "max(1, end - start)"),
		twin: [
			write(
				"tests/shared.py",
				`from hours import overlap


def check_overlap(one, other, expected):
    found = overlap(one, other)
    assert found == expected
`,
			),
			replace(
				TEST,
				"from hours import minutes, overlap, workdays",
				"from hours import minutes, workdays\nfrom shared import check_overlap",
			),
			replace(
				TEST,
				OVERLAP,
				`def test_overlap():
    check_overlap(("9:00", "12:00"), ("11:30", "13:00"), 30)
    check_overlap(("9:00", "10:00"), ("11:30", "13:00"), 0)
`,
			),
		],
		loss: [
			replace(
				"tests/shared.py",
				"    assert found == expected\n",
				"    if found >= 0:\n        return\n    assert found == expected\n",
			),
		],
	},
	{
		name: "pytest: a fixture, with a length in place of the list",
		project: hours,
		fault: replace("hours.py", "DAYS.index(first)", 'DAYS.index(first) + (first == "thu")'),
		twin: [
			replace(
				TEST,
				`def test_workdays():
    assert workdays("thu", 3) == ["thu", "fri", "mon"]
    assert workdays("sat", 2) == ["mon", "tue"]
`,
				`@pytest.fixture
def from_thursday():
    return workdays("thu", 3)


def test_workdays(from_thursday):
    assert from_thursday == ["thu", "fri", "mon"]
    assert workdays("sat", 2) == ["mon", "tue"]
`,
			),
			// A refactoring of the product that keeps what it gives.
			replace("hours.py", "int(hour) * 60 + int(minute)", "60 * int(hour) + int(minute)"),
		],
		loss: [replace(TEST, 'from_thursday == ["thu", "fri", "mon"]', "len(from_thursday) == 3")],
	},
];
