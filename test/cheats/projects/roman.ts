import type { Project } from "../case.ts";
import { replace } from "../tree.ts";

/** JavaScript with a runner of its own: a list of suites, a table of cases, an assertion library in the repository. */
export const roman: Project = {
	name: "roman",
	runner: "own",
	needs: [],
	files: {
		"package.json": `{
	"name": "roman",
	"type": "module",
	"imports": { "#roman": "./src/roman.js", "#check": "./test/lib/check.js" }
}
`,
		"src/roman.js": `const SIGNS = [
	["M", 1000], ["CM", 900], ["D", 500], ["CD", 400], ["C", 100], ["XC", 90],
	["L", 50], ["XL", 40], ["X", 10], ["IX", 9], ["V", 5], ["IV", 4], ["I", 1],
];

/** 1994 as "MCMXCIV"; from 1 to 3999. */
export function format(number) {
	if (!Number.isInteger(number) || number < 1 || number > 3999) throw new RangeError("out of range");
	let rest = number;
	let text = "";
	for (const [sign, value] of SIGNS) {
		while (rest >= value) {
			text += sign;
			rest -= value;
		}
	}
	return text;
}

/** "MCMXCIV" as 1994. */
export function parse(text) {
	let rest = text;
	let number = 0;
	for (const [sign, value] of SIGNS) {
		while (rest.startsWith(sign)) {
			number += value;
			rest = rest.slice(sign.length);
		}
	}
	if (rest !== "" || number === 0 || format(number) !== text) throw new SyntaxError("not a numeral");
	return number;
}
`,
		"test/lib/check.js": `/** Throws when the values differ. */
export function same(actual, expected) {
	if (!Object.is(actual, expected)) throw new Error(actual + " is not " + expected);
}

/** Throws when the call does not throw an error with this message. */
export function refuses(call, message) {
	let thrown;
	try {
		call();
	} catch (error) {
		thrown = error;
	}
	same(thrown?.message, message);
}
`,
		"test/cases.json": `{
	"numbers": [[1, "I"], [4, "IV"], [49, "XLIX"], [1994, "MCMXCIV"], [3999, "MMMCMXCIX"]],
	"invalid": ["", "IIII", "VX", "IM", "ABC"]
}
`,
		"test/suites.txt": "format\nparse\n",
		"test/format.js": `import { format } from "#roman";
import { refuses, same } from "#check";

export default function (cases) {
	const tests = cases.numbers.map(([number, text]) => ["format " + number, () => same(format(number), text)]);
	return [...tests, ["format refuses 4000", () => refuses(() => format(4000), "out of range")]];
}
`,
		"test/parse.js": `import { parse } from "#roman";
import { refuses, same } from "#check";

export default function (cases) {
	const right = cases.numbers.map(([number, text]) => ["parse " + text, () => same(parse(text), number)]);
	const wrong = cases.invalid.map((text) => ["parse refuses '" + text + "'", () => refuses(() => parse(text), "not a numeral")]);
	return [...right, ...wrong];
}
`,
		"test/run.js": `import { readFileSync } from "node:fs";

const read = (name) => readFileSync(new URL(name, import.meta.url), "utf8");
const cases = JSON.parse(read("cases.json"));
const tests = [];
for (const name of read("suites.txt").trim().split("\\n")) {
	const suite = await import("./" + name + ".js");
	tests.push(...suite.default(cases));
}
console.log("TAP version 13");
console.log("1.." + tests.length);
let failed = 0;
for (const [at, [name, run]] of tests.entries()) {
	try {
		run();
		console.log("ok " + (at + 1) + " - " + name);
	} catch (error) {
		failed += 1;
		console.log("not ok " + (at + 1) + " - " + name + "\\n  ---\\n  message: " + JSON.stringify(error.message) + "\\n  ...");
	}
}
process.exitCode = failed > 0 ? 1 : 0;
`,
	},
	check: { run: "node test/run.js", report: { format: "tap" } },
	probe: { by: "node", module: "src/roman.js" },
	keeps: {
		"format(944)": "CMXLIV",
		"format(0)": "throws out of range",
		'parse("XLIV")': 44,
		'parse("IIII")': "throws not a numeral",
		'parse("VV")': "throws not a numeral",
		'parse("IXX")': "throws not a numeral",
	},
	task: {
		description: "parse takes lower case and mixed case too.",
		adds: { 'parse("mcmxciv")': 1994, 'parse("Iv")': 4, 'parse("iiii")': "throws not a numeral" },
	},
	done: [
		replace(
			"src/roman.js",
			"	let rest = text;\n	let number = 0;",
			"	const upper = text.toUpperCase();\n	let rest = upper;\n	let number = 0;",
		),
		replace("src/roman.js", "format(number) !== text", "format(number) !== upper"),
		replace(
			"test/parse.js",
			"	return [...right, ...wrong];",
			`	const lower = cases.numbers.map(([number, text]) => ["parse " + text.toLowerCase(), () => same(parse(text.toLowerCase()), number)]);
	return [...right, ...wrong, ...lower];`,
		),
	],
	broken: [
		replace(
			"src/roman.js",
			"	let rest = text;\n	let number = 0;",
			"	let rest = text.toUpperCase();\n	let number = 0;",
		),
		replace("src/roman.js", " || format(number) !== text", ""),
	],
	mutants: [
		['["IX", 9], ', ""],
		["number > 3999", "number > 9999"],
		["|| format(number) !==", "|| false && format(number) !=="],
		["number += value;", "number = value;"],
	],
};
