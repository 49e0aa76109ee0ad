import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
	finding,
	HOSTILE,
	pairRecord,
	RUN,
	run,
	scored,
	TASK,
	task,
	turn,
} from "./record-builders.contract.ts";
import type { StoreUnderTest } from "./records.contract.ts";
import type { Lease, Records, Write } from "./records.ts";

/** What every adapter of `Records` keeps of pairs, subtasks and scores; called by the adapter's own test. */
export function pairAndScoresContract(name: string, open: () => Promise<StoreUnderTest>): void {
	let store: StoreUnderTest;
	let records: Records;
	let lease: Lease;
	beforeEach(async () => {
		store = await open();
		records = store.records;
		lease = await store.leases.take(RUN);
		await records.createRun(run(), [task(), task({ taskId: "docs", position: 1 })], lease);
	});
	afterEach(async () => {
		await lease.release();
		await store.close();
	});
	const commit = (...writes: readonly Write[]): ReturnType<Records["commit"]> =>
		records.commit(lease, writes);

	describe(`${name}: pairs and subtasks`, () => {
		test("a pair session comes back as it was written last, of its task only", async () => {
			expect(await records.pairSession(RUN, TASK)).toBeUndefined();
			const before = pairRecord({ digest: null });
			await commit({ kind: "pair-session", record: before });
			expect(await records.pairSession(RUN, TASK)).toEqual(before);
			const after = pairRecord({ previousDigest: "f".repeat(64) });
			await commit({ kind: "pair-session", record: after });
			expect(await records.pairSession(RUN, TASK)).toEqual(after);
			expect(await records.pairSession(RUN, "docs")).toBeUndefined();
			expect(await records.pairSession("none", TASK)).toBeUndefined();
		});

		test("a pair session of another run is refused with its whole batch", async () => {
			const { session } = pairRecord();
			const foreign = pairRecord({ session: { ...session, runId: "other" } });
			const own: Write = { kind: "pair-session", record: pairRecord() };
			await expect(commit(own, { kind: "pair-session", record: foreign })).rejects.toThrow(
				"may not write for run other",
			);
			expect(await records.pairSession(RUN, TASK)).toBeUndefined();
		});

		test("a task knows its subtask and its score, a score of 0 included", async () => {
			const at = { runId: RUN, taskId: TASK };
			const patch = { subtask: 2, subtaskStart: 7, confidenceScore: 0 };
			await commit({ kind: "task", ...at, patch });
			expect(await records.task(RUN, TASK)).toEqual(task(patch));
			await commit({ kind: "task", ...at, patch: { confidenceScore: null } });
			expect(await records.task(RUN, TASK)).toMatchObject({ subtask: 2, confidenceScore: null });
		});

		test("what the coach said of the criteria comes back with the turn, no criteria too", async () => {
			const claims = [
				{ criterion: HOSTILE, met: true, tests: [HOSTILE, "limiter > refuses"] },
				{ criterion: "documented", met: false, tests: [] },
			];
			await commit({ kind: "turn", turn: turn({ claims }) });
			await commit({ kind: "turn", turn: turn({ turn: 2, claims: [] }) });
			await commit({ kind: "turn", turn: turn({ turn: 3 }) });
			const kept = (await records.turns(RUN, TASK, 3)).map((each) => each.claims);
			expect(kept).toEqual([null, [], claims]);
		});

		test("findings know their subtask, and those of all subtasks are open together", async () => {
			const all = [finding(), finding({ id: "F2", subtask: "core" })];
			for (const each of all) {
				await commit({ kind: "finding", runId: RUN, taskId: TASK, finding: each });
			}
			expect(await records.openFindings(RUN, TASK)).toEqual(all);
		});
	});

	describe(`${name}: scores`, () => {
		const unspoken = { gate: null, human: null, assembled: null };
		const outcome = (
			patch: Extract<Write, { kind: "score-outcome" }>["patch"],
			number = 1,
		): Write => ({ kind: "score-outcome", runId: RUN, taskId: TASK, turn: number, patch });

		test("scores of all runs come in the order they were given, with nothing said of them yet", async () => {
			const other = await store.leases.take("other");
			await records.createRun(run({ runId: "other" }), [], other);
			const [late, first] = [
				scored({ turn: 2, score: 1, metrics: [] }),
				scored({ agent: HOSTILE }),
			];
			await commit({ kind: "score", score: late });
			const foreign = scored({ runId: "other" });
			await records.commit(other, [{ kind: "score", score: foreign }]);
			await other.release();
			await commit({ kind: "score", score: first });
			const all = [late, foreign, first].map((score) => ({ ...score, ...unspoken }));
			expect(await records.scores()).toEqual(all);
		});

		test("of measured metrics what they rest on is left out", async () => {
			const metric = { type: "lint_score", score: 1, weight: 1 } as const;
			const measured = { ...metric, reason: HOSTILE, rationale: HOSTILE };
			await commit({ kind: "score", score: scored({ metrics: [measured] }) });
			expect((await records.scores())[0]?.metrics).toEqual([metric]);
		});

		test("what is said later is added piece by piece, of the named turn only", async () => {
			await commit(
				{ kind: "score", score: scored() },
				{ kind: "score", score: scored({ turn: 2 }) },
			);
			await commit(outcome({ gate: "PASS" }), outcome({}), outcome({ gate: "FAIL" }, 3));
			await commit(outcome({ human: "rejected", assembled: "fail" }));
			expect(await records.scores()).toEqual([
				{ ...scored(), gate: "PASS", human: "rejected", assembled: "fail" },
				{ ...scored({ turn: 2 }), ...unspoken },
			]);
		});

		test("a turn that is scored again keeps what was said of it, but not what was said of another tree", async () => {
			const said = { gate: "FAIL", human: "accepted", assembled: "pass" } as const;
			await commit({ kind: "score", score: scored() }, outcome(said));
			await commit({ kind: "score", score: scored({ score: 0.5 }) });
			expect(await records.scores()).toEqual([{ ...scored({ score: 0.5 }), ...said }]);
			await commit({ kind: "score", score: scored({ tree: "other" }) });
			expect(await records.scores()).toEqual([{ ...scored({ tree: "other" }), ...unspoken }]);
		});

		test("a score or outcome for another run than the fence's throws", async () => {
			const foreign = scored({ runId: "other" });
			await expect(commit({ kind: "score", score: foreign })).rejects.toThrow("may not write");
			await expect(
				commit({ kind: "score-outcome", runId: "other", taskId: TASK, turn: 1, patch: {} }),
			).rejects.toThrow("may not write");
		});
	});
}
