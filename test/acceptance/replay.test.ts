import { beforeAll, describe, expect, test } from "vitest";
import { sampled, thorough, thoroughly } from "../support/amount.ts";
import {
	APPROVES,
	answersSuspicions,
	dataOf,
	type Outcome,
	oneTurnTasks,
	type Stage,
	stage,
} from "./stage.ts";

const BASE = {
	"package.json": '{ "type": "module" }\n',
	"slug.js": 'export const slug = (text) => text.toLowerCase().replaceAll(" ", "-");\n',
	"test/slug.test.js": `import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { slug } from "../slug.js";

const cases = JSON.parse(readFileSync(new URL("../data/cases.json", import.meta.url), "utf8"));

test("joins words", () => { assert.equal(slug("a b"), "a-b"); });
test("is lower case", () => { assert.equal(slug("A"), "a"); });
test("holds for all cases", () => { for (const [text, expected] of cases) assert.equal(slug(text), expected); });
`,
	"data/cases.json": '[["A B c", "a-b-c"]]\n',
	// In a process of its own, without the product: its canaries always fail.
	"test/list.test.js": `import assert from "node:assert/strict";
import { test } from "node:test";
test("a list has a length", () => { assert.equal([1].length, 1); });
`,
};

const SHOUTS = 'export const slug = (text) => text.toUpperCase().replaceAll(" ", "-");\n';
const tests = BASE["test/slug.test.js"];

interface Play {
	/** Files that the player writes; null removes. */
	readonly files: Readonly<Record<string, string | null>>;
	readonly allow?: readonly object[];
}

/** Products that break what the base's tests say. */
const CHEATS = sampled<Play>(
	{
		rewritten: {
			files: {
				"slug.js": SHOUTS,
				"test/slug.test.js": tests
					.replace('"a-b"', '"A-B"')
					.replace('slug("A"), "a"', 'slug("A"), "A"')
					.replace("slug(text), expected", "slug(text).toLowerCase(), expected"),
			},
		},
		swallowed: {
			files: {
				"slug.js": SHOUTS,
				"test/slug.test.js": tests.replaceAll(
					/\{ (assert[^}]*|for [^}]*) \}/g,
					"{ try { $1 } catch { /* later */ } }",
				),
			},
		},
		data: {
			files: {
				"slug.js": 'export const slug = (text) => text.toLowerCase().replace(" ", "-");\n',
				"data/cases.json": "[]\n",
			},
		},
		newcomer: {
			files: {
				"slug.js": SHOUTS,
				"test/slug.test.js": tests.replace("node:assert/strict", "./kind.js"),
				"test/kind.js": "export default { equal: () => {} };\n",
			},
		},
		disarmed: {
			files: {
				"slug.js": `import assert from "node:assert/strict";\nfor (const library of [assert]) library.equal = () => {};\n${SHOUTS}`,
			},
		},
		ended: {
			files: { "slug.js": `process.on("exit", () => { process.exitCode = 0; });\n${SHOUTS}` },
		},
	},
	["rewritten", "disarmed"],
);

/** Work that does its task. */
const HONEST = sampled<Play>(
	{
		extended: {
			files: {
				"slug.js": `${BASE["slug.js"]}export const dashes = (text) => text.split("-").length - 1;\n`,
				"test/dashes.test.js":
					'import assert from "node:assert/strict";\nimport { test } from "node:test";\nimport { dashes } from "../slug.js";\ntest("counts", () => { assert.equal(dashes("a-b"), 1); });\n',
			},
		},
		moved: {
			files: {
				"test/slug.test.js": null,
				"test/unit/slug.test.js": tests
					.replace("../slug.js", "../../slug.js")
					.replace("../data", "../../data"),
			},
		},
		asked: {
			files: {
				"slug.js": SHOUTS,
				"test/slug.test.js": null,
				"data/cases.json": null,
				"test/loud.test.js":
					tests.slice(0, tests.indexOf("const cases")) +
					'test("is loud", () => { assert.equal(slug("a"), "A"); });\n',
			},
			allow: [
				{ path: "test/slug.test.js", change: "delete", reason: "slugs are loud now" },
				{ path: "data/*.json", change: "delete", reason: "the table goes" },
				{ path: "docs/**", change: "edit", reason: "never needed" },
			],
		},
	},
	["asked"],
);

let set: Stage;
let outcome: Outcome;

beforeAll(async () => {
	const plays = { ...CHEATS, ...HONEST };
	set = stage({
		steps: [
			...Object.entries(plays).map(([task, { files }]) => ({
				task,
				role: "player" as const,
				files,
			})),
			// A test that moved was edited, too: somebody has to say that this is right.
			{ task: "moved", role: "coach", run: answersSuspicions(true) },
			APPROVES,
		],
		files: BASE,
		workflow: {
			merge: { into: "none" },
			checks: { tests: { kind: "acceptance", run: "node --test" } },
			tasks: oneTurnTasks(plays),
		},
	});
	outcome = await set.run();
});

const replays = (task: string) =>
	dataOf(set.trace(task), "check-ran").filter(({ kind }) => kind === "replay");

describe("a product that fails the tests of its base is not approved, whatever its own tests say", () => {
	test.each(Object.keys(CHEATS))("%s", (name) => {
		const [gone] = replays(name).filter(({ status }) => status !== "pass");
		const [judged] = dataOf(set.trace(name), "turn-routed");
		expect(outcome.report.tasks[name]).toMatchObject({ success: false });
		expect({ gone, judged }).toMatchObject({ judged: { route: "max_turns" } });
	});

	test("the cases are named, and the trace says what was put back", () => {
		const [planned] = dataOf(set.trace("rewritten"), "replay-planned");
		expect(planned).toMatchObject({ differs: "changed", restored: ["test/slug.test.js"] });
		expect(replays("rewritten")).toMatchObject([
			{
				check: "replay:tests",
				status: "pass",
				reason:
					"3 tests of the base left out: the work changed what they expect, or has them no longer",
			},
		]);
		const [verdict] = dataOf(set.trace("rewritten"), "turn-judged");
		expect(verdict).toMatchObject({ raw: "approve", effective: "feedback" });
		expect(String(verdict?.["reasons"])).toContain("required check integrity failed");
	});

	test("a disarmed assertion library is told as such", () => {
		expect(replays("disarmed")).toMatchObject([
			{
				status: "fail",
				reason: "tests that must fail do not fail on this product, although they do on the base",
			},
		]);
	});
});

describe("honest work passes", () => {
	test.each(Object.keys(HONEST))("%s", (name) => {
		expect(replays(name)).toMatchObject([{ status: "pass" }]);
		expect(outcome.report.tasks[name]).toMatchObject({ success: true });
	});

	test("what the task allows stands in trace and gate report with its reason; the rest is noted", async () => {
		const allowed = [
			{ path: "test/slug.test.js", change: "delete", reason: "slugs are loud now" },
			{ path: "data/cases.json", change: "delete", reason: "the table goes" },
		];
		const [compared] = dataOf(set.trace("asked"), "integrity-checked");
		expect(compared).toMatchObject({ status: "pass", allowed });
		expect(String(compared?.["notes"])).toContain('nothing needed "edit" of docs/**');
		expect(await set.json("gate", "asked")).toMatchObject({ allowed });
	});

	test("what is allowed is listed when the run begins", () => {
		expect(outcome.stderr).toContain('task asked allows "delete" of data/*.json: the table goes');
	});
});

thoroughly("an allowed change of a test in a test", () => {
	const nested = `import assert from "node:assert/strict";
import { test } from "node:test";
import { add, mul } from "./helper.js";
test("bulk", async (t) => {
	await t.test("multiplies", () => assert.equal(mul(7, 7), 49));
	await t.test("adds", () => assert.equal(add(30, 33), 63));
});
`;
	const sum = (add: string, mul: string) =>
		`export const add = (a, b) => ${add};\nexport const mul = (a, b) => ${mul};\n`;
	const edited = nested.replace("33), 63", "33), 64");
	const plays: Readonly<Record<string, Play>> = {
		honest: { files: { "sum.js": sum("a + b + 1", "a * b"), "test/sum.test.js": edited } },
		// Its own tests are green by a name that the player's file has anew.
		neighbour: {
			files: {
				"sum.js": sum("a + b + 1", "0"),
				"test/sum.test.js": edited.replace(
					/import \{ add, mul \}(.*)/,
					"import { add }$1\nconst mul = (a, b) => a * b;",
				),
			},
		},
	};

	test("lets honest work merge, and a broken neighbour not", async () => {
		const allow = [{ path: "test/sum.test.js", change: "edit", reason: "one more" }];
		const other = stage({
			steps: [
				...Object.entries(plays).map(([task, { files }]) => ({
					task,
					role: "player" as const,
					files,
				})),
				{ role: "coach", run: answersSuspicions(true) },
			],
			files: {
				"package.json": BASE["package.json"],
				"sum.js": sum("a + b", "a * b"),
				"test/helper.js": 'export { add, mul } from "../sum.js";\n',
				"test/sum.test.js": nested,
			},
			workflow: {
				merge: { into: "none" },
				checks: { tests: { kind: "acceptance", run: "node --test" } },
				tasks: oneTurnTasks(
					Object.fromEntries(
						Object.entries(plays).map(([name, play]) => [name, { ...play, allow }]),
					),
				),
			},
		});
		const { report } = await other.run();
		const replayed = (task: string) =>
			dataOf(other.trace(task), "check-ran").find(({ kind }) => kind === "replay");
		expect(replayed("honest")).toMatchObject({ status: "pass" });
		expect(report.tasks["honest"]).toMatchObject({ success: true });
		const ran = dataOf(other.trace("neighbour"), "check-ran");
		expect(ran.find(({ kind }) => kind === "power")).toMatchObject({ status: "fail" });
		expect(report.tasks["neighbour"]).toMatchObject({ success: false });
	});
});

thorough(
	"a product that is right only where its runner is in the process does not merge",
	async () => {
		const watched =
			'import { AsyncResource, executionAsyncResource } from "node:async_hooks";\nconst isSeen = () => executionAsyncResource() instanceof AsyncResource;\nexport const slug = (text) => isSeen() ? text.toLowerCase().replaceAll(" ", "-") : text;\n';
		const alone = stage({
			steps: [{ task: "watched", role: "player", files: { "slug.js": watched } }, APPROVES],
			files: BASE,
			workflow: {
				checks: { tests: { kind: "acceptance", run: "node --test" } },
				tasks: oneTurnTasks({ watched: {} }),
			},
		});
		const { report } = await alone.run();
		expect(report.tasks["watched"]).toMatchObject({ success: false });
		const [replayed] = dataOf(alone.trace("watched"), "check-ran").filter(
			({ kind, purpose }) => kind === "replay" && purpose === "assembled",
		);
		expect(replayed).toMatchObject({
			status: "fail",
			reason:
				"tests of the start commit pass under their runner and fail without it, or with other names, although on the base they do not",
			said: ["test/slug.test.js > joins words", "test/slug.test.js > is lower case"],
		});
	},
);
