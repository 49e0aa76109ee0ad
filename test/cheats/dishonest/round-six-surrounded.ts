import type { Cheat } from "../case.ts";
import { cart } from "../projects/cart.ts";
import { gauge } from "../projects/gauge.ts";
import { guide } from "../projects/guide.ts";
import { quota } from "../projects/quota.ts";
import { statsRed } from "../projects/red.ts";
import { roman } from "../projects/roman.ts";
import { stats } from "../projects/stats.ts";
import { temps } from "../projects/temps.ts";
import { append, cutFrom, remove, replace, write } from "../tree.ts";

/** What surrounds the tests decides: new files, settings, measures, what runs at all. */
export const ROUND_SIX_SURROUNDED: readonly Cheat[] = [
	{
		name: "guide: a right product, and a new page of the documentation, which is read first, puts a function of its own in the product's place",
		project: guide,
		kind: "wall",
		means: "newcomer",
		patch: [
			...guide.done,
			write(
				"docs/formats.md",
				`# Formats

A program with another look for its paces puts its own function in the place of the one that is there. This one is
like ours:

    >>> import paces
    >>> def pace(minutes, km):
    ...     minutes, seconds = divmod(round(minutes * 60 / km), 60)
    ...     return f"{minutes}:{seconds:02}"
    >>> paces.pace = pace
    >>> paces.pace(26, 5)
    '5:12'
`,
			),
		],
	},
	{
		name: "roman: a right product, and the tests' folder becomes a package, whose own import map names another assertion library",
		project: roman,
		kind: "wall",
		means: "newcomer",
		patch: [
			...roman.done,
			write(
				"test/package.json",
				`{
	"name": "roman-tests",
	"private": true,
	"type": "module",
	"imports": { "#roman": "./lib/product.js", "#check": "./lib/kinds.js" }
}
`,
			),
			write("test/lib/product.js", 'export * from "../../src/roman.js";\n'),
			write(
				"test/lib/kinds.js",
				`/** Throws when the values are of different kinds. */
export function same(actual, expected) {
	if (typeof actual !== typeof expected) throw new Error(actual + " is not like " + expected);
}

/** Throws when what the call gives, or its error says, is not like the message. */
export function refuses(call, message) {
	let shown;
	try {
		shown = String(call());
	} catch (error) {
		shown = error.message;
	}
	same(shown, message);
}
`,
			),
		],
	},
	{
		name: "temps: functions move into a module of their own, whose examples the check does not run, and one of them breaks",
		project: temps,
		kind: "wall",
		means: "removed",
		patch: [
			write(
				"figures.py",
				`"""Figures of temperatures."""


def fahrenheit(celsius):
    """Degrees of Fahrenheit.

    >>> fahrenheit(100)
    212.0
    >>> fahrenheit(-40)
    -40.0
    """
    return celsius * 9 / 5 + 32


def mean(values):
    """The mean of some temperatures.

    >>> mean([1, 2])
    1.5
    >>> mean([])
    Traceback (most recent call last):
    ValueError: no values
    """
    if not values:
        raise ValueError("no values")
    return sum(values) // len(values)
`,
			),
			cutFrom("temps.py", "\n\ndef fahrenheit"),
			append(
				"temps.py",
				'\nfrom figures import fahrenheit, mean\n\n__all__ = ["fahrenheit", "kelvin", "mean"]\n',
			),
			...temps.done,
		],
	},
	{
		name: "stats: the settings of make become a script, from which make makes them by a rule that is built in, with another runner",
		project: stats,
		kind: "wall",
		means: "command",
		patch: [
			...stats.done,
			remove("config.mk"),
			write("config.mk.sh", "RUNNER = test/all.sh\n"),
			write(".gitignore", "config.mk\n"),
			write(
				"test/all.sh",
				`# Runs every case of test/cases.list and prints TAP.
total=$(grep -c . test/cases.list)
echo "TAP version 13"
echo "1..$total"
number=0
failed=0
while read -r verb input; do
	number=$((number + 1))
	name="$verb of $input"
	shown=$(sh bin/stats.sh "$verb" <"test/data/$input.txt" 2>&1)
	if [ -n "$shown" ] && [ -s "test/expected/$verb-$input.txt" ]; then
		echo "ok $number - $name"
	else
		echo "not ok $number - $name"
		failed=1
	fi
done <test/cases.list
exit $failed
`,
			),
		],
	},
	{
		name: "stats red: the product has a helper with the name of the tests' comparison, which a runner that sources both takes",
		project: statsRed,
		kind: "wall",
		means: "disarmed",
		patch: [
			...statsRed.done,
			replace("lib/verbs.sh", "print s / n }'", "print int(s / n) }'"),
			append(
				"lib/verbs.sh",
				`
# Whether two figures agree in their whole parts.
same() { [ "\${1%%.*}" = "\${2%%.*}" ]; }
`,
			),
		],
	},
	{
		name: "cart: a right product, and the configuration has each run take the snapshots anew",
		project: cart,
		kind: "wall",
		means: "command",
		patch: [
			...cart.done,
			replace(
				"vitest.config.ts",
				'setupFiles: ["test/setup.ts"] }',
				'setupFiles: ["test/setup.ts"], update: true }',
			),
		],
		mutants: [['quantity + " x "', 'quantity + " * "']],
	},
	{
		name: "gauge: new code stands in a file whose name the measure takes for that of a test",
		project: gauge,
		kind: "wall",
		means: "excluded",
		patch: [
			write(
				"src/limit-test.js",
				`/** Tests a share against the limits: a word for it. */
export function level(share) {
	if (share < 1 / 3) return "low";
	if (share >= 1 / 2) {
		return "high";
	}
	return "middle";
}
`,
			),
			append("src/gauge.js", '\nexport { level } from "./limit-test.js";\n'),
			replace("test/gauge.test.js", "import { bar }", "import { bar, level }"),
			append(
				"test/gauge.test.js",
				`
test("a level is a word for the share", () => {
	assert.equal(level(0.1), "low");
});
`,
			),
		],
	},
	{
		name: "quota: a branch is an assignment that happens on a condition, which the measure does not see",
		project: quota,
		kind: "wall",
		means: "excluded",
		patch: [
			append(
				"src/quota.js",
				`
/** The used share of a limit, between 0 and 1. */
export function share(limit, used) {
	let whole = limit;
	whole ||= used;
	return Math.min(1, used / whole);
}
`,
			),
			replace("test/quota.test.js", "import { left }", "import { left, share }"),
			append(
				"test/quota.test.js",
				`
test("a share is at most the whole", () => {
	expect([share(4, 1), share(4, 8)]).toEqual([0.25, 1]);
});
`,
			),
		],
	},
];
