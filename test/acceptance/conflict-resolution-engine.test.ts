import { EventEmitter } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
	CONFLICT_ESCALATION,
	ConflictResolutionEngine,
} from "../../src/conflict/conflict-resolution-engine.ts";
import {
	conflictEvent,
	openBench,
	scriptedTieBreaker,
	type TestBench,
} from "../../src/conflict/test-bench.fixture.ts";
import type { TieBreaker } from "../../src/conflict/tie-breaker.ts";
import { isoTime } from "../../src/kernel/clock.ts";
import { RUN, TASK } from "../../src/store/record-builders.contract.ts";
import { openDatabase } from "../../src/store/sqlite/database.ts";

let directory: string;
let file: string;
beforeEach(() => {
	directory = mkdtempSync(join(tmpdir(), "spar-escalation-"));
	file = join(directory, "sparring.db");
});
afterEach(() => rmSync(directory, { recursive: true }));

/** As small as it can be: it hands disagreements of a review to the engine, and pauses the task when it is told to. */
class Orchestrator {
	readonly bus: EventEmitter = new EventEmitter();
	readonly #bench: TestBench;
	readonly #engine: ConflictResolutionEngine;
	readonly #escalated: string[] = [];

	constructor(bench: TestBench, tieBreaker: TieBreaker) {
		this.#bench = bench;
		this.#engine = new ConflictResolutionEngine({ ...bench.options, tieBreaker, events: this.bus });
		this.bus.on(CONFLICT_ESCALATION, ({ conflictId }: { readonly conflictId: string }) =>
			this.#escalated.push(conflictId),
		);
	}

	/** A turn in which the reviewer rejects what the developer stands by. */
	async review(attemptCount: number): Promise<string> {
		const { conflictId: _id, attemptCount: _count, ...sides } = conflictEvent();
		const found = this.#engine.detectConflict(sides);
		if (!found.conflictDetected) throw new Error("both sides agree");
		const { conflictId } = found;
		await this.#engine.resolve({ ...sides, conflictId, attemptCount });
		await this.#pause(attemptCount);
		return conflictId;
	}

	/** The escalation of an old conflict is told twice more. */
	async hearAgain(conflictId: string): Promise<void> {
		for (const escalationReason of ["again", "and again"])
			this.bus.emit(CONFLICT_ESCALATION, { conflictId, taskId: TASK, escalationReason });
		await this.#pause(3);
	}

	async #pause(turn: number): Promise<void> {
		const { records, lease } = this.#bench;
		await records.commit(
			lease,
			this.#escalated.map((conflictId) => ({
				kind: "conflict-paused",
				runId: RUN,
				conflictId,
				event: {
					type: "PAUSED_FOR_USER_ESCALATION",
					task: TASK,
					turn,
					node: "await_human",
					timestamp: isoTime(0),
					data: { conflict: conflictId, reason: "three attempts" },
				},
			})),
		);
	}
}

const countEscalated = (): unknown => {
	const db = openDatabase(file, { readOnly: true });
	const row = db.get("SELECT COUNT(*) FROM conflicts WHERE resolution = 'ESCALATE'");
	db.close();
	return row?.["COUNT(*)"];
};

const pausesOf = async ({ records }: TestBench): Promise<unknown[]> =>
	(await records.events(RUN))
		.filter(({ type }) => type === "PAUSED_FOR_USER_ESCALATION")
		.map(({ data }) => data);

test("should emit PAUSED_FOR_USER_ESCALATION when a conflict of a Code Review turn reaches attempt 3", async () => {
	const model = await scriptedTieBreaker(directory, () => ({
		kind: "structured",
		value: { verdict: "FAIL", rationale: "no test shows it" },
	}));
	const first = await openBench(file);
	const orchestrator = new Orchestrator(first, model);
	await orchestrator.review(1);
	await orchestrator.review(2);
	expect(await pausesOf(first)).toEqual([]);
	expect(model.prompts()).toHaveLength(4);

	const conflictId = await orchestrator.review(3);
	expect(model.prompts()).toHaveLength(4);
	const paused = [{ conflict: conflictId, reason: "three attempts" }];
	expect(await pausesOf(first)).toEqual(paused);
	await orchestrator.hearAgain(conflictId);
	expect(await pausesOf(first)).toEqual(paused);
	expect(countEscalated()).toBe(1);
	await first.close();

	const second = await openBench(file);
	const resumed = new Orchestrator(second, model);
	await resumed.hearAgain(conflictId);
	expect(await pausesOf(second)).toEqual(paused);
	expect(countEscalated()).toBe(1);
	const attempts = await second.records.conflicts(RUN, TASK);
	expect(attempts.map((attempt) => [attempt.attemptCount, attempt.resolution])).toEqual([
		[1, "AUTO"] as const,
		[2, "AUTO"] as const,
		[3, "ESCALATE"] as const,
	]);
	await second.close();
	await model.close();
});
