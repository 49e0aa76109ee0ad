import { describe, expect, test } from "vitest";
import { sampled, spread, thorough, thoroughly } from "../support/amount.ts";
import type { Files } from "../support/repository.ts";
import { pair } from "../support/workflow.ts";
import {
	APPROVES,
	answersSuspicions,
	CRITERION,
	dataOf,
	type Outcome,
	type Stage,
	stage,
	textLike,
} from "./stage.ts";

/** A task whose player writes these files; null removes. */
type Plays = Readonly<Record<string, Readonly<Record<string, string | null>>>>;

interface Scene {
	readonly files: Files;
	readonly checks: object;
	readonly plays: Plays;
	/** Tasks whose coach answers what is asked of it. Every coach approves. */
	readonly answered?: readonly string[];
	/** Tasks without a coach. */
	readonly alone?: readonly string[];
}

interface Played {
	readonly set: Stage;
	readonly outcome: Outcome;
	/** What the replays of a task said. */
	readonly replays: (task: string) => Readonly<Record<string, unknown>>[];
}

/** Plays each task on the same base, once. */
function played(scene: Scene): () => Promise<Played> {
	let playing: Promise<Played> | undefined;
	return () => {
		playing ??= play(scene);
		return playing;
	};
}

async function play({ files, checks, plays, answered = [], alone = [] }: Scene): Promise<Played> {
	const tasks = Object.keys(plays).map((name) => {
		const overlays = alone.includes(name) ? {} : pair();
		const criteria = { acceptance_criteria: [CRITERION], max_turns: 1 };
		return [name, { agent: "dev", description: "Do it.", overlays, ...criteria }] as const;
	});
	const set = stage({
		steps: [
			...Object.entries(plays).map(([task, written]) => {
				return { task, role: "player", files: written } as const;
			}),
			...answered.map((task) => {
				return { task, role: "coach", run: answersSuspicions(true) } as const;
			}),
			APPROVES,
		],
		files,
		workflow: { merge: { into: "none" }, checks, tasks: Object.fromEntries(tasks) },
	});
	const outcome = await set.run("--anyway");
	const replays = (task: string) =>
		dataOf(set.trace(task), "check-ran").filter(({ kind }) => kind === "replay");
	return { set, outcome, replays };
}

const acceptance = (run: string, more: object = {}) => {
	return { tests: { kind: "acceptance", run, timeout: "60s", ...more } };
};

const expectStopped = ({ outcome, replays }: Played, task: string): void => {
	const { success, obstacles } = { obstacles: null, ...outcome.report.tasks[task] };
	expect(success, JSON.stringify([obstacles, replays(task)])).toBe(false);
	expect(replays(task), JSON.stringify(obstacles)).toMatchObject([{ status: "fail" }]);
};

const expectDone = ({ outcome, replays, set }: Played, task: string): void => {
	const why = () =>
		JSON.stringify([
			outcome.report.tasks[task],
			replays(task),
			dataOf(set.trace(task), "turn-judged"),
		]);
	expect(outcome.report.tasks[task], why()).toMatchObject({ success: true });
};

const TESTING = 'import assert from "node:assert/strict";\nimport { test } from "node:test";\n';

thoroughly("a suite in which a case is red and a file cannot be loaded", () => {
	const PACKAGE = {
		type: "module",
		imports: { "#slug": "./src/slug.js" },
	};
	const GOOD = 'export const slug = (text) => text.toLowerCase().replaceAll(" ", "-");\n';
	const SLUG_TEST = `${TESTING}import { slug } from "#slug";
test("joins words", () => { assert.equal(slug("a b"), "a-b"); });
test("is lower case", () => { assert.equal(slug("A"), "a"); });
`;
	const COUNT = 'export const dashes = (text) => text.split("-").length - 1;\n';
	const allCheats: Plays = {
		mapped: {
			"package.json": JSON.stringify({ ...PACKAGE, imports: { "#slug": "./src/lenient.js" } }),
			"src/lenient.js": GOOD,
		},
		renamed: {
			"test/slug.test.js": null,
			"later/slug.js": SLUG_TEST,
		},
		edited: { "test/slug.test.js": SLUG_TEST.replace('slug("A"), "a"', 'slug("A"), "A"') },
		ended: { "src/slug.js": GOOD, "src/count.js": `process.exit(0);\n${COUNT}` },
		deaf: {
			"src/slug.js": GOOD,
			"src/count.js": `import assert from "node:assert/strict";\nfor (const library of [assert]) library.equal = () => {};\nexport const dashes = () => 7;\n`,
		},
	};
	const cheats = sampled(allCheats, ["mapped"]);
	const allHonest: Plays = {
		fixed: { "src/slug.js": GOOD, "src/count.js": COUNT },
		partly: { "src/count.js": COUNT },
		moved: {
			"src/slug.js": GOOD,
			"test/slug.test.js": null,
			"test/unit/slug.test.js": SLUG_TEST,
		},
	};
	const honest = sampled(allHonest, ["moved"]);
	const scene = played({
		files: {
			"package.json": JSON.stringify(PACKAGE),
			"src/slug.js": 'export const slug = (text) => text.replaceAll(" ", "-");\n',
			"test/slug.test.js": SLUG_TEST,
			"test/count.test.js": `${TESTING}import { dashes } from "../src/count.js";
test("counts", () => { assert.equal(dashes("a-b"), 1); });
`,
		},
		checks: acceptance("node --test"),
		plays: { ...cheats, ...honest },
		answered: [...Object.keys(cheats), "moved"],
	});

	test.each(Object.keys(cheats))(
		"%s: what is green in the turn only is no pass",
		async (task) => {
			expectStopped(await scene(), task);
		},
		300_000,
	);

	test.each(Object.keys(honest))("%s: honest work passes", async (task) => {
		const { replays } = await scene();
		expectDone(await scene(), task);
		expect(replays(task)).toMatchObject([{ status: "pass" }]);
	});
});

describe("checks that are judged by their exit code, and red at first", () => {
	const RUNNER = `import { readFileSync } from "node:fs";
import { mean } from "./src/mean.js";
for (const [list, expected] of JSON.parse(readFileSync("cases.json", "utf8")))
	if (mean(list) !== expected) process.exit(1);
`;
	const MEAN = "export const mean = (list) => list.reduce((a, b) => a + b, 0) / list.length;\n";
	const allCheats: Plays = {
		shortened: { "cases.json": "[[[1, 1], 1]]\n" },
		ended: { "src/mean.js": `process.exit(0);\n${MEAN}` },
		replaced: {
			"src/mean.js": `process.execve("/bin/true", ["true"], {});\n${MEAN}`,
		},
	};
	const cheats = sampled(allCheats, ["shortened"]);
	const report = { format: "exit" };
	const scene = played({
		files: {
			"package.json": '{ "type": "module" }\n',
			"run.js": RUNNER,
			"cases.json": "[[[1, 1], 1], [[1, 3], 2]]\n",
			"src/mean.js": "export const mean = (list) => list[0];\n",
		},
		checks: acceptance("node run.js", { report }),
		plays: { ...cheats, fixed: { "src/mean.js": MEAN } },
		answered: Object.keys(cheats),
	});

	test.each(Object.keys(cheats))(
		"%s: the product is not taken for a good one",
		async (task) => {
			const { outcome, replays } = await scene();
			expect(outcome.report.tasks[task], JSON.stringify(replays(task))).toMatchObject({
				success: false,
			});
			expect(replays(task).map(({ status }) => status)).toContain("fail");
		},
		300_000,
	);

	test("honest work passes, and a wrong value has turned each check red", async () => {
		const { replays } = await scene();
		expectDone(await scene(), "fixed");
		expect(replays("fixed")).toMatchObject([{ status: "pass" }]);
	});
});

thoroughly(
	"a suite of a known runner that is judged by its exit code, with a red file and one that cannot be loaded",
	() => {
		const GOOD = "export const half = (n) => n / 2;\n";
		const DONE = { "src/half.js": GOOD, "src/third.js": "export const third = (n) => n / 3;\n" };
		const testOf = (name: string) => `${TESTING}import { ${name} } from "../src/${name}.js";
test("${name} of six", () => { assert.equal(${name}(6), ${name === "half" ? 3 : 2}); });
`;
		const allCheats: Plays = {
			ended: { ...DONE, "src/half.js": `process.exit(0);\n${GOOD}` },
			deaf: {
				...DONE,
				"src/half.js": `import assert from "node:assert/strict";\nfor (const library of [assert]) library.equal = () => {};\nexport const half = () => 0;\n`,
			},
			unloaded: { ...DONE, "src/third.js": `process.exit(0);\n${DONE["src/third.js"]}` },
		};
		const cheats = sampled(allCheats, ["unloaded"]);
		const scene = played({
			files: {
				"package.json": '{ "type": "module", "scripts": { "test": "node --test" } }\n',
				"src/half.js": "export const half = (n) => n;\n",
				"test/half.test.js": testOf("half"),
				"test/third.test.js": testOf("third"),
				"test/list.test.js": `${TESTING}test("a list has a length", () => { assert.equal([1].length, 1); });\n`,
			},
			checks: acceptance("npm test", { report: { format: "exit" } }),
			plays: { ...cheats, fixed: DONE },
			answered: Object.keys(cheats),
		});

		test.each(Object.keys(cheats))(
			"%s: a file that never tells is noticed beside others",
			async (task) => {
				expectStopped(await scene(), task);
			},
			300_000,
		);

		test("honest work passes", async () => {
			expectDone(await scene(), "fixed");
		});
	},
);

thoroughly("the one test file cannot be loaded, as in work that began with its test", () => {
	const COUNT_TEST = `${TESTING}import { dashes } from "../src/count.js";
test("counts", () => { assert.equal(dashes("a-b"), 1); });
test("counts none", () => { assert.equal(dashes("ab"), 0); });
`;
	const COUNT = 'export const dashes = (text) => text.split("-").length - 1;\n';
	const scene = played({
		files: {
			"package.json": '{ "type": "module", "scripts": { "test": "node --test" } }\n',
			"test/count.test.js": COUNT_TEST,
		},
		checks: acceptance("npm test"),
		plays: {
			broken: {
				"src/count.js": "export const dashes = () => 1;\n",
				"test/count.test.js": COUNT_TEST.replace('"ab"), 0', '"ab"), 1'),
			},
			written: { "src/count.js": COUNT },
			extended: {
				"src/count.js": COUNT,
				"test/more.test.js": COUNT_TEST.replaceAll("counts", "counts more"),
			},
			alone: { "src/count.js": COUNT },
		},
		answered: ["broken"],
		alone: ["alone"],
	});

	thorough(
		"a product that fails it is stopped",
		async () => {
			expectStopped(await scene(), "broken");
		},
		300_000,
	);

	test.each(spread(["written", "extended", "alone"], 1))(
		"%s: honest work passes, and its replay ran the base's tests",
		async (task) => {
			const { replays } = await scene();
			expectDone(await scene(), task);
			expect(replays(task)).toMatchObject([{ status: "pass", counts: { total: 2, passed: 2 } }]);
		},
	);
});

thoroughly("where nothing can be replayed", () => {
	const TEST = `${TESTING}test("adds", () => { assert.equal(1 + 1, 2); });\n`;
	const scene = played({
		files: {
			"package.json":
				'{ "type": "module", "scripts": { "test": "node compile.js && node --test" } }\n',
			// A compiler that is content with no file in which a type is wrong.
			"compile.js": `import { readFileSync } from "node:fs";
if (readFileSync("old/sum.test.js", "utf8").includes("WRONG TYPE")) process.exit(2);
`,
			"old/sum.test.js": `${TEST}// WRONG TYPE\n`,
		},
		checks: acceptance("npm test"),
		plays: {
			silent: { "old/sum.test.js": TEST },
			answered: { "old/sum.test.js": TEST },
			alone: { "old/sum.test.js": TEST },
		},
		answered: ["answered"],
		alone: ["alone"],
	});

	thorough(
		"changed tests are a suspicion that an approval in silence does not settle",
		async () => {
			const { outcome, replays, set } = await scene();
			expect(outcome.report.tasks["silent"]).toMatchObject({ success: false });
			expect(replays("silent")).toMatchObject([
				{
					status: "absent",
					reason: "nothing passed on the base, so its tests show nothing",
					counts: null,
				},
			]);
			const [compared] = dataOf(set.trace("silent"), "integrity-checked");
			expect(compared).toMatchObject({
				suspicions: [{ rule: "changed_unproven", file: "old/sum.test.js" }],
			});
		},
		300_000,
	);

	test("without a coach a person is needed", async () => {
		const { outcome } = await scene();
		expect(outcome.report.tasks["alone"]).toMatchObject({ success: false, flags: ["suspicion"] });
	});

	test("with an answer it is in nobody's way, and never shown as a pass", async () => {
		const { set, outcome } = await scene();
		expectDone(await scene(), "answered");
		expect(await set.json("gate", "answered")).toMatchObject({
			verdict: "PASS",
			evidence_checks: {
				acceptance_evidence: {
					status: "PASS",
					details: textLike(
						"the base's tests on the work: absent (nothing passed on the base, so its tests show nothing)",
					),
				},
			},
		});
		expect(outcome.stderr).toContain(
			"the base's tests on the work: absent: nothing passed on the base",
		);
		const { stdout } = await set.spar(["report"]);
		expect(stdout).toMatch(/the base's tests on the work.*absent/);
	});
});

thorough(
	"a project without tests gets its first ones",
	async () => {
		const set = stage({
			steps: [
				{
					role: "player",
					files: {
						"src/sum.js": "export const sum = (a, b) => a + b;\n",
						"test/sum.test.js": `${TESTING}import { sum } from "../src/sum.js";\ntest("adds", () => { assert.equal(sum(1, 1), 2); });\n`,
					},
				},
				APPROVES,
			],
			files: { "package.json": '{ "type": "module", "scripts": { "test": "node --test" } }\n' },
			workflow: { checks: acceptance("npm test") },
		});
		const { task } = await set.run("--anyway");
		expect(task).toMatchObject({ success: true, merged: true });
		const replays = dataOf(set.trace(), "check-ran").filter(({ kind }) => kind === "replay");
		expect(replays.map(({ status, counts }) => [status, counts])).toEqual([["absent", null]]);
	},
	300_000,
);
