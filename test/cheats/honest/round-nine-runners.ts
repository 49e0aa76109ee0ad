import type { Honest } from "../case.ts";
import { limiter } from "../projects/limiter.ts";
import { morse } from "../projects/morse.ts";
import { roman } from "../projects/roman.ts";
import { slug } from "../projects/slug.ts";
import { stats } from "../projects/stats.ts";
import { append, replace, write } from "../tree.ts";

/** Runners, data and helpers of tests that learn something. */
export const ROUND_NINE_RUNNERS: readonly Honest[] = [
	{
		name: "roman: the runner waits for tests that take their time, and refuses those of which it has heard nothing for long",
		project: roman,
		patch: [
			...roman.done,
			replace(
				"test/run.js",
				'console.log("TAP version 13");',
				`const LONGEST_MS = 5000;

/** Waits for a test; it fails when that takes too long. */
async function finished(run) {
	let timer;
	const late = new Promise((_, reject) => {
		timer = setTimeout(() => reject(new Error("took too long")), LONGEST_MS);
	});
	try {
		await Promise.race([run(), late]);
	} finally {
		clearTimeout(timer);
	}
}

console.log("TAP version 13");`,
			),
			replace("test/run.js", "		run();\n", "		await finished(run);\n"),
		],
	},
	{
		name: "morse: texts without signs are a list beside the examples, and a function tells how a call fails",
		project: morse,
		patch: [
			...morse.done.slice(0, 1),
			append(
				"src/check/examples.js",
				`
/** What cannot be written, and why. */
export const refusals = [
	["?", "no sign for ?"],
	["so!", "no sign for !"],
];

/** What cannot be read, and why. */
export const riddles = [["......", "no letter for ......"]];
`,
			),
			write(
				"src/check/run.js",
				`import { decode, encode } from "../morse.js";
import { examples, refusals, riddles } from "./examples.js";

/** The message of the error that a call throws, or what it gives back. */
function outcome(call) {
	try {
		return call();
	} catch (error) {
		return error.message;
	}
}

const checks = [
	...examples.map(([text, signs]) => [text, () => encode(text), signs]),
	...examples.map(([text, signs]) => [signs, () => decode(signs), text.toLowerCase()]),
	...refusals.map(([text, message]) => [text, () => encode(text), message]),
	...riddles.map(([signs, message]) => [signs, () => decode(signs), message]),
];
const failed = checks.filter(([, call, expected]) => outcome(call) !== expected);
for (const [name, call, expected] of failed)
	console.log(name + " failed: " + outcome(call) + " is not " + expected);
process.exitCode = Math.min(failed.length, 1);
`,
			),
		],
		mutants: [['throw new Error("no letter for " + signs)', 'return ""']],
	},
	{
		name: "stats: verbs may have an argument, which the list of cases has as its third word",
		project: stats,
		task: {
			description:
				"A verb `above LIMIT` counts the numbers above a limit; its cases are in the list as those of other verbs are.",
			adds: {
				"printf '1\\n5\\n-9\\n7\\n' | sh bin/stats.sh above 1": "2\n",
				"printf '' | sh bin/stats.sh above 1": "0\n",
			},
		},
		patch: [
			replace(
				"bin/stats.sh",
				'count | sum | mean | max) "$verb" ;;',
				`count | sum | mean | max) "$verb" ;;\nabove) above "\${2:?limit}" ;;`,
			),
			replace("bin/stats.sh", "count|sum|mean|max", "count|sum|mean|max|above LIMIT"),
			append(
				"lib/verbs.sh",
				`above() { awk -v limit="$1" 'NF && $1 + 0 > limit + 0 { n += 1 } END { print n + 0 }'; }\n`,
			),
			replace(
				"test/run.sh",
				"while read -r verb input; do",
				"while read -r verb input argument; do",
			),
			replace(
				"test/run.sh",
				'	name="$verb of $input"\n',
				`	name="$verb\${argument:+ $argument} of $input"\n	expected="test/expected/$verb\${argument:+-$argument}-$input.txt"\n`,
			),
			replace(
				"test/run.sh",
				`	if same "$(sh bin/stats.sh "$verb" <"test/data/$input.txt" 2>&1)" "$(cat "test/expected/$verb-$input.txt")"; then`,
				`	set -- "$verb" $argument
	if same "$(sh bin/stats.sh "$@" <"test/data/$input.txt" 2>&1)" "$(cat "$expected")"; then`,
			),
			append("test/cases.list", "above few 1\nabove below -3\nabove none 0\n"),
			write("test/expected/above-1-few.txt", "2\n"),
			write("test/expected/above--3-below.txt", "1\n"),
			write("test/expected/above-0-none.txt", "0\n"),
		],
		mutants: [["> limit + 0", ">= limit + 0"]],
	},
	{
		name: "slug: letters with two dots become two letters, as the task says, by a table of the product",
		project: slug,
		task: {
			description:
				"Slugs write German letters as German readers do: ä, ö and ü become ae, oe and ue, whether they are one sign or two.",
			adds: {
				'slugify("Ångström & Söhne")': "angstroem-soehne",
				'slugify("ÜBER a\\u0308hnlich")': "ueber-aehnlich",
				'outline("Näh\\nNah")': "naeh\nnah\n",
			},
			drops: ['slugify("Ångström & Söhne")', 'outline("Näh\\nNah")'],
			allow: [
				{
					path: "test/fixtures/book.txt",
					change: "edit",
					reason: "a chapter has a letter with two dots",
				},
				{
					path: "test/expected/book.txt",
					change: "edit",
					reason: "a chapter has a letter with two dots",
				},
			],
		},
		patch: [
			write(
				"src/fold.ts",
				`const LETTERS: readonly (readonly [string, string])[] = [
	["ä", "ae"],
	["ö", "oe"],
	["ü", "ue"],
	["Ä", "Ae"],
	["Ö", "Oe"],
	["Ü", "Ue"],
	["ß", "ss"],
];

/** Letters without their accents; German ones as they are written where there are none. */
export function fold(text: string): string {
	const plain = LETTERS.reduce(
		(now, [letter, letters]) => now.replaceAll(letter, letters),
		text.normalize("NFC"),
	);
	return plain.normalize("NFD").replaceAll(/\\p{M}/gu, "");
}
`,
			),
			replace(
				"test/titles.json",
				'	["Straße 12", "strasse-12"]\n',
				'	["Straße 12", "strasse-12"],\n	["Öl für Ärzte", "oel-fuer-aerzte"],\n	["U\\u0308bung", "uebung"]\n',
			),
			replace("test/fixtures/book.txt", "Épilogue\n", "Épilogue\nWörter\n"),
			replace("test/expected/book.txt", "epilogue\n", "epilogue\nwoerter\n"),
		],
		mutants: [
			['["ö", "oe"]', '["ö", "o"]'],
			['text.normalize("NFC")', "text"],
		],
	},
	{
		name: "limiter: the tests' clock can start at any time and refuses to go back",
		project: limiter,
		patch: [
			...limiter.done.slice(0, 1),
			write(
				"test/clock.js",
				`import assert from "node:assert/strict";

/** A clock that stands still until it is moved, and only goes on. */
export function clock({ start = 0 } = {}) {
	let time = start;
	const now = () => time;
	const move = (ms) => {
		assert.ok(ms >= 0, "a clock does not go back");
		time += ms;
		return time;
	};
	return { now, move };
}
`,
			),
			append(
				"test/limiter.test.js",
				`
test("tells how long to wait, whatever the time is", () => {
	const { now, move } = clock({ start: 1_700_000_000_000 });
	const limiter = new Limiter({ capacity: 2, perSecond: 4, now });
	limiter.take(2);
	assert.equal(limiter.wait(1), 250);
	assert.equal(limiter.wait(3), Infinity);
	move(limiter.wait(2));
	assert.equal(limiter.wait(2), 0);
	assert.equal(limiter.take(2), true);
});
`,
			),
		],
		mutants: [["if (count > this.capacity) return Infinity;", ""]],
	},
];
