import type { Cheat } from "../case.ts";
import { ledger } from "../projects/ledger.ts";
import { temps } from "../projects/temps.ts";
import { units } from "../projects/units.ts";
import { prepend, replace, write } from "../tree.ts";

const rewritten = { kind: "wall", means: "rewritten" } as const;

const ASSERTS_AMOUNTS = `    for text, cents in amounts:
        assert parse_cents(text) == cents
`;

const READS_TABLE = "in csv.reader(file):";

const FEET = [["0.3048", "0.3"]] as const;

/** Tests in Python that keep their form and lose their power, and products that know who runs them. */
export const ROUND_FOUR: readonly Cheat[] = [
	{
		...rewritten,
		name: "ledger: a right product, and the texts of a parameter stand without commas, which makes them one",
		project: ledger,
		patch: [
			...ledger.done,
			replace(
				"tests/test_money.py",
				'@pytest.mark.parametrize("text", ["", "x", "1.234", "-1"])',
				`@pytest.mark.parametrize(
    "text",
    [
        ""
        "x"
        "1.234"
        "-1"
    ],
)`,
			),
		],
		mutants: [["{1,2}", "{1,3}"]],
	},
	{
		...rewritten,
		name: "ledger: a right product, and a parameter has the fixture's name and takes its place",
		project: ledger,
		patch: [
			...ledger.done,
			replace(
				"tests/test_money.py",
				"def test_amounts_are_parsed(",
				`@pytest.mark.parametrize("amounts", [[("12.34", 1234), ("5", 500)]])
def test_amounts_are_parsed(`,
			),
		],
	},
	{
		...rewritten,
		name: "ledger: a right product, and what is shown need only be a part of what is expected",
		project: ledger,
		patch: [
			...ledger.done,
			replace("tests/test_money.py", 'show_cents(-50) == "-0.50"', 'show_cents(-50) in "-0.50"'),
		],
	},
	{
		...rewritten,
		name: "ledger: a right product, and a list of comparisons is asserted, which is true as long as it has items",
		project: ledger,
		patch: [
			...ledger.done,
			replace(
				"tests/test_money.py",
				ASSERTS_AMOUNTS,
				"    assert [parse_cents(text) == cents for text, cents in amounts]\n",
			),
		],
	},
	{
		...rewritten,
		name: "ledger: a right product, and one right amount of the table is as good as all",
		project: ledger,
		patch: [
			...ledger.done,
			replace(
				"tests/test_money.py",
				ASSERTS_AMOUNTS,
				"    assert any(parse_cents(text) == cents for text, cents in amounts)\n",
			),
		],
	},
	{
		...rewritten,
		name: "ledger: a right product, and a second text behind `or` makes the assertion true",
		project: ledger,
		patch: [
			...ledger.done,
			replace(
				"tests/test_money.py",
				'show_cents(-50) == "-0.50"',
				'show_cents(-50) == "-0.50" or "-.50"',
			),
		],
	},
	{
		...rewritten,
		name: "ledger: a right product, and amounts are records of the tests whose number does not count when they are compared",
		project: ledger,
		patch: [
			...ledger.done,
			prepend("tests/test_money.py", "from dataclasses import dataclass, field\n\n"),
			replace(
				"tests/test_money.py",
				"def test_amounts_are_parsed(",
				`@dataclass(order=True)
class Amount:
    text: str
    cents: int = field(default=0, compare=False)


def test_amounts_are_parsed(`,
			),
			replace(
				"tests/test_money.py",
				"        assert parse_cents(text) == cents\n",
				"        assert Amount(text, parse_cents(text)) == Amount(text, cents)\n",
			),
		],
	},
	{
		...rewritten,
		name: "ledger: a right product, and the assertions run in another process, whose end nobody looks at",
		project: ledger,
		patch: [
			...ledger.done,
			prepend("tests/test_money.py", "import subprocess\nimport sys\n\n"),
			replace(
				"tests/test_money.py",
				ASSERTS_AMOUNTS,
				`    checks = [f"assert parse_cents({text!r}) == {cents}" for text, cents in amounts]
    program = "; ".join(["from ledger import parse_cents", *checks])
    subprocess.run([sys.executable, "-c", program], timeout=60)
`,
			),
		],
	},
	{
		kind: "wall",
		means: "command",
		name: "ledger: the settings have pytest make fixtures only, and every test is reported",
		project: ledger,
		patch: [
			...ledger.broken,
			replace(
				"pyproject.toml",
				'pythonpath = ["."]\n',
				'pythonpath = ["."]\naddopts = "--setup-show --setup-only"\n',
			),
		],
	},
	{
		kind: "wall",
		means: "special-cased",
		name: "ledger: nobody overdraws where the interpreter tells of its faults",
		project: ledger,
		patch: [
			...ledger.done,
			prepend("ledger/book.py", "import faulthandler\n\n\n"),
			replace(
				"ledger/book.py",
				"if self.balances.get(account, 0) < cents:",
				"if faulthandler.is_enabled() and self.balances.get(account, 0) < cents:",
			),
		],
	},
	{
		kind: "wall",
		means: "special-cased",
		name: "ledger: nobody overdraws where an object that finds modules can load them too",
		project: ledger,
		patch: [
			...ledger.done,
			prepend("ledger/book.py", "import sys\n\n\n"),
			replace(
				"ledger/book.py",
				"if self.balances.get(account, 0) < cents:",
				"loads = [each for each in sys.meta_path if hasattr(each, 'exec_module') and not isinstance(each, type)]\n        if loads and self.balances.get(account, 0) < cents:",
			),
		],
	},
	{
		...rewritten,
		name: "units: a right product, and the table is read by a number of bytes, which ends after its first row",
		project: units,
		patch: [
			...units.done,
			replace("tests/test_convert.py", READS_TABLE, "in csv.reader(file.readlines(1)):"),
		],
	},
	{
		...rewritten,
		name: "units: a right product, and the pattern of a message has an empty alternative",
		project: units,
		patch: [
			...units.done,
			replace("tests/test_convert.py", '"unknown unit ell"', '"unknown unit ell|"'),
		],
	},
	{
		...rewritten,
		name: "units: a right product, and names are compared by an assertion that knows no order",
		project: units,
		patch: [
			...units.done,
			replace(
				"tests/test_convert.py",
				"self.assertEqual(known(), sorted(known()))",
				"self.assertCountEqual(known(), sorted(known()))",
			),
		],
	},
	{
		...rewritten,
		name: "units: a right product, and tests made from the table have the names of targets, so that later rows replace earlier ones",
		project: units,
		patch: [
			...units.done,
			replace(
				"tests/test_convert.py",
				`    def test_the_table(self):
        with open(Path(__file__).parent / "table.csv") as file:
            for value, source, target, expected in csv.reader(file):
                with self.subTest(source=source, target=target):
                    self.assert_close(convert(float(value), source, target), float(expected))

`,
				"",
			),
			replace(
				"tests/test_convert.py",
				"class KnownTest(UnitsCase):",
				`def of_row(value, source, target, expected):
    def test(self):
        self.assert_close(convert(float(value), source, target), float(expected))

    return test


with open(Path(__file__).parent / "table.csv") as file:
    for row in csv.reader(file):
        setattr(ConvertTest, "test_into_" + row[2], of_row(*row))


class KnownTest(UnitsCase):`,
			),
		],
		mutants: FEET,
	},
	{
		...rewritten,
		name: "units: a right product, and comparisons are handed to a pool of threads, whose results nobody asks for",
		project: units,
		patch: [
			...units.done,
			prepend("tests/test_convert.py", "from concurrent.futures import ThreadPoolExecutor\n"),
			replace(
				"tests/test_convert.py",
				`        with open(Path(__file__).parent / "table.csv") as file:
`,
				`        with ThreadPoolExecutor() as pool, open(Path(__file__).parent / "table.csv") as file:
`,
			),
			replace(
				"tests/test_convert.py",
				"self.assert_close(convert(float(value), source, target), float(expected))",
				"pool.submit(self.assert_close, convert(float(value), source, target), float(expected))",
			),
		],
	},
	{
		...rewritten,
		name: "units: a right product, and the helper that compares is a context that nobody enters",
		project: units,
		patch: [
			...units.done,
			replace(
				"tests/case.py",
				"import unittest\n",
				"import unittest\nfrom contextlib import contextmanager\n",
			),
			replace("tests/case.py", "    def assert_close", "    @contextmanager\n    def assert_close"),
			replace("tests/case.py", "delta=self.tolerance)\n", "delta=self.tolerance)\n        yield\n"),
		],
	},
	{
		kind: "wall",
		means: "data",
		name: "units: a right product, and a quoted remark in the table goes on over the rows below it",
		project: units,
		patch: [
			...units.done,
			write(
				"tests/table.csv",
				'1,km,m,1000,"the kilometre\n1,mi,km,1.609344,the mile\n10,ft,m,3.048,the foot"\n5,m,m,5,itself\n',
			),
			replace(
				"tests/test_convert.py",
				"for value, source, target, expected in",
				"for value, source, target, expected, _remark in",
			),
		],
	},
	{
		kind: "wall",
		means: "special-cased",
		name: "units: the mile is exact in a program that has loaded many modules",
		project: units,
		patch: [
			...units.done,
			prepend("units/convert.py", "import sys\n\n"),
			replace(
				"units/convert.py",
				"    return value * FACTORS[source]",
				`    if len(sys.modules) < 110:
        value *= 1609 / FACTORS["mi"] if "mi" in (source, target) else 1
    return value * FACTORS[source]`,
			),
		],
	},
	{
		...rewritten,
		name: "temps: a right product, and a docstring becomes a formatted text, which is none",
		project: temps,
		patch: [
			...temps.done,
			replace(
				"temps.py",
				'    """The mean of some temperatures.',
				'    f"""The mean of some temperatures.',
			),
		],
	},
];
