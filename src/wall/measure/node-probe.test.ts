import { expect, test } from "vitest";
import { spread } from "../../../test/support/amount.ts";
import { measuredRun, NODE_TEST, VITEST } from "../language/measured.fixture.ts";

const PRODUCT = `import { spawn } from "node:child_process";
export const count = () => 3;
export const started = () => spawn("sleep", ["60"]);
export const pid = () => process.ppid;
export const isDone = () => false;
export const rounds = (to) => { let at = 0; while (at !== to) at += 1; return at; };
`;

async function runOf(cases: string, command: readonly string[] = NODE_TEST) {
	const head = `import assert from "node:assert/strict"; import { count, isDone, pid, rounds, started } from "../src/made.js"; `;
	const runner = command === VITEST ? "vitest" : "node:test";
	const hooks =
		command === VITEST ? "beforeAll, afterAll" : "before as beforeAll, after as afterAll";
	const { table, status, output } = await measuredRun(
		{
			"package.json": JSON.stringify({ type: "module" }),
			"src/made.js": PRODUCT,
			"test/made.test.js": `${head}import { describe, it, ${hooks} } from "${runner}";\n${cases}`,
		},
		command === VITEST ? command : [...command, "test/made.test.js"],
	);
	expect(status, output).toBe(0);
	return table;
}

test.each(
	spread(
		[
			["node:test", NODE_TEST],
			["vitest", VITEST],
		],
		1,
	),
)(
	"%s: cases are repeated when all of them are over, between the hooks of their groups",
	async (_, command) => {
		const table = await runOf(
			`let times = 0, isOpen = false;
afterAll(() => { isOpen = null; });
describe("group", () => {
	beforeAll(() => { isOpen = true; });
	afterAll(() => { isOpen = false; });
	it("one", () => { times += 1; assert.ok(isOpen); assert.equal(count(), 3); });
	it("two", () => { assert.equal(times, 1); });
});
it("three", () => { assert.equal(isOpen, false); assert.equal(count(), 3); });
`,
			command,
		);
		expect(table.toSorted()).toEqual([
			"not ok - test/made.test.js:10 > count() gives 2",
			"not ok - test/made.test.js:10 > count() gives 4",
			"not ok - test/made.test.js:7 > count() gives 2",
			"not ok - test/made.test.js:7 > count() gives 4",
			"ok - test/made.test.js:10 > measured",
			"ok - test/made.test.js:7 > measured",
			"ok - test/made.test.js:8 > measured",
		]);
	},
);

test("a trial that loops for ever is ended, in the test and in the product, before and behind an await", async () => {
	const table =
		await runOf(`it("test", () => { for (let left = count(); left !== 0; left -= 1.5); });
it("test, later", async () => { await null; for (let left = count(); left !== 0; left -= 1.5) { assert.ok(true); } });
it("product", async () => { assert.equal(rounds(count() / 1.5), 2); });
it("product, later", async () => { await null; assert.equal(rounds(count() / 1.5), 2); });
`);
	expect(table.filter((line) => line.endsWith("measured"))).toHaveLength(4);
	expect(table.filter((line) => line.includes("count() gives"))).toEqual([]);
});

test("a trial ends neither the run nor processes that it did not start", async () => {
	const table =
		await runOf(`it("kill", () => { const got = pid(); if (got !== process.ppid) process.kill(got, "SIGKILL"); });
it("exit", () => { if (isDone()) process.exit(7); });
it("abort", () => { if (isDone()) process.abort(); });
it("own", () => { const child = started(); child.on("error", () => {}); process.kill(child.pid, "SIGKILL"); assert.equal(count(), 3); });
`);
	expect(
		table.filter((line) => line.startsWith("not ok")).map((line) => line.replace(/\d{3,}/, "N")),
	).toEqual([
		"not ok - test/made.test.js:2 > pid() gives N",
		"not ok - test/made.test.js:2 > pid() gives N",
		"not ok - test/made.test.js:3 > isDone() gives true",
		"not ok - test/made.test.js:4 > isDone() gives true",
		"not ok - test/made.test.js:5 > count() gives 4",
		"not ok - test/made.test.js:5 > count() gives 2",
	]);
});

test("cases beyond the time of the process are told", async () => {
	const cases = `it("one", () => { assert.equal(count(), 3); });\n`;
	expect(await runOf(cases, ["SPAR_MEASURE_UNTIL=0", ...NODE_TEST])).toEqual([
		"ok - test/made.test.js:2 > measured # SKIP there was no time",
	]);
});

test("a trial that got no processor's time is made once more", async () => {
	const table =
		await runOf(`const pause = (milliseconds) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
let times = 0;
it("case", () => { times += 1; if (times === 3) pause(1000); assert.equal(count(), 3); });
`);
	expect(table.toSorted()).toEqual([
		"not ok - test/made.test.js:4 > count() gives 2",
		"not ok - test/made.test.js:4 > count() gives 4",
		"ok - test/made.test.js:4 > measured",
	]);
});
