import { EventEmitter } from "node:events";
import type { Script } from "../../test/model-server/exchange.ts";
import { startModelServer } from "../../test/model-server/model-server.ts";
import { contractCall } from "../agents/agent.contract.ts";
import { modelAgent } from "../agents/model/model-agent.ts";
import { parseTieBreakReport } from "../agents/report.ts";
import { noMasker } from "../masking/masking.ts";
import { RUN, run, task } from "../store/record-builders.contract.ts";
import type { Lease, Records } from "../store/records.ts";
import { type Database, openDatabase, type Row } from "../store/sqlite/database.ts";
import { sqliteLeases } from "../store/sqlite/leases.ts";
import { sqliteRecords } from "../store/sqlite/records.ts";
import type { ConflictEvent } from "./conflict.ts";
import type { ConflictResolutionOptions } from "./conflict-resolution-engine.ts";
import { type TieBreaker, tieBreakPrompt } from "./tie-breaker.ts";

const AT = "2026-11-21T22:05:09.000Z";

/** A first attempt at settling a finding of the task that the record builders speak of. */
export const conflictEvent = (over: Partial<ConflictEvent> = {}): ConflictEvent => ({
	conflictId: "11111111-2222-4333-8444-555555555555",
	threadId: "thread-1",
	taskId: "limiter",
	developerVerdict: "PASS",
	reviewerVerdict: "FAIL",
	developerOutput: "The burst is refused by line 4.",
	reviewerFeedback: "The burst is not refused.",
	attemptCount: 1,
	...over,
});

/** A real database file with a run and its task in it. */
export interface TestBench {
	/** Options of an engine that keeps its records there, with a tie-breaker that must not be asked. */
	readonly options: ConflictResolutionOptions;
	readonly records: Records;
	readonly lease: Lease;
	/** SQL that was run to change something. */
	statements(): readonly string[];
	/** Table `conflicts` as another connection reads it. */
	rows(): Promise<readonly Row[]>;
	close(): Promise<void>;
}

/** Opens a database; one that exists goes on with its run. Conflicts are about F1, each of another dispute. */
export async function openBench(file: string): Promise<TestBench> {
	const db = openDatabase(file);
	const seen: string[] = [];
	const watched: Database = {
		file,
		get: (sql, ...values) => db.get(sql, ...values),
		all: (sql, ...values) => db.all(sql, ...values),
		run: (sql, ...values) => {
			seen.push(sql);
			return db.run(sql, ...values);
		},
		exec: (sql) => db.exec(sql),
		immediate: (work) => db.immediate(work),
		snapshot: (work) => db.snapshot(work),
		requireFile: () => db.requireFile(),
		close: () => db.close(),
	};
	const clock = { now: () => Date.parse(AT) };
	const records = sqliteRecords(watched);
	const lease = await sqliteLeases(db, { clock: { ...clock, sleep: async () => {} } }).take(RUN);
	if ((await records.run(RUN)) === undefined) await records.createRun(run(), [task()], lease);
	return {
		options: {
			tieBreaker: { ask: () => Promise.reject(new Error("nobody may be asked")) },
			records: {
				keep: async (record) => {
					const turn = record.attemptCount;
					const about = { finding: "F1", turn, disputeTurn: turn, tieBreaker: "arbiter" };
					await records.commit(lease, [{ kind: "conflict", runId: RUN, record, about }]);
				},
			},
			events: new EventEmitter(),
			masker: noMasker,
			clock,
		},
		records,
		lease,
		statements: () => seen,
		rows: async () => {
			const reader = openDatabase(file, { readOnly: true });
			const rows = reader.all("SELECT * FROM conflicts").map((row) => ({ ...row }));
			reader.close();
			return rows;
		},
		close: async () => {
			await lease.release();
			db.close();
		},
	};
}

/** A tie-breaker that asks a scripted Gemini server through the adapter for models. */
export interface ScriptedTieBreaker extends TieBreaker {
	/** What arrived at the server, in order. */
	prompts(): readonly string[];
	close(): Promise<void>;
}

export async function scriptedTieBreaker(
	directory: string,
	script: Script,
): Promise<ScriptedTieBreaker> {
	const server = await startModelServer({ script, isSide: () => false });
	const agent = modelAgent({
		model: "google/gemini-flash-latest",
		baseUrl: server.url,
		named: {},
		env: { GEMINI_API_KEY: "test-key-2718281828" },
	});
	let call = 0;
	return {
		ask: async ({ event: { developerOutput, reviewerFeedback }, order }) => {
			call += 1;
			const sides = { developerOutput, reviewerFeedback, order };
			const prompt = tieBreakPrompt({ ...sides, background: "", handsIn: agent.handsIn });
			const question = await contractCall(directory, { role: "tie_breaker", call, prompt });
			const outcome = await agent.call(question, new AbortController().signal);
			if (outcome.kind === "failed") return { kind: "failed", reason: outcome.message };
			const parsed = parseTieBreakReport(outcome.report, outcome.reportProblem);
			return parsed.ok
				? { kind: "verdict", ...parsed.report }
				: { kind: "failed", reason: parsed.reason };
		},
		prompts: () => server.requests.map(({ request }) => request.prompt),
		close: () => server.close(),
	};
}
