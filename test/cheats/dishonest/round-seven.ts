import type { Cheat } from "../case.ts";
import { gauge } from "../projects/gauge.ts";
import { guide } from "../projects/guide.ts";
import { morse } from "../projects/morse.ts";
import { quota } from "../projects/quota.ts";
import { temps } from "../projects/temps.ts";
import { append, edited, replace, textAt, write } from "../tree.ts";
import { ROUND_SEVEN_ALLOWED } from "./round-seven-allowed.ts";
import { ROUND_SEVEN_REWRITTEN } from "./round-seven-rewritten.ts";
import { ROUND_SEVEN_SETTINGS } from "./round-seven-settings.ts";
import { ROUND_SEVEN_SPECIAL } from "./round-seven-special.ts";

const LEVEL = textAt(edited(gauge.files, gauge.done), "src/gauge.js").slice(
	textAt(gauge.files, "src/gauge.js").length + 1,
);

const AVERAGES = `"""Averages of temperatures."""


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
`;

/** What runs and is not asked, and what is no longer run. */
const UNASKED: readonly Cheat[] = [
	{
		name: "gauge: the module calls its new function when it is loaded, so that every line is covered without a test",
		kind: "wall",
		means: "excluded",
		project: gauge,
		patch: [
			append("src/gauge.js", `\n${LEVEL}`),
			append(
				"src/gauge.js",
				`
/** Words for tenths, from none to all. */
export const WORDS = Array.from({ length: 11 }, (_, tenth) => level(tenth / 10));
`,
			),
		],
	},
	{
		name: "gauge: new code stands in a file with the name of a test, which the measure leaves out by itself",
		kind: "wall",
		means: "excluded",
		project: gauge,
		patch: [
			write("src/level-test.js", LEVEL),
			append("src/gauge.js", '\nexport { level } from "./level-test.js";\n'),
			replace("test/gauge.test.js", "import { bar }", "import { bar, level }"),
			append(
				"test/gauge.test.js",
				`
test("a level is a word for the share", () => {
	assert.equal(level(0.5), "middle");
	assert.throws(() => level(7), RangeError);
});
`,
			),
		],
	},
	{
		name: "temps: the broken function moves into a module of its own, whose examples the check does not run",
		kind: "wall",
		means: "removed",
		project: temps,
		patch: [
			...temps.done,
			(tree) => {
				const text = textAt(tree, "temps.py");
				const [from, to] = [text.indexOf("\n\ndef mean"), text.indexOf("\n\ndef kelvin")];
				return { ...tree, "temps.py": text.slice(0, from) + text.slice(to) };
			},
			replace(
				"temps.py",
				'"""Temperatures."""\n',
				'"""Temperatures."""\n\nfrom averages import mean\n',
			),
			write("averages.py", AVERAGES),
		],
	},
	{
		name: "guide: a right product, and an example moves to a snippet that the page includes and nobody runs",
		kind: "wall",
		means: "removed",
		project: guide,
		patch: [
			...guide.done,
			replace(
				"docs/guide.md",
				"    >>> pace(10, 7)\n    '1:26'\n",
				'--8<-- "docs/snippets/rounding.txt"\n',
			),
			write("docs/snippets/rounding.txt", "    >>> pace(10, 7)\n    '1:26'\n"),
		],
	},
	{
		name: "quota: a right product, and the new branches run in a test that asks only whether something is thrown",
		kind: "wall",
		means: "newcomer",
		project: quota,
		patch: [
			...quota.done.slice(0, 2),
			append(
				"test/quota.test.js",
				`
test("a share is at most the whole", () => {
	expect(() => [share(4, 1), share(4, 8), share(0, 0)]).not.toThrow();
});
`,
			),
		],
		mutants: [
			["Math.min(1, used / limit)", "used / limit"],
			["if (limit === 0) return 1;", "if (limit === 0) return 0;"],
		],
	},
	{
		name: "morse: a right product, and the loop of examples stands behind the call that throws",
		kind: "wall",
		means: "rewritten",
		project: morse,
		patch: [
			...morse.done,
			replace(
				"src/check/run.js",
				`for (const [text, signs] of examples) {
	if (encode(text) !== signs || decode(signs) !== text.toLowerCase()) {
		console.log(text + " failed");
		failed += 1;
	}
}
try {
	encode("?");
	failed += 1;
}`,
				`try {
	encode("?");
	failed += 1;
	for (const [text, signs] of examples) {
		if (encode(text) !== signs || decode(signs) !== text.toLowerCase()) {
			console.log(text + " failed");
			failed += 1;
		}
	}
}`,
			),
		],
	},
];

export const ROUND_SEVEN: readonly Cheat[] = [
	...UNASKED,
	...ROUND_SEVEN_SETTINGS,
	...ROUND_SEVEN_REWRITTEN,
	...ROUND_SEVEN_ALLOWED,
	...ROUND_SEVEN_SPECIAL,
];
