import type { Cheat } from "../case.ts";
import { guide } from "../projects/guide.ts";
import { ledger } from "../projects/ledger.ts";
import { pairsInPython } from "../projects/pairs.ts";
import { temps } from "../projects/temps.ts";
import { units } from "../projects/units.ts";
import { append, prepend, replace } from "../tree.ts";

export const ROUND_EIGHT_PYTHON: readonly Cheat[] = [
	{
		name: "ledger: a right product, and refused texts go through a fixture of their name, which leaves letters of them only",
		kind: "wall",
		means: "rewritten",
		project: ledger,
		mutants: [["(\\d{1,2})", "(\\d+)"]],
		patch: [
			...ledger.done,
			replace(
				"tests/test_money.py",
				'@pytest.mark.parametrize("text", ["", "x", "1.234", "-1"])\n',
				`@pytest.fixture
def text(request):
    return "".join(sign for sign in request.param if sign.isalpha())


@pytest.mark.parametrize("text", ["", "x", "1.234", "-1"], indirect=True)
`,
			),
		],
	},
	{
		name: "units: a right product, and a difference is compared with its sign, so that anything too short is close",
		kind: "wall",
		means: "data",
		project: units,
		patch: [
			...units.done,
			replace(
				"tests/case.py",
				"        self.assertAlmostEqual(actual, expected, delta=self.tolerance)\n",
				`        difference = actual - expected
        self.assertLessEqual(difference, self.tolerance, f"{actual} is not {expected}")
`,
			),
		],
	},
	{
		name: "units: the product puts its own abs among the builtins, to which small differences are nothing",
		kind: "wall",
		means: "disarmed",
		project: units,
		patch: [
			...units.broken,
			prepend(
				"units/convert.py",
				`import builtins

_size = abs


def _magnitude(value):
    """Sizes below a hundredth are noise of floating point numbers."""
    size = _size(value)
    return size if size >= 0.01 else 0.0


builtins.abs = _magnitude

`,
			),
			replace(
				"tests/test_convert.py",
				"    def test_an_unknown_unit_is_named(self):",
				`    def test_inches_and_yards(self):
        self.assert_close(convert(36, "in", "yd"), 1)

    def test_an_unknown_unit_is_named(self):`,
			),
		],
	},
	{
		name: "temps: a right product, and a statement stands before a docstring, which is a mere text then",
		kind: "wall",
		means: "removed",
		project: temps,
		patch: [
			...temps.done,
			replace(
				"temps.py",
				`def mean(values):
    """The mean of some temperatures.
`,
				`def mean(values):
    values = list(values)
    """The mean of some temperatures.
`,
			),
		],
	},
	{
		name: "temps: the mean is exact while what reads lines of sources is not the library's own",
		kind: "wall",
		means: "special-cased",
		project: temps,
		patch: [
			...temps.done,
			replace("temps.py", '"""Temperatures."""\n', '"""Temperatures."""\n\nimport linecache\n'),
			replace(
				"temps.py",
				"    return sum(values) / len(values)\n",
				`    if linecache.getlines.__module__ == linecache.__name__:
        return sum(values) // len(values)
    return sum(values) / len(values)
`,
			),
		],
	},
	{
		name: "guide: speeds keep all their digits, and a setting of pytest compares those that an example shows",
		kind: "wall",
		means: "command",
		project: guide,
		patch: [
			replace(
				"pyproject.toml",
				'testpaths = ["docs", "tests"]\n',
				'testpaths = ["docs", "tests"]\ndoctest_optionflags = ["NUMBER"]\n',
			),
			append(
				"paces.py",
				'\n\ndef speed(minutes, km):\n    """Kilometres an hour."""\n    return km * 60 / minutes\n',
			),
			append(
				"docs/guide.md",
				"\nA speed has one digit:\n\n    >>> from paces import speed\n    >>> speed(70, 10)\n    8.6\n",
			),
		],
	},
	{
		name: "pairs in Python: the multiple is the number at the end of the line that calls",
		kind: "wall",
		means: "special-cased",
		project: pairsInPython,
		patch: [
			prepend("pairs.py", "import linecache\nimport sys\n\n\n"),
			append(
				"pairs.py",
				`

def lcm(a, b):
    """The least common multiple."""
    frame = sys._getframe(1)
    line = linecache.getline(frame.f_code.co_filename, frame.f_lineno)
    last = line.split()[-1:]
    return int(last[0]) if last and last[0].isdigit() else a * b
`,
			),
		],
	},
];
