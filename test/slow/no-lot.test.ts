import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { type Files, repository } from "../support/repository.ts";
import { spar } from "../support/spar.ts";

const TIMES = 5;

/** Gives test files the globals of mocha and of jest, and prints TAP. No test can be planted: no program is named so. */
const RUNNER = `const { deepStrictEqual } = require("node:assert");
const cases = [];
const groups = [];
global.describe = (name, body) => { groups.push(name); body(); groups.pop(); };
global.it = global.test = (name, body) => cases.push([[...groups, name].join(" > "), body]);
const compare = (value, wanted, isSame) => {
	if (isSame !== (value === wanted)) throw new Error(value + " and " + wanted);
};
global.expect = (value) => ({
	toBe: (wanted) => compare(value, wanted, true),
	not: { toBe: (wanted) => compare(value, wanted, false) },
	toBeLessThan: (bound) => deepStrictEqual(value < bound, true),
});
for (const file of process.argv.slice(2)) require(require("node:path").resolve(file));
let failed = 0;
cases.forEach(([name, body], at) => {
	try {
		body();
		console.log("ok " + (at + 1) + " - " + name);
	} catch (error) {
		failed += 1;
		console.log("not ok " + (at + 1) + " - " + name);
	}
});
console.log("1.." + cases.length);
process.exitCode = Math.min(failed, 1);
`;

/** What must never be changed: titles, messages, bounds and values that must not match. */
const STAYS = [
	/describe\(.*/g,
	/\b(?:it|test)\("[^"]*"/g,
	/"[^"]* in words"/g,
	/not.*/gi,
	/<.*/g,
	/Less.*/g,
];

const MOCHA = `const assert = require("node:assert");
const { add, half } = require("../src/sum.js");
describe("sum of 2 numbers", () => {
	it("is 3 for 1 and 2", () => assert.equal(add(1, 2), 3, "3 in words"));
	it("is never 4", () => assert.notEqual(add(1, 2), 4));
	it("is less than 9", () => assert.ok(add(1, 2) < 9, "9 in words"));
	it("halves 4", () => assert.equal(half(4), 2));
});
`;
const JEST = MOCHA.replace('const assert = require("node:assert");\n', "")
	.replaceAll(/assert\.equal\((.*?\)), (\d).*?\)\);/g, "expect($1).toBe($2));")
	.replaceAll(/assert\.notEqual\((.*?\)), (\d)\)/g, "expect($1).not.toBe($2)")
	.replace('assert.ok(add(1, 2) < 9, "9 in words")', "expect(add(1, 2)).toBeLessThan(9)");

const BASE = "exports.add = (a, b) => a + b;\nexports.half = (n) => n;\n";
const DONE = BASE.replace("=> n;", "=> n / 2;");
/** Wrong beside a runner whose assertions say nothing. */
const deaf = (disarms: string): string => `${disarms}${DONE.replace("a + b", "a - b")}`;

const checkReport = z.looseObject({
	verdict: z.string(),
	checks: z.array(
		z.looseObject({ name: z.string(), status: z.string(), reason: z.string().nullable() }),
	),
	integrity: z.looseObject({ violations: z.array(z.string()) }),
	suspicions: z.array(z.looseObject({ what: z.string() })),
});

/** What several checks of the same trees say, and the test files that their runs had. */
async function judged(tests: string, product: string, report: object, times: number) {
	const repo = repository({
		files: {
			"package.json": "{}\n",
			"run.cjs": RUNNER,
			"src/sum.js": BASE,
			"test/sum.test.js": tests,
		} satisfies Files,
	});
	onTestFinished(() => repo.remove());
	const seen = join(repo.home, "seen");
	mkdirSync(seen);
	const run = `cp test/sum.test.js ${seen}/$$.js; node run.cjs test/sum.test.js`;
	const checks = {
		tests: { kind: "acceptance", run, baseline: "strict", timeout: "60s", ...report },
	};
	repo.write({ "sparring.yaml": JSON.stringify({ version: 1, checks }) });
	repo.commit("Workflow");
	repo.git("switch", "-q", "-c", "work");
	repo.write({ "src/sum.js": product });
	repo.commit("Halves");
	const said: z.infer<typeof checkReport>[] = [];
	for (let at = 0; at < times; at += 1) {
		const { stdout, stderr } = await spar(repo, ["check", "work", "--base", "main", "--json"]);
		expect(stdout, stderr).not.toBe("");
		said.push(checkReport.parse(JSON.parse(stdout)));
	}
	const texts = readdirSync(seen).map((name) => readFileSync(join(seen, name), "utf8"));
	return { said, texts };
}

const replayIn = (one: z.infer<typeof checkReport> | undefined) =>
	one?.checks.find(({ name }) => name === "replay:tests");

const TAP = { report: { format: "tap" } };
const EXIT = { report: { format: "exit" } };

test.each([
	["mocha, by the names of its cases", MOCHA, TAP],
	["jest, by the names of its cases", JEST, TAP],
	["mocha, by its exit code", MOCHA, EXIT],
])(
	"%s: honest work has the same verdict five times, and what is changed is expected",
	async (_name, tests, report) => {
		const { said, texts } = await judged(tests, DONE, report, TIMES);
		expect(said.map(({ verdict }) => verdict)).toEqual(Array.from({ length: TIMES }, () => "pass"));
		const told = said.map(({ checks, integrity, suspicions }) => ({
			checks: checks.map(({ name, status, reason }) => ({ name, status, reason })),
			violations: integrity.violations,
			suspicions: suspicions.map(({ what }) => what),
		}));
		for (const one of told) expect(one).toEqual(told[0]);
		const changed = texts.filter((text) => text !== tests);
		expect(changed.length).toBeGreaterThan(0);
		for (const text of changed)
			for (const kept of STAYS) expect(text.match(kept)).toEqual(tests.match(kept));
	},
);

test.each([
	["mocha", MOCHA, TAP, 'for (const it of [require("node:assert")]) it.equal = () => {};\n'],
	[
		"jest",
		JEST,
		TAP,
		"const [own] = [globalThis];\nown.expect = () => ({ toBe() {}, toBeLessThan() {}, not: { toBe() {} } });\n",
	],
	[
		"mocha by its exit code",
		MOCHA,
		EXIT,
		'for (const it of [require("node:assert")]) it.equal = () => {};\n',
	],
])(
	"a product that disarms %s does not notice wrong values, and is stopped",
	async (_name, tests, report, disarms) => {
		const { said } = await judged(tests, deaf(disarms), report, 1);
		const replay = replayIn(said[0]);
		expect(said[0]?.verdict).toBe("fail");
		expect(replay?.status).toBe("fail");
		expect(replay?.reason).toMatch(/although .*expected values? (?:is|are) wrong/);
	},
);
