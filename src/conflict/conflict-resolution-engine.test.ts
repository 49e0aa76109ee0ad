import { EventEmitter } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, expect, test } from "vitest";
import type { Script } from "../../test/model-server/exchange.ts";
import { amount } from "../../test/support/amount.ts";
import { noMasker } from "../masking/masking.ts";
import type { ConflictEvent, ConflictRecord } from "./conflict.ts";
import {
	CONFLICT_ESCALATION,
	ConflictResolutionEngine,
	type ConflictResolutionOptions,
	ResolutionInterrupted,
} from "./conflict-resolution-engine.ts";
import {
	conflictEvent,
	openBench,
	type ScriptedTieBreaker,
	scriptedTieBreaker,
	type TestBench,
} from "./test-bench.fixture.ts";
import type { TieBreak, TieBreaker } from "./tie-breaker.ts";

const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const AT = "2026-11-21T22:05:09.000Z";
const MAXIMUM = "Maximum auto-resolution attempts reached; user intervention required.";
const SECRET = "planted-3141592653";
const masker = {
	mask: (text: string) => text.replaceAll(SECRET, "[MASKED:env:1234]"),
	longest: SECRET.length,
};

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
	for (const each of opened.splice(0).reverse()) await each.close();
});

function makeDirectory(): string {
	const directory = mkdtempSync(join(tmpdir(), "spar-conflict-"));
	opened.push({ close: async () => rmSync(directory, { recursive: true }) });
	return directory;
}

/** A database of its own; most tests need none. */
async function openDatabase(): Promise<TestBench> {
	const bench = await openBench(join(makeDirectory(), "sparring.db"));
	opened.push(bench);
	return bench;
}

async function openModel(script: Script): Promise<ScriptedTieBreaker> {
	const model = await scriptedTieBreaker(makeDirectory(), script);
	opened.push(model);
	return model;
}

const pass = (rationale = "line 4 refuses it"): TieBreak => ({
	kind: "verdict",
	verdict: "PASS",
	rationale,
});
const fail: TieBreak = { kind: "verdict", verdict: "FAIL", rationale: "no test shows it" };

/** An engine without a database: what it asked, kept and told, in this order. */
function alone(
	answers: readonly (TieBreak | Error)[],
	over: Partial<ConflictResolutionOptions> = {},
): {
	readonly engine: ConflictResolutionEngine;
	readonly log: readonly string[];
	readonly asked: readonly Parameters<TieBreaker["ask"]>[0][];
	readonly kept: readonly ConflictRecord[];
} {
	const log: string[] = [];
	const asked: Parameters<TieBreaker["ask"]>[0][] = [];
	const kept: ConflictRecord[] = [];
	const engine = new ConflictResolutionEngine({
		tieBreaker: {
			ask: async (question) => {
				log.push(`ask ${question.order}`);
				asked.push(question);
				const answer = answers[asked.length - 1] ?? new Error("asked too often");
				if (answer instanceof Error) throw answer;
				return answer;
			},
		},
		records: {
			keep: async (record) => {
				log.push("keep");
				kept.push(record);
			},
		},
		events: { emit: (type) => log.push(type) },
		masker,
		clock: { now: () => Date.parse(AT) },
		...over,
	});
	return { engine, log, asked, kept };
}

const ASKED = ["ask developer_first", "ask reviewer_first"];

test("should detect a conflict when Reviewer rejects and Developer disagrees", () => {
	const { engine } = alone([]);
	const { conflictId: _, attemptCount: __, ...sides } = conflictEvent();
	const found = engine.detectConflict(sides);
	expect(found).toMatchObject({ conflictDetected: true });
	expect(found.conflictDetected && found.conflictId).toMatch(UUID_V4);
	expect(engine.detectConflict(sides)).not.toEqual(found);
});

test("should not detect a conflict when both agents agree", () => {
	const { engine, log } = alone([]);
	for (const verdict of ["PASS", "FAIL"] as const) {
		const sides = { developerVerdict: verdict, reviewerVerdict: verdict };
		expect(engine.detectConflict(conflictEvent(sides))).toEqual({ conflictDetected: false });
	}
	expect(log).toEqual([]);
});

test("should auto-resolve a conflict via tie-breaker model when attempt count is 1", async () => {
	const bench = await openDatabase();
	const model = await openModel(() => ({
		kind: "structured",
		value: { verdict: "PASS", rationale: `it holds ${SECRET}` },
	}));
	const engine = new ConflictResolutionEngine({ ...bench.options, tieBreaker: model, masker });
	const event = conflictEvent({ developerOutput: `key ${SECRET}` });
	expect(await engine.resolve(event)).toEqual({
		resolution: "AUTO",
		tieBreakerDecision: "PASS",
		rationale: "it holds [MASKED:env:1234]",
		resolvedAt: AT,
	});
	const [first = "", second = ""] = model.prompts();
	expect(model.prompts()).toHaveLength(2);
	expect(first.indexOf("## Developer")).toBeLessThan(first.indexOf("## Reviewer"));
	expect(second.indexOf("## Developer")).toBeGreaterThan(second.indexOf("## Reviewer"));
	for (const prompt of [first, second]) {
		expect(prompt).toContain("key [MASKED:env:1234]");
		expect(prompt).not.toContain(SECRET);
	}
	expect(await bench.rows()).toMatchObject([{ resolution: "AUTO", tie_breaker_decision: "PASS" }]);
});

test("should escalate to user when attempt count reaches threshold (3)", async () => {
	const { engine, log } = alone([pass(), pass()]);
	for (const attemptCount of [3, 4, 1_000]) {
		const resolution = await engine.resolve(conflictEvent({ attemptCount }));
		expect(resolution).toEqual({
			resolution: "ESCALATE",
			escalationReason: MAXIMUM,
			resolvedAt: AT,
		});
	}
	expect(log.filter((entry) => entry.startsWith("ask"))).toEqual([]);
	expect(log.slice(0, 2)).toEqual(["keep", CONFLICT_ESCALATION]);
});

test("should persist the conflict record to SQLite before returning", async () => {
	const bench = await openDatabase();
	const { promise: allowed, resolve: letKeep } = Promise.withResolvers<void>();
	const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
	const { engine, log } = alone([pass(), pass()], {
		records: {
			keep: async (record) => {
				reach();
				await allowed;
				await bench.options.records.keep(record);
			},
		},
	});
	const pending = engine.resolve(conflictEvent()).then(() => bench.rows());
	await reached;
	expect(await bench.rows()).toEqual([]);
	letKeep();
	expect(await pending).toHaveLength(1);
	expect(log).toEqual(ASKED);
	const [insert = ""] = bench.statements().filter((sql) => sql.includes("INTO conflicts "));
	for (const column of ["conflict_id", "thread_id", "developer_verdict", "reviewer_verdict"])
		expect(insert).toMatch(new RegExp(`^INSERT INTO conflicts \\(.*\\b${column}\\b`));
	expect(insert).toMatch(/\bresolution\b.*\bresolved_at\b/);
	expect(await bench.rows()).toEqual([
		{
			conflict_id: conflictEvent().conflictId,
			thread_id: "thread-1",
			task_id: "limiter",
			developer_verdict: "PASS",
			reviewer_verdict: "FAIL",
			resolution: "AUTO",
			tie_breaker_decision: "PASS",
			rationale: "line 4 refuses it",
			escalation_reason: null,
			attempt_count: 1,
			resolved_at: AT,
		},
	]);
});

test("what the tie-breaker says both times is the decision, in the second attempt too", async () => {
	const { engine, log, kept } = alone([fail, fail]);
	expect(await engine.resolve(conflictEvent({ attemptCount: 2 }))).toMatchObject({
		resolution: "AUTO",
		tieBreakerDecision: "FAIL",
		rationale: "no test shows it",
	});
	expect(log).toEqual([...ASKED, "keep"]);
	expect(kept).toMatchObject([{ attemptCount: 2, escalationReason: null }]);
});

test("answers that change with the order of the sides are for a person, with both in the reason", async () => {
	const { engine, log, kept } = alone([pass(`see ${SECRET}`), fail]);
	const { escalationReason } = await engine.resolve(conflictEvent());
	expect(escalationReason).toBe(
		"The tie-breaker contradicted itself when the sides were swapped: first PASS (see [MASKED:env:1234]), then FAIL (no test shows it)",
	);
	expect(log).toEqual([...ASKED, "keep", CONFLICT_ESCALATION]);
	expect(kept).toMatchObject([{ tieBreakerDecision: null, rationale: null, escalationReason }]);
});

const broken: TieBreak = { kind: "failed", reason: `no answer\nfor ${SECRET}` };

test.each<[string, readonly (TieBreak | Error)[], number, string]>([
	["a first failure", [broken], 1, "gave no verdict: no answer for [MASKED:env:1234]"],
	["a second failure", [pass(), broken], 2, "gave no verdict: no answer for"],
	["an error", [new Error(`bug at ${SECRET}`)], 1, "could not be asked: bug at [MASKED:env:1234]"],
	["a late error", [fail, new TypeError("x")], 2, "The tie-breaker could not be asked: x"],
])("%s is for a person, and is not asked about further", async (_name, answers, calls, reason) => {
	const { engine, log, kept } = alone(answers);
	const resolution = await engine.resolve(conflictEvent());
	expect(resolution.resolution).toBe("ESCALATE");
	expect(resolution.escalationReason).toContain(reason);
	expect(log).toEqual([...ASKED.slice(0, calls), "keep", CONFLICT_ESCALATION]);
	expect(kept).toHaveLength(1);
});

test("something thrown that is not an Error is told as it is", async () => {
	const tieBreaker: TieBreaker = { ask: () => Promise.reject("just words") };
	const { engine } = alone([], { tieBreaker });
	expect((await engine.resolve(conflictEvent())).escalationReason).toMatch(/: just words$/);
});

test.each([
	["an error status", { kind: "error", status: 400, message: "bad key" }],
	["no verdict", { kind: "structured", value: { verdict: "MAYBE", rationale: "x" } }],
	["prose", { kind: "text", text: "PASS, since the reviewer is wrong" }],
	["a broken connection", { kind: "cut" }],
] as const)("a model that answers with %s is for a person", async (_name, step) => {
	const bench = await openDatabase();
	const model = await openModel(() => step);
	const engine = new ConflictResolutionEngine({ ...bench.options, tieBreaker: model });
	const { resolution, escalationReason } = await engine.resolve(conflictEvent());
	expect(resolution).toBe("ESCALATE");
	expect(escalationReason).toMatch(/^The tie-breaker gave no verdict: ./);
	expect(model.prompts()).toHaveLength(1);
	expect(await bench.rows()).toMatchObject([{ resolution: "ESCALATE" }]);
});

test("a model that prefers whatever comes first decides nothing", async () => {
	const bench = await openDatabase();
	const model = await openModel(({ prompt }) => {
		const isFirst = prompt.indexOf("## Developer") < prompt.indexOf("## Reviewer");
		const value = { verdict: isFirst ? "PASS" : "FAIL", rationale: "the first is right" };
		return { kind: "structured", value };
	});
	const engine = new ConflictResolutionEngine({ ...bench.options, tieBreaker: model });
	const { escalationReason } = await engine.resolve(conflictEvent());
	expect(escalationReason).toContain("contradicted itself when the sides were swapped");
});

test("an interruption passes through, and nothing is kept or told", async () => {
	const cause = new Error("the run was cancelled");
	for (const answers of [
		[new ResolutionInterrupted(cause)],
		[pass(), new ResolutionInterrupted(cause)],
	]) {
		const { engine, log } = alone(answers);
		await expect(engine.resolve(conflictEvent())).rejects.toMatchObject({
			name: "ResolutionInterrupted",
			cause,
		});
		expect(log).toEqual(ASKED.slice(0, answers.length));
	}
});

test("a record that cannot be kept decides nothing and tells nobody", async () => {
	const records = { keep: () => Promise.reject(new Error("disk full")) };
	for (const event of [conflictEvent(), conflictEvent({ attemptCount: 3 })]) {
		const { engine, log } = alone([pass(), pass()], { records });
		await expect(engine.resolve(event)).rejects.toThrow("disk full");
		expect(log).not.toContain(CONFLICT_ESCALATION);
	}
});

test("a listener that throws undoes nothing", async () => {
	const bench = await openDatabase();
	const bus = new EventEmitter();
	bus.on(CONFLICT_ESCALATION, () => {
		throw new Error("listener");
	});
	const engine = new ConflictResolutionEngine({ ...bench.options, events: bus });
	expect(await engine.resolve(conflictEvent({ attemptCount: 3 }))).toMatchObject({
		resolution: "ESCALATE",
		escalationReason: MAXIMUM,
	});
	expect(await bench.rows()).toHaveLength(1);
});

test("the event tells the conflict, the task and the reason", async () => {
	const bus = new EventEmitter();
	const heard: unknown[] = [];
	bus.on(CONFLICT_ESCALATION, (...told: readonly unknown[]) => heard.push(told));
	const { engine } = alone([], { events: bus });
	const { conflictId, taskId } = conflictEvent();
	await engine.resolve(conflictEvent({ attemptCount: 3 }));
	expect(heard).toEqual([[{ conflictId, taskId, escalationReason: MAXIMUM }]]);
});

test.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])(
	"attempt %s is refused",
	async (attemptCount) => {
		const { engine, log } = alone([pass(), pass()]);
		await expect(engine.resolve(conflictEvent({ attemptCount }))).rejects.toMatchObject({
			code: "usage",
		});
		expect(log).toEqual([]);
	},
);

test("two sides that agree are refused", async () => {
	const { engine, log } = alone([pass(), pass()]);
	const event = conflictEvent({ developerVerdict: "FAIL" });
	await expect(engine.resolve(event)).rejects.toThrow("is not a conflict: both sides say FAIL");
	expect(log).toEqual([]);
});

test("whatever is answered, there is one record, and it says what was returned", async () => {
	const verdict = fc.record({
		kind: fc.constant("verdict" as const),
		verdict: fc.constantFrom("PASS" as const, "FAIL" as const),
		rationale: fc.string({ minLength: 1 }),
	});
	const failed = fc.record({ kind: fc.constant("failed" as const), reason: fc.string() });
	const thrown = fc.string().map((message) => new Error(message));
	const answers = fc.array(fc.oneof(verdict, failed, thrown), { minLength: 2, maxLength: 2 });
	await fc.assert(
		fc.asyncProperty(answers, fc.integer({ min: 1, max: 5 }), async (said, attemptCount) => {
			const { engine, kept, log } = alone(said, { masker: noMasker });
			const event: ConflictEvent = conflictEvent({ attemptCount });
			const { resolvedAt, ...result } = await engine.resolve(event);
			expect(kept).toHaveLength(1);
			const [record] = kept;
			expect(resolvedAt).toBe(record?.resolvedAt);
			expect(result).toEqual(
				record?.resolution === "AUTO"
					? {
							resolution: "AUTO",
							tieBreakerDecision: record.tieBreakerDecision,
							rationale: record.rationale,
						}
					: { resolution: "ESCALATE", escalationReason: record?.escalationReason },
			);
			const verdicts = said.map((answer) => ("verdict" in answer ? answer.verdict : null));
			const agree = verdicts[0] !== null && verdicts[0] === verdicts[1];
			expect(result.resolution).toBe(agree && attemptCount < 3 ? "AUTO" : "ESCALATE");
			expect(log.includes(CONFLICT_ESCALATION)).toBe(result.resolution === "ESCALATE");
		}),
		{ numRuns: amount(50) },
	);
});
