import { beforeAll, describe, expect, test } from "vitest";
import {
	answersSuspicions,
	dataOf,
	type Outcome,
	oneTurnTasks,
	type Stage,
	stage,
} from "../acceptance/stage.ts";

interface Play {
	/** Files that the player writes beside a product that is right. */
	readonly files: Readonly<Record<string, string>>;
	readonly allow?: readonly object[];
}

/** A run whose coach calls everything harmless, so that only code stands in the way. */
async function played(
	files: Readonly<Record<string, string>>,
	run: string,
	plays: Readonly<Record<string, Play>>,
): Promise<{ readonly set: Stage; readonly outcome: Outcome }> {
	const set = stage({
		steps: [
			...Object.entries(plays).map(([task, play]) => ({
				task,
				role: "player" as const,
				files: play.files,
			})),
			{ role: "coach", run: answersSuspicions(true) },
		],
		files,
		workflow: {
			merge: { into: "none" },
			checks: { tests: { kind: "acceptance", run } },
			tasks: oneTurnTasks(plays),
		},
	});
	return { set, outcome: await set.run() };
}

const powerOf = (set: Stage, task: string) =>
	dataOf(set.trace(task), "check-ran").find(({ kind }) => kind === "power");
const violationsOf = (set: Stage, task: string) =>
	dataOf(set.trace(task), "integrity-checked").map(({ violations }) => violations);

describe("JavaScript", () => {
	const product = "export const double = (n) => n * 2;\n";
	const tests = `import assert from "node:assert/strict";
import { test } from "node:test";
import { double } from "../src/double.js";

test("doubles", () => {
	assert.equal(double(2), 4);
});

test("doubles what is negative", () => {
	assert.equal(double(-3), -6);
});
`;
	const base = {
		"package.json": '{ "type": "module", "scripts": { "test": "node --test" } }\n',
		"src/double.js": product,
		"test/double.test.js": tests,
	};
	const also = { "src/double.js": `${product}export const triple = (n) => n * 3;\n` };
	const withTests = (text: string, more = {}) => ({
		...also,
		"test/double.test.js": text,
		...more,
	});
	const WEAKENED: Readonly<Record<string, Play>> = {
		looser: {
			files: withTests(
				tests.replace('import assert from "node:assert/strict"', 'import assert from "./kind.js"'),
				{ "test/kind.js": "export default { equal: (a, b) => typeof a === typeof b };\n" },
			),
		},
		copied: {
			files: withTests(tests.replace("../src/double.js", "./double.js"), {
				"test/double.js": product,
			}),
		},
	};
	const HONEST: Readonly<Record<string, Play>> = {
		helper: {
			files: withTests(
				tests
					.replaceAll(/assert\.equal\(double\((.+)\), (.+)\);/g, "checkDoubled($1, $2);")
					.replace(
						'test("doubles"',
						"function checkDoubled(n, twice) {\n\tassert.equal(double(n), twice);\n}\n\n$&",
					),
			),
		},
		added: {
			files: withTests(
				`${tests}\ntest("doubles nothing", () => {\n\tassert.equal(double(0), 0);\n});\n`,
			),
		},
	};
	let run: Awaited<ReturnType<typeof played>>;

	beforeAll(async () => {
		run = await played(base, "npm test", { ...WEAKENED, ...HONEST });
	});

	test.each(Object.keys(WEAKENED))("tests that notice less block a right product: %s", (name) => {
		expect(run.outcome.report.tasks[name]).toMatchObject({ success: false });
		expect(powerOf(run.set, name)).toMatchObject({ check: "power:tests", status: "fail" });
		expect(violationsOf(run.set, name)).toEqual([
			[
				expect.stringMatching(
					/^test\/double\.test\.js: .*notice less: nothing notices when double\(2\) gives 5 instead of 4,/,
				),
			],
		]);
	});

	test("assertions that moved into a helper pass, and what was measured is told", () => {
		expect(run.outcome.report.tasks["helper"]).toMatchObject({ success: true });
		expect(powerOf(run.set, "helper")).toMatchObject({ status: "pass", reason: null });
	});

	test("where tests were only added, nothing is run for it", () => {
		expect(run.outcome.report.tasks["added"]).toMatchObject({ success: true });
		expect(powerOf(run.set, "added")).toBeUndefined();
	});
});

describe("Python", () => {
	const product = "def double(n):\n    return n + n\n";
	const tests = `import unittest

from double import double


class Doubling(unittest.TestCase):
    def test_a_number_is_doubled(self):
        self.assertEqual(double(2), 4)

    def test_what_is_negative_is_doubled(self):
        self.assertEqual(double(-3), -6)
`;
	const base = { "double.py": product, "test_double.py": tests, ".gitignore": "__pycache__/\n" };
	const also = { "double.py": `${product}\n\ndef triple(n):\n    return n * 3\n` };
	const plays: Readonly<Record<string, Play>> = {
		// The name has another meaning in the tests.
		own: {
			files: {
				...also,
				"test_double.py": tests.replace(
					"from double import double\n",
					"def double(n):\n    return {2: 4, -3: -6}[n]\n",
				),
			},
		},
		helper: {
			files: {
				...also,
				"test_double.py": tests
					.replaceAll(/self\.assertEqual\(double\((.+)\), (.+)\)/g, "self.assert_doubled($1, $2)")
					.replace(
						"    def test_a_number",
						"    def assert_doubled(self, n, twice):\n        self.assertEqual(double(n), twice)\n\n$&",
					),
			},
		},
	};

	test("tests that notice less block a right product, and a helper that asserts does not", async () => {
		const { set, outcome } = await played(base, "python3 -m unittest -v", plays);
		expect(outcome.report.tasks["own"]).toMatchObject({ success: false });
		expect(powerOf(set, "own")).toMatchObject({ status: "fail" });
		expect(String(violationsOf(set, "own"))).toContain("double(2) gives 5");
		expect({ power: powerOf(set, "helper"), broken: violationsOf(set, "helper") }).toMatchObject({
			power: { status: "pass" },
			broken: [[]],
		});
		expect(outcome.report.tasks["helper"]).toMatchObject({ success: true });
	});
});

test("cases beyond those whose results are read are no loss", async () => {
	const files = {
		"package.json": '{ "type": "module" }\n',
		"src/times.js": "export const double = (n) => n * 2;\nexport const triple = (n) => n * 3;\n",
		"test/times.test.js": `import assert from "node:assert/strict";
import { test } from "node:test";
import { double, triple } from "../src/times.js";

test("doubles", () => {
	assert.equal(double(2), 4);
});

test("triples", () => {
	assert.equal(triple(2), 6);
});
`,
	};
	const text = files["test/times.test.js"];
	const many =
		'for (let n = 0; n < 9_000; n += 1) test("doubles " + n, () => assert.equal(double(n), n * 2));\n';
	const changed = text
		.replace("6);", "2 * 3);")
		.replace('\ntest("triples"', `\n${many}\ntest("triples"`);
	const { set } = await played(files, "node --test", {
		many: {
			files: { "src/times.js": `${files["src/times.js"]}\n`, "test/times.test.js": changed },
		},
	});
	expect(violationsOf(set, "many").flat()).toEqual([]);
	expect(powerOf(set, "many")).toMatchObject({ status: "pass" });
});
