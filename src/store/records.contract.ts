import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
	call,
	event,
	evidence,
	finding,
	HOSTILE,
	RUN,
	run,
	TASK,
	task,
	turn,
} from "./record-builders.contract.ts";
import type { Lease, Leases, Records, Write } from "./records.ts";

/** A new, empty store. */
export interface StoreUnderTest {
	readonly records: Records;
	/** Of this process. */
	readonly leases: Leases;
	/** Of a process that has died without releasing anything. */
	readonly leasesOfTheDead: Leases;
	close(): Promise<void>;
}

/** What every adapter of `Records` and `Leases` keeps; called by the adapter's own test. */
export function recordsContract(name: string, open: () => Promise<StoreUnderTest>): void {
	let store: StoreUnderTest;
	let records: Records;
	let lease: Lease;
	beforeEach(async () => {
		store = await open();
		records = store.records;
		lease = await store.leases.take(RUN);
	});
	afterEach(async () => {
		await lease.release();
		await store.close();
	});
	const begin = async (): Promise<void> => {
		await records.createRun(run(), [task()], lease);
	};
	const commit = (...writes: readonly Write[]): ReturnType<Records["commit"]> =>
		records.commit(lease, writes);
	const turnKey = { runId: RUN, taskId: TASK, turn: 1 } as const;

	describe(`${name}: runs and tasks`, () => {
		test("a run and its tasks come back as they were created, hostile text included", async () => {
			const created = run({ recordFile: HOSTILE, workflow: { ...run().workflow, name: HOSTILE } });
			const second = task({ taskId: "docs", position: 0, flags: [HOSTILE], success: false });
			const first = task({ position: 1, gate: { riskTier: "T0", verdict: "PASS" }, merged: true });
			await records.createRun(created, [first, second], lease);
			expect(await records.run(RUN)).toEqual(created);
			expect(await records.tasks(RUN)).toEqual([second, first]);
			expect(await records.task(RUN, TASK)).toEqual(first);
		});

		test("what tasks have merged is told in dependency order", async () => {
			const ids = ["a", "b", "c"];
			const tasks = ids.map((taskId, nth) => task({ taskId, position: 2 - nth }));
			await records.createRun(run(), tasks, lease);
			const merged = (taskId: string, mergedCommit: string): Write => ({
				kind: "task",
				runId: RUN,
				taskId,
				patch: { mergedCommit },
			});
			await commit(merged("a", "a1"), merged("c", "c1"));
			expect(await records.mergedCommits(RUN)).toEqual(["c1", "a1"]);
		});

		test("what was never created is undefined or empty", async () => {
			expect(await records.runs()).toEqual([]);
			expect(await records.newestRun()).toBeUndefined();
			expect(await records.run("none")).toBeUndefined();
			expect(await records.task(RUN, "none")).toBeUndefined();
			expect(await records.tasks("none")).toEqual([]);
			expect(await records.mergedCommits("none")).toEqual([]);
			expect(await records.turn(RUN, TASK, 1)).toBeUndefined();
			expect(await records.evidenceFor(RUN, "t", { check: "c", definition: "d" })).toBeUndefined();
			expect(await records.item("none")).toBeUndefined();
			expect(await records.findingCount(RUN, TASK)).toBe(0);
			expect(await records.findingsByIssue(RUN, TASK, [])).toEqual([]);
			expect(await records.cancelRequested("none")).toBe(false);
		});

		test("a run is created together with its first event, or not at all", async () => {
			const foreign = { kind: "event", run: "other", event: event(1) } as const;
			await expect(records.createRun(run(), [task()], lease, [foreign])).rejects.toThrow();
			expect(await records.run(RUN)).toBeUndefined();
			const own = { kind: "event", run: RUN, event: event(1) } as const;
			const stored = await records.createRun(run(), [task()], lease, [own]);
			expect(stored).toEqual(await records.events(RUN));
			expect(stored).toHaveLength(1);
		});

		test("runs are listed newest first, also after the clock was set back", async () => {
			await begin();
			for (const [runId, createdAt] of [
				["later", "2026-11-22T00:00:00.000Z"],
				["set-back", "1999-01-01T00:00:00.000Z"],
			] as const) {
				const lease = await store.leases.take(runId);
				await records.createRun(run({ runId, createdAt }), [], lease);
				await lease.release();
			}
			expect((await records.runs()).map(({ runId }) => runId)).toEqual(["set-back", "later", RUN]);
			expect(await records.newestRun()).toBe("set-back");
		});

		test("a run is created once", async () => {
			await begin();
			await expect(begin()).rejects.toThrow();
			expect(await records.runs()).toHaveLength(1);
		});

		test("a patch changes what it names and nothing else", async () => {
			await begin();
			await commit(
				{
					kind: "run",
					runId: RUN,
					patch: { status: "failed", endedAt: "2026-11-22T00:00:00.000Z" },
				},
				{ kind: "run", runId: RUN, patch: {} },
				{ kind: "task", runId: RUN, taskId: TASK, patch: { status: "running", flags: ["x"] } },
				{ kind: "task", runId: RUN, taskId: TASK, patch: {} },
			);
			expect(await records.run(RUN)).toEqual(
				run({ status: "failed", endedAt: "2026-11-22T00:00:00.000Z" }),
			);
			expect(await records.task(RUN, TASK)).toEqual(task({ status: "running", flags: ["x"] }));
		});

		test("a move of a task that the table forbids throws and undoes its whole batch", async () => {
			await begin();
			const batch = commit(
				{ kind: "event", run: RUN, event: event(1) },
				{ kind: "task", runId: RUN, taskId: TASK, patch: { status: "completed" } },
			);
			await expect(batch).rejects.toThrow("may not move from pending to completed");
			expect(await records.events(RUN)).toEqual([]);
			expect((await records.task(RUN, TASK))?.status).toBe("pending");
		});

		test("patches of a run or task that is not stored throw", async () => {
			await expect(commit({ kind: "run", runId: RUN, patch: { pruned: true } })).rejects.toThrow(
				"not stored",
			);
			await expect(commit({ kind: "task", runId: RUN, taskId: "none", patch: {} })).rejects.toThrow(
				"not stored",
			);
		});

		test("asking to cancel is seen by whoever polls; an unknown run is a fault", async () => {
			await begin();
			expect(await records.cancelRequested(RUN)).toBe(false);
			await records.requestCancel(RUN);
			await records.requestCancel(RUN);
			expect(await records.cancelRequested(RUN)).toBe(true);
			expect((await records.run(RUN))?.cancelRequested).toBe(true);
			await expect(records.requestCancel("none")).rejects.toMatchObject({ code: "run-not-found" });
		});
	});

	describe(`${name}: the work of a task`, () => {
		test("of one check what was written last is read, also when its attempt counts from 0 again", async () => {
			await begin();
			const write = (attempt: number, status: "pass" | "error"): Write => {
				return { kind: "evidence", ...turnKey, attempt, evidence: evidence({ status }) };
			};
			await commit(write(0, "error"), write(1, "error"));
			await commit(write(0, "pass"));
			expect(await records.evidence(RUN, TASK, 1)).toMatchObject([{ status: "pass" }]);
		});

		test("a step that was done is known by its result, a void one by null", async () => {
			await begin();
			const key = { ...turnKey, step: "player_turn" };
			expect(await records.step(key)).toBeUndefined();
			await commit({ kind: "step", key, result: { commit: HOSTILE } });
			await commit({ kind: "step", key: { ...key, step: "merge/2" }, result: undefined });
			expect(await records.step(key)).toEqual({ commit: HOSTILE });
			expect(await records.step({ ...key, step: "merge/2" })).toBeNull();
			await commit({ kind: "step", key, result: 2 });
			expect(await records.step(key)).toBe(2);
		});

		test("calls come in order, of their role and turn only; the same call again replaces", async () => {
			await begin();
			const usage = { inputTokens: 5, outputTokens: null, costUsd: 0.25, model: "m" };
			const first = call({ report: HOSTILE, usage });
			const second = call({ call: 2, subtask: "core" });
			for (const record of [second, call(), first, call({ role: "coach" }), call({ turn: 2 })]) {
				await commit({ kind: "call", call: record });
			}
			expect(await records.calls(RUN, TASK, 1, "player")).toEqual([first, second]);
		});

		test("the newest turns come first and are limited", async () => {
			await begin();
			for (const number of [1, 2, 3]) await commit({ kind: "turn", turn: turn({ turn: number }) });
			const replaced = turn({
				turn: 2,
				notes: HOSTILE,
				exempt: true,
				restarted: true,
				route: "feedback",
			});
			await commit({ kind: "turn", turn: replaced });
			expect(await records.turns(RUN, TASK, 2)).toEqual([turn({ turn: 3 }), replaced]);
			expect(await records.turn(RUN, TASK, 2)).toEqual(replaced);
			expect(await records.turns(RUN, "other", 2)).toEqual([]);
		});

		const evidenceWrite = (attempt: number, part: Parameters<typeof evidence>[0]): Write => ({
			kind: "evidence",
			...turnKey,
			attempt,
			evidence: evidence(part),
		});

		test("evidence of a turn is the last attempt of each check and purpose, with its cases", async () => {
			await begin();
			const cases = [{ id: HOSTILE, status: "failed", message: HOSTILE }] as const;
			const counts = { total: 1, passed: 0, failed: 1, skipped: 0, knownFailing: 0 };
			await commit(
				evidenceWrite(1, { status: "error" }),
				evidenceWrite(2, { status: "error" }),
				evidenceWrite(1, { check: "lint", kind: "lint" }),
			);
			await commit(
				evidenceWrite(2, { status: "fail", cases, counts, details: [HOSTILE] }),
				evidenceWrite(1, { purpose: "assembled" }),
			);
			expect(await records.evidence(RUN, TASK, 1)).toEqual([
				evidence({ check: "lint", kind: "lint" }),
				evidence({ status: "fail", cases, counts, details: [HOSTILE] }),
				evidence({ purpose: "assembled" }),
			]);
			expect(await records.evidence(RUN, TASK, 2)).toEqual([]);
		});

		test("evidence replaced by one without cases has none", async () => {
			await begin();
			await commit(evidenceWrite(1, { cases: [{ id: "a", status: "passed" }] }));
			await commit(evidenceWrite(1, { cases: null }));
			expect(await records.evidence(RUN, TASK, 1)).toEqual([evidence()]);
		});

		test("the figures of a report are kept with its evidence, and go with it", async () => {
			await begin();
			const figures = {
				results: { fresh: 1, weight: 0.5, fingerprints: ["a", "b"] },
				coverage: { kind: "absent", reason: HOSTILE, total: 0.5, unreported: ["x.js"] },
				mutation: { kind: "counted", detected: 3, undetected: 1, pending: 0, outside: 0 },
			} as const;
			await commit(evidenceWrite(1, figures));
			expect(await records.evidence(RUN, TASK, 1)).toEqual([evidence(figures)]);
			await commit(evidenceWrite(1, { mutation: figures.mutation }));
			expect(await records.evidence(RUN, TASK, 1)).toEqual([
				evidence({ mutation: figures.mutation }),
			]);
			await commit(evidenceWrite(1, {}));
			expect(await records.evidence(RUN, TASK, 1)).toEqual([evidence()]);
		});

		test("evidence for a tree is the newest with a value, whatever its purpose", async () => {
			await begin();
			const cases = [{ id: "a", status: "passed" }] as const;
			await commit(
				evidenceWrite(1, { tree: "t", status: "fail", purpose: "baseline" }),
				evidenceWrite(2, { tree: "t", status: "pass", cases }),
				evidenceWrite(3, { tree: "t", status: "absent" }),
				evidenceWrite(4, { tree: "t", status: "error" }),
				evidenceWrite(5, { tree: "t", definition: "other" }),
				evidenceWrite(6, { tree: "t", status: "fail", check: "replay:tests", kind: "replay" }),
			);
			const of = { check: evidence().check, definition: "def1" };
			const found = await records.evidenceFor(RUN, "t", of);
			expect(found).toEqual(evidence({ tree: "t", status: "pass", cases }));
			await commit(evidenceWrite(1, { tree: "t", status: "fail", purpose: "baseline" }));
			expect((await records.evidenceFor(RUN, "t", of))?.status).toBe("fail");
		});

		test("findings keep the order they were raised in, through every change", async () => {
			await begin();
			const write = (part: Parameters<typeof finding>[0]): Write => ({
				kind: "finding",
				runId: RUN,
				taskId: TASK,
				finding: finding(part),
			});
			const dispute = { reason: HOSTILE, evidence: null, turn: 2 };
			await commit(write({ id: "F10" }), write({ id: "F2" }), write({ id: "F3", issue: HOSTILE }));
			await commit(
				write({ id: "F10", state: "disputed", dispute, line: 3 }),
				write({ id: "F2", state: "fixed" }),
			);
			const [first, fixed, third] = [
				finding({ id: "F10", state: "disputed", dispute, line: 3 }),
				finding({ id: "F2", state: "fixed" }),
				finding({ id: "F3", issue: HOSTILE }),
			];
			expect(await records.findings(RUN, TASK)).toEqual([first, fixed, third]);
			expect(await records.openFindings(RUN, TASK)).toEqual([first, third]);
			expect(await records.findingCount(RUN, TASK)).toBe(3);
			await commit(write({ id: "F2", state: "reopened" }));
			expect(await records.openFindings(RUN, TASK)).toHaveLength(3);
			expect(await records.findingCount(RUN, TASK)).toBe(3);
		});

		test.each(["fixed", "withdrawn", "overruled"] as const)(
			"a finding that is %s is not open",
			async (state) => {
				await begin();
				await commit({ kind: "finding", runId: RUN, taskId: TASK, finding: finding({ state }) });
				expect(await records.openFindings(RUN, TASK)).toEqual([]);
			},
		);

		test("findings are found by the key of their issue", async () => {
			await begin();
			const texts = ["Burst is not refused!", "  burst IS not\nrefused", "Other"];
			for (const [index, issue] of texts.entries()) {
				const raised = finding({ id: `F${index}`, issue });
				await commit({ kind: "finding", runId: RUN, taskId: TASK, finding: raised });
			}
			const found = await records.findingsByIssue(RUN, TASK, ["burst is not refused", "' OR 1=1"]);
			expect(found.map(({ id }) => id)).toEqual(["F0", "F1"]);
		});

		test("events get ids in the order of the batch and are read from any point, by task", async () => {
			await begin();
			const stored = await commit(
				{ kind: "event", run: RUN, event: event(1) },
				{ kind: "step", key: { ...turnKey, step: "x" }, result: 1 },
				{ kind: "event", run: RUN, event: event(2, null) },
				{ kind: "event", run: RUN, event: event(3) },
			);
			const written = [event(1), event(2, null), event(3)];
			expect(stored).toEqual(
				written.map((one, index) => ({ ...one, run: RUN, id: stored[index]?.id })),
			);
			expect(stored.map(({ id }) => id)).toEqual(stored.map(({ id }) => id).sort((a, b) => a - b));
			expect(await records.events(RUN)).toEqual(stored);
			expect(await records.events(RUN, { after: stored[0]?.id ?? 0 })).toEqual(stored.slice(1));
			expect(await records.events(RUN, { task: TASK })).toEqual([stored[0], stored[2]]);
			expect(await records.events(RUN, { task: TASK, after: stored[0]?.id ?? 0 })).toEqual([
				stored[2],
			]);
			expect(await records.events("other")).toEqual([]);
		});
	});
}
