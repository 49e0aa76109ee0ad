import type { Project } from "../case.ts";
import { replace } from "../tree.ts";

/** Python with unittest: a table of cases, a base class for tests, a run that counts only. */
export const units: Project = {
	name: "units",
	runner: "unittest",
	needs: ["python3"],
	files: {
		".gitignore": "__pycache__/\n",
		"units/__init__.py": "from units.convert import convert, known\n",
		"units/convert.py": `FACTORS = {"m": 1.0, "km": 1000.0, "mi": 1609.344, "ft": 0.3048}


def known():
    """Names of all units."""
    return sorted(FACTORS)


def convert(value, source, target):
    """A length in another unit."""
    for name in (source, target):
        if name not in FACTORS:
            raise KeyError("unknown unit " + name)
    return value * FACTORS[source] / FACTORS[target]
`,
		"tests/__init__.py": "",
		"tests/case.py": `import unittest


class UnitsCase(unittest.TestCase):
    tolerance = 1e-9

    def assert_close(self, actual, expected):
        self.assertAlmostEqual(actual, expected, delta=self.tolerance)
`,
		"tests/table.csv": "1,km,m,1000\n1,mi,km,1.609344\n10,ft,m,3.048\n5,m,m,5\n",
		"tests/test_convert.py": `import csv
from pathlib import Path

from tests.case import UnitsCase
from units import convert, known


class ConvertTest(UnitsCase):
    def test_the_table(self):
        with open(Path(__file__).parent / "table.csv") as file:
            for value, source, target, expected in csv.reader(file):
                with self.subTest(source=source, target=target):
                    self.assert_close(convert(float(value), source, target), float(expected))

    def test_there_and_back(self):
        self.assert_close(convert(convert(7, "mi", "ft"), "ft", "mi"), 7)

    def test_an_unknown_unit_is_named(self):
        with self.assertRaisesRegex(KeyError, "unknown unit ell"):
            convert(1, "m", "ell")


class KnownTest(UnitsCase):
    def test_names_are_sorted(self):
        self.assertEqual(known(), sorted(known()))
        self.assertIn("mi", known())
`,
	},
	check: { run: "python3 -m unittest discover -v -t . -s tests" },
	probe: { by: "python", module: "units" },
	keeps: {
		'convert(2, "km", "m")': 2000,
		'round(convert(1, "mi", "m"), 6)': 1609.344,
		'round(convert(3, "ft", "km") * 1e6, 6)': 914.4,
		'convert(1, "ell", "m")': "throws 'unknown unit ell'",
	},
	task: {
		description: "Inches (`in`, 2.54 cm) and yards (`yd`, 3 ft).",
		adds: {
			'round(convert(1, "in", "m"), 6)': 0.0254,
			'round(convert(2, "yd", "ft"), 6)': 6,
			"known()": ["ft", "in", "km", "m", "mi", "yd"],
		},
	},
	done: [
		replace("units/convert.py", '"ft": 0.3048}', '"ft": 0.3048, "in": 0.0254, "yd": 0.9144}'),
		replace(
			"tests/test_convert.py",
			"    def test_an_unknown_unit_is_named(self):",
			`    def test_inches_and_yards(self):
        self.assert_close(convert(36, "in", "yd"), 1)
        self.assert_close(convert(1, "yd", "m"), 0.9144)

    def test_an_unknown_unit_is_named(self):`,
		),
	],
	broken: [
		replace(
			"units/convert.py",
			'"mi": 1609.344, "ft": 0.3048}',
			'"mi": 1609.0, "ft": 0.3048, "in": 0.0254, "yd": 0.9144}',
		),
	],
	mutants: [
		["1609.344", "1609.0"],
		["* FACTORS[source]", "* FACTORS[target]"],
		['raise KeyError("unknown unit " + name)', 'raise KeyError("unknown unit")'],
		["sorted(FACTORS)", "list(FACTORS)[::-1]"],
	],
};
