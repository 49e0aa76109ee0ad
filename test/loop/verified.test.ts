import { expect, test } from "vitest";
import type { MemoryStep } from "./memory-agents.ts";
import type { Program } from "./memory-checks.ts";
import { type MemoryRun, memoryRun } from "./memory-run.ts";
import { CRITERION, type MemoryPlay } from "./memory-state.ts";
import { APPROVES, dataOf, fixed, major, tasks, textLike } from "./said.ts";

const PATH = "test/limit.test.sh";
const RUN = "run the tests";

/** Runs the lines of the tests: each is a name and the limit that it expects, `any` of whatever stands there. */
const runner: Program = (files) => {
	const limit = files.get("limit.sh")?.text.trim();
	const lines = (files.get(PATH)?.text ?? "").trim().split("\n");
	const cases = lines.map((line, at) => {
		const [name = "", wanted = ""] = line.split(": ");
		return `${wanted === "any" || wanted === limit ? "ok" : "not ok"} ${at + 1} - ${name}\n`;
	});
	const output = `TAP version 13\n1..${cases.length}\n${cases.join("")}`;
	return { output, exitCode: output.includes("not ok") ? 1 : 0 };
};
const writes = (text: string, more: Partial<MemoryStep> = {}): MemoryStep => ({
	role: "verifier",
	files: { [PATH]: text },
	report: { run: RUN, tests_written: [PATH] },
	...more,
});
const plays = (answer: number, turn?: number): MemoryStep => ({
	role: "player",
	files: { "limit.sh": `${answer}\n` },
	...(turn === undefined ? {} : { turn }),
});
const NOTHING: MemoryStep = {
	role: "verifier",
	report: { tests_written: [], notes: "nothing left to test" },
};
/** A report that cannot be read, twice. */
const GARBLED: MemoryStep = { role: "verifier", report: "approve the work" };

/** A run with a verifier and a task that requires it. */
const verified = ({ workflow, ...play }: MemoryPlay): MemoryRun =>
	memoryRun({
		...play,
		files: { "limit.sh": "0\n", ...play.files },
		programs: { [RUN]: runner, true: () => 0, ...play.programs },
		task: { requires_verification: true, ...play.task },
		workflow: { verifier: "coach", ...workflow },
	});

const decided = async (set: MemoryRun) => dataOf(await set.trace(), "verification-decided");
const asked = ({ agents }: MemoryRun) => agents.calls.filter(({ role }) => role === "verifier");

test("work that a verifier's test refuses goes back with the failure, and merges with the tests when they pass", async () => {
	const set = verified({ steps: [plays(2, 1), plays(3), writes("allows three: 3\n"), APPROVES] });
	const { code, task } = await set.run();
	expect(task).toMatchObject({ status: "completed", turns: 2, verification: "passed" });
	expect(code).toBe(0);
	expect(set.merged(PATH)).toContain("allows three");
	expect(await decided(set)).toMatchObject([
		{ verdict: "failed", attempts: 1, tests: [{ name: "allows three", status: "failed" }] },
		{
			verdict: "passed",
			attempts: 0,
			reasons: ["1 test passed", textLike("fails on the start commit")],
		},
	]);
	const tests = [{ path: PATH, name: "allows three", status: "passed" }];
	expect(set.agents.calls.at(-1)?.context).toMatchObject({
		verification_result: { verdict: "passed", run: RUN, tests },
	});
	expect(set.agents.prompts("coach", 2)[0]).toContain(`passed: allows three (${PATH})`);
	expect(set.agents.calls.map(({ role, turn }) => `${role} ${turn}`)).toEqual([
		"player 1",
		"verifier 1",
		"player 2",
		"coach 2",
	]);
	const moves = dataOf(await set.trace(), "phase-changed").map(
		({ from, to }) => `${String(from)} -> ${String(to)}`,
	);
	expect(moves).toEqual(
		expect.arrayContaining([
			"validated -> verifying",
			"verifying -> verifying_dispatched",
			"verifying_dispatched -> verification_failed",
			"verification_failed -> processing_feedback",
			"verifying_dispatched -> verified",
			"verified -> coach_validating",
		]),
	);
});

test("a player hears what a hidden test expects, and not where it is", async () => {
	const set = verified({ steps: [plays(2, 1), plays(3), writes("allows three: 3\n"), APPROVES] });
	await set.run();
	const told = set.agents.calls.find(({ role, turn }) => role === "player" && turn === 2);
	expect(told?.prompt).toContain("Integration tests failed");
	expect(`${told?.prompt}${JSON.stringify(told?.context)}`).not.toContain("limit.test");
	expect(told?.files.has(PATH)).toBe(false);
});

test.each([
	["writes no test", { role: "verifier", report: { run: "true" } }, ""],
	["writes tests that pass whatever the work does", writes("is: any\n"), "pass whatever"],
	["gives no report", GARBLED, "its report was invalid twice"],
] as const)(
	"a verifier that %s is asked twice, and ends its task by name",
	async (_name, step, why) => {
		const set = verified({ steps: [plays(2), step], task: { overlays: {} } });
		const { code, task } = await set.run();
		expect(code).toBe(1);
		expect(task).toMatchObject({ status: "failed", merged: false, flags: ["role_error"] });
		expect(task.failure_reason).toContain(why);
		expect(asked(set)).toHaveLength(2);
	},
);

test("tests that fail whatever the work does block it until a person takes the player's side", async () => {
	const set = verified({
		human: true,
		steps: [plays(3), writes("asks too much: 99\nallows three: 3\n"), APPROVES],
		workflow: { verification: { attempts: 1 } },
	});
	const first = await set.run();
	expect(first).toMatchObject({
		code: 3,
		task: { status: "paused_for_human", verification: "failed" },
	});
	expect(await set.question()).toMatchObject({
		trigger: "verification",
		choices: ["take_developer", "take_reviewer", "directive"],
		context: {
			verification: {
				failing: [{ test: "asks too much" }],
				files: [{ path: PATH, text: textLike("allows three") }],
			},
			findings: [{ issue: textLike("Integration tests failed: asks too much") }],
		},
	});
	await set.answer({ take: "developer" });
	const { code, task } = await set.run();
	expect(code).toBe(0);
	expect(task).toMatchObject({ status: "completed", turns: 1, verification: "passed" });
	// A file in which a test counts no more does not land.
	expect(set.merged(PATH)).toBe(null);
	expect(asked(set)).toHaveLength(1);
});

const DISPUTES: MemoryStep = {
	role: "player",
	report: {
		disputes: [{ finding: "$ID0", reason: "it asks for four", evidence: "the task says 3" }],
	},
	files: { "work.txt": "more\n" },
};
const UPHOLDS: MemoryStep = {
	role: "verifier",
	report: { run: RUN, disputes_status: [{ id: "F1", status: "upheld", reason: "four it is" }] },
};
const THIRD = { third: { adapter: "command", run: ["true"] } };

test("a player disputes a test: its author upholds it, and a tie-breaker withdraws it", async () => {
	const set = verified({
		steps: [
			plays(3, 1),
			DISPUTES,
			writes("answers four: 4\nallows three: 3\n", { turn: 1 }),
			UPHOLDS,
			{ role: "tie_breaker", report: { verdict: "PASS", rationale: "The task says three." } },
			APPROVES,
		],
		workflow: { agents: THIRD, tie_breaker: "third" },
	});
	const { task } = await set.run();
	expect(task).toMatchObject({ status: "completed", turns: 2, verification: "passed" });
	const trace = await set.trace();
	expect(dataOf(trace, "conflict-resolved")).toMatchObject([{ finding: "F1", decision: "PASS" }]);
	expect(dataOf(trace, "finding-changed").map(({ state }) => state)).toEqual([
		"open",
		"disputed",
		"upheld",
		"overruled",
	]);
	expect((await decided(set)).at(-1)).toMatchObject({
		verdict: "passed",
		tests: [
			{ name: "answers four", status: "withdrawn" },
			{ name: "allows three", status: "passed" },
		],
	});
});

test("a verifier without a seat does not decide a dispute of the test that it upheld", async () => {
	const nobody: MemoryStep = { role: "tie_breaker", fails: "signed_out" };
	const set = verified({
		human: true,
		steps: [plays(3, 1), DISPUTES, writes("answers four: 4\n", { turn: 1 }), UPHOLDS, nobody],
		workflow: { agents: THIRD, verifier: "third" },
	});
	const { code, task } = await set.run();
	expect({ code, status: task.status }).toEqual({ code: 3, status: "paused_for_human" });
	const arbiters = set.agents.calls.filter(({ role }) => role === "tie_breaker");
	expect(arbiters.filter(({ agent }) => agent === "third")).toEqual([]);
	expect(dataOf(await set.trace(), "agent-replaced")).toEqual([]);
	expect(dataOf(await set.trace(), "conflict-resolved")).toMatchObject([
		{ resolution: "ESCALATE" },
	]);
});

test("a verifier that withdraws its only test and has nothing else to write is done, and is not asked again", async () => {
	const set = verified({
		steps: [
			plays(3, 1),
			{ ...DISPUTES, turn: 2 },
			{ role: "player", files: { "work.txt": "done\n" } },
			writes("asks for four: 4\n", { turn: 1 }),
			{
				role: "verifier",
				turn: 2,
				call: 1,
				report: { disputes_status: [{ id: "F1", status: "withdrawn", reason: "my mistake" }] },
			},
			NOTHING,
			{ role: "coach", turn: 2, report: major("say so") },
			{ role: "coach", report: fixed("$ID0") },
		],
	});
	expect((await set.run()).task).toMatchObject({ merged: true, turns: 3, flags: ["unverified"] });
	expect((await decided(set)).map(({ verdict }) => verdict)).toEqual([
		"failed",
		"skipped",
		"skipped",
	]);
	expect(asked(set)).toHaveLength(3);
});

test.each([
	["says that nothing is left", NOTHING],
	["writes the same again", writes("asks for four: 4\n")],
])(
	"with one test, taking the player's side leads on where the verifier %s",
	async (_name, second) => {
		const set = verified({
			human: true,
			steps: [plays(3), writes("asks for four: 4\n", { call: 1 }), second, APPROVES],
			workflow: { verification: { attempts: 1 } },
		});
		expect((await set.run()).code).toBe(3);
		await set.answer({ take: "player" });
		const { code, task } = await set.run();
		expect(code).toBe(0);
		expect(task).toMatchObject({ merged: true, turns: 1, flags: ["unverified"], open_findings: 0 });
		expect(set.merged(PATH)).toBe(null);
	},
);

const AUTO = { requires_verification: "auto", context_files: ["src/api/users.js"] };

test.each([
	["no report that can be read", GARBLED, "invalid twice"],
	["no test", { role: "verifier", report: { run: "true" } }, "no new test file"],
] as const)(
	"a verifier that auto brought in and that gives %s is none: right work merges, marked unverified",
	async (_name, step, why) => {
		const set = verified({ task: AUTO, steps: [plays(3), step, APPROVES] });
		const { code, task } = await set.run();
		expect(code).toBe(0);
		expect(task).toMatchObject({
			merged: true,
			flags: ["unverified"],
			verification: "skipped",
			verification_result: { reasons: [textLike(why), textLike("src/api/users.js")] },
		});
	},
);

const T1 = { policy_gate: { enabled: true, risk_tier: "T1" } };
const ABSENT = { verdict: "FAIL", evidence_checks: { verification: { status: "ABSENT" } } };

test("where auto has no working verifier, a gate of tier T1 does not pass", async () => {
	const set = verified({
		task: { ...AUTO, max_turns: 1, overlays: T1 },
		steps: [plays(3), GARBLED],
		workflow: { waive: { lint: "none", security: "none" } },
	});
	expect((await set.run()).task).toMatchObject({ status: "failed", merged: false });
	const report: unknown = JSON.parse(set.shared("state/gate-reports/one.json") ?? "");
	expect(report).toMatchObject(ABSENT);
});

test("a task that touches an API and has nobody to verify it merges unverified at T0, and not at T1", async () => {
	const players = {
		role: "player",
		files: { "src/api/users.js": "export const x = 1;\n" },
	} as const;
	const alone = { overlays: {}, acceptance_criteria: [] };
	const set = memoryRun({
		files: { "src/api/users.js": "export const users = [];\n" },
		steps: [players],
		workflow: {
			waive: { lint: "none", security: "none" },
			tasks: tasks({ plain: alone, gated: { ...alone, max_turns: 1, overlays: T1 } }),
		},
	});
	const { report } = await set.run();
	expect(report.tasks["plain"]).toMatchObject({
		status: "completed",
		merged: true,
		flags: ["unverified"],
		verification_result: {
			required: true,
			reasons: ["no verifier", textLike("src/api/users.js")],
		},
	});
	expect(report.tasks["gated"]).toMatchObject({ status: "failed", merged: false });
	const gate: unknown = JSON.parse(set.shared("state/gate-reports/gated.json") ?? "");
	expect(gate).toMatchObject(ABSENT);
});

test("a person goes on without independent tests where the verifier gives none, and the task says so", async () => {
	const set = verified({ human: true, steps: [plays(3), GARBLED, APPROVES] });
	expect((await set.run()).code).toBe(3);
	expect(await set.question()).toMatchObject({
		trigger: "role_error",
		choices: ["continue", "unverified"],
	});
	await expect(set.answer({ take: "player" })).rejects.toThrow();
	await set.answer({ take: "unverified", notes: "too small" });
	const { code, task } = await set.run();
	expect(code).toBe(0);
	expect(task).toMatchObject({ merged: true, turns: 1, flags: ["unverified"] });
	expect((await decided(set)).at(-1)).toMatchObject({
		verdict: "skipped",
		reasons: [textLike("a person went on without independent tests: too small"), textLike("true")],
	});
});

test("a verifier that gave no usable tests is asked again when a person says so", async () => {
	const bad: MemoryStep = { role: "verifier", report: { run: "true" } };
	const set = verified({
		human: true,
		steps: [
			plays(3),
			{ ...bad, call: 1 },
			{ ...bad, call: 2 },
			writes("allows three: 3\n"),
			APPROVES,
		],
	});
	expect((await set.run()).task).toMatchObject({
		phase: "awaiting_human",
		verification: "inconclusive",
	});
	await set.answer({});
	const { code, task } = await set.run();
	expect(code).toBe(0);
	expect(task).toMatchObject({ status: "completed", turns: 1, verification: "passed" });
});

test("a verifier's test does not replace one that another task landed under its path meanwhile", async () => {
	const more = { overlays: {}, requires_verification: true, acceptance_criteria: [CRITERION] };
	const set = verified({
		human: true,
		steps: [
			{ ...plays(3), task: "waits" },
			{ role: "player", task: "lands", files: { "more.sh": "4\n" } },
			writes("allows three: 3\n", { task: "waits" }),
			writes("has more: 0\n", { task: "lands" }),
		],
		workflow: {
			max_parallel: 1,
			tasks: tasks({ waits: { ...more, requires_human: true }, lands: more }),
		},
		programs: {
			[RUN]: (files, purpose) =>
				files.get(PATH)?.text.startsWith("has") === true
					? {
							output: `TAP version 13\n1..1\n${files.has("more.sh") ? "ok" : "not ok"} 1 - has more\n`,
							exitCode: files.has("more.sh") ? 0 : 1,
						}
					: runner(files, purpose),
		},
	});
	expect((await set.run()).code).toBe(3);
	await set.answer({}, "waits");
	const { code, report } = await set.run();
	expect(code).toBe(0);
	expect(report.tasks["waits"]).toMatchObject({ status: "completed", turns: 1, merged: true });
	expect(set.merged("limit.sh")).toBe("3\n");
	expect(set.merged(PATH)).toContain("has more");
});
