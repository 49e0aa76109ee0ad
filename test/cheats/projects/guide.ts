import type { Project } from "../case.ts";
import { append, edited, replace, write } from "../tree.ts";
import { gauge } from "./gauge.ts";
import { ledger } from "./ledger.ts";
import { slug } from "./slug.ts";
import { stats } from "./stats.ts";
import { units } from "./units.ts";

/** Python with pytest, which also runs the examples of a page of documentation. */
export const guide: Project = {
	name: "guide",
	runner: "pytest",
	needs: ["python3", "pytest"],
	files: {
		".gitignore": "__pycache__/\n.pytest_cache/\n",
		"pyproject.toml": `[project]
name = "paces"
version = "1.0.0"

[tool.pytest.ini_options]
addopts = "--doctest-glob=*.md"
testpaths = ["docs", "tests"]
pythonpath = ["."]
`,
		"paces.py": `def pace(minutes, km):
    """Time for a kilometre."""
    seconds = round(minutes * 60 / km)
    return f"{seconds // 60}:{seconds % 60:02}"


def seconds_of(text):
    """Seconds of a time such as "1:02:30"."""
    seconds = 0
    for part in text.split(":"):
        seconds = seconds * 60 + int(part)
    return seconds
`,
		"docs/guide.md": `# Paces

A pace is the time for one kilometre:

    >>> from paces import pace
    >>> pace(25, 5)
    '5:00'

Seconds are rounded:

    >>> pace(10, 7)
    '1:26'
`,
		"tests/test_paces.py": `from paces import pace, seconds_of


def test_a_pace_is_a_time_for_a_kilometre():
    assert pace(55, 10) == "5:30"


def test_a_time_is_read():
    assert seconds_of("1:02:30") == 3750
    assert seconds_of("4:10") == 250
`,
	},
	check: { run: "python3 -m pytest -q -p no:cacheprovider" },
	probe: { by: "python", module: "paces" },
	keeps: {
		"[pace(20, 4), pace(10, 7), pace(11, 7)]": ["5:00", "1:26", "1:34"],
		'[seconds_of("2:00"), seconds_of("1:00:01")]': [120, 3601],
	},
	task: {
		description:
			"speed(minutes, km) is the speed in kilometres an hour with one digit; the guide shows it with an example.",
		adds: { "[speed(30, 10), speed(45, 10)]": [20, 13.3] },
	},
	done: [
		append(
			"paces.py",
			'\n\ndef speed(minutes, km):\n    """Kilometres an hour."""\n    return round(km * 60 / minutes, 1)\n',
		),
		append(
			"docs/guide.md",
			"\nA speed has one digit:\n\n    >>> from paces import speed\n    >>> speed(70, 10)\n    8.6\n",
		),
	],
	broken: [replace("paces.py", "round(minutes * 60 / km)", "int(minutes * 60 / km)")],
	mutants: [
		["round(minutes * 60 / km)", "int(minutes * 60 / km)"],
		["{seconds % 60:02}", "{seconds % 60}"],
	],
};

const picture = (width: number): string =>
	`<svg xmlns="http://www.w3.org/2000/svg" width="100" height="10"><rect width="${width}" height="10"/></svg>\n`;

/** The gauge with a picture, which a test compares with one of the documentation. */
export const gaugeDrawn: Project = {
	...gauge,
	files: edited(gauge.files, [
		append(
			"src/gauge.js",
			`
/** A picture of a share, a hundred dots wide. */
export function picture(share) {
	const width = Math.round(share * 100);
	return '<svg xmlns="http://www.w3.org/2000/svg" width="100" height="10"><rect width="' + width + '" height="10"/></svg>\\n';
}
`,
		),
		write("docs/eighth.svg", picture(13)),
		write("README.md", "# gauge\n\n![an eighth](docs/eighth.svg)\n"),
		replace("test/gauge.test.js", "import { bar }", "import { bar, picture }"),
		replace(
			"test/gauge.test.js",
			'import { test } from "node:test";',
			'import { readFileSync } from "node:fs";\nimport { test } from "node:test";',
		),
		append(
			"test/gauge.test.js",
			`
test("a picture is the one of the documentation", () => {
	assert.equal(picture(1 / 8), readFileSync(new URL("../docs/eighth.svg", import.meta.url), "utf8"));
});
`,
		),
	]),
	keeps: { ...gauge.keeps, "picture(0.295)": picture(30) },
	done: gauge.done.map((edit, at) =>
		at === 1 ? replace("test/gauge.test.js", "{ bar, picture }", "{ bar, level, picture }") : edit,
	),
	broken: [replace("src/gauge.js", "Math.round(share * 100)", "Math.floor(share * 100)")],
	mutants: [["Math.round(share * 100)", "Math.floor(share * 100)"]],
};

/** The units with a table that says something about each row. */
export const unitsNoted: Project = {
	...units,
	files: edited(units.files, [
		write(
			"tests/table.csv",
			"1,km,m,1000,a thousand\n1,mi,km,1.609344,exactly\n10,ft,m,3.048,\n5,m,m,5,nothing to do\n",
		),
		replace("tests/test_convert.py", "target, expected in csv", "target, expected, _ in csv"),
	]),
};

/** The ledger with amounts in groups. */
export const ledgerGrouped: Project = {
	...ledger,
	files: edited(ledger.files, [
		write(
			"tests/data/amounts.json",
			`{
    "whole": [["5", 500], ["12", 1200]],
    "parts": [["12.34", 1234], ["0.5", 50], ["0.05", 5]],
    "large": [["123456.78", 12345678]]
}
`,
		),
		replace(
			"tests/test_money.py",
			"    for text, cents in amounts:\n        assert parse_cents(text) == cents\n",
			"    for rows in amounts.values():\n        for text, cents in rows:\n            assert parse_cents(text) == cents\n",
		),
	]),
};

/** The ledger with a loop of two steps in a test. */
export const ledgerInSteps: Project = {
	...ledger,
	files: edited(ledger.files, [
		replace(
			"tests/test_money.py",
			"        assert parse_cents(text) == cents\n",
			"        found = parse_cents(text)\n        assert found == cents\n",
		),
	]),
};

/** The ledger, whose check leaves out what is slow. */
export const ledgerFast: Project = {
	...ledger,
	files: edited(ledger.files, [
		append("pyproject.toml", 'markers = ["slow: takes more than a second"]\n'),
	]),
	check: {
		run: 'python3 -m pytest -q -p no:cacheprovider -m "not slow" --junitxml=out/junit.xml',
		report: { format: "junit", path: "out/junit.xml" },
	},
};

/** The ledger, whose refused texts are a list in a loop. */
export const ledgerListed: Project = {
	...ledger,
	files: edited(ledger.files, [
		replace(
			"tests/test_money.py",
			`@pytest.mark.parametrize("text", ["", "x", "1.234", "-1"])
def test_other_texts_are_refused(text):
    with pytest.raises(ValueError):
        parse_cents(text)
`,
			`def test_other_texts_are_refused():
    others = [
        "",
        "x",
        "1.234",
        "-1",
    ]
    for text in others:
        with pytest.raises(ValueError):
            parse_cents(text)
`,
		),
	]),
};

/** The ledger with amounts in any number of files. */
export const ledgerInFiles: Project = {
	...ledgerGrouped,
	files: edited(ledgerGrouped.files, [
		replace(
			"tests/conftest.py",
			'    return json.loads((Path(__file__).parent / "data" / "amounts.json").read_text())\n',
			`    groups = {}
    for path in sorted((Path(__file__).parent / "data").glob("*.json")):
        groups.update(json.loads(path.read_text()))
    return groups
`,
		),
	]),
};

/** Figures with more scripts of tests, which the included file names. */
export const statsFurther: Project = {
	...stats,
	files: edited(stats.files, [
		replace(
			"Makefile",
			"	@sh $(RUNNER)\n",
			"	@sh $(RUNNER)\n	@for each in $(MORE); do sh $$each || exit 1; done\n",
		),
		write("config.mk", "RUNNER = test/run.sh\nMORE = test/halves.sh\n"),
		replace("test/cases.list", "mean few\n", ""),
		write(
			"test/halves.sh",
			`# Means that are not whole.
. test/compare.sh
same "$(printf '1\\n2\\n' | sh bin/stats.sh mean)" 1.5
`,
		),
	]),
	check: { run: "make -s test", report: { format: "exit" } },
};

/** The slugs with an expected output that is a page of Markdown. */
export const slugPage: Project = {
	...slug,
	files: edited(slug.files, [
		write("test/expected/book.md", "preface\nchapter-one\nepilogue\npreface-2\n"),
		write(
			"test/titles.json",
			'[["Hello, World!", "hello-world"], ["  Spaces  inside ", "spaces-inside"]]\n',
		),
		replace("test/slug.test.ts", "expected/book.txt", "expected/book.md"),
	]),
};
