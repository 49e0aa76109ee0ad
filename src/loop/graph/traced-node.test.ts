import { expect, test } from "vitest";
import { Fault } from "../../kernel/fault.ts";
import { maskerFor } from "../../masking/masking.ts";
import type { Write } from "../../store/records.ts";
import type { TaskContext } from "../context.ts";
import { node as entry, halt, type NodeDefinition, stopThen } from "../node.ts";
import { initialState } from "../state.ts";
import { tracedNode } from "./run-task.ts";

const SECRET = "hunter2hunter2";
const masker = maskerFor([SECRET, "assembled"].map((value) => ({ value, rule: "env" })));
const MARK = masker.mask(SECRET);

/** A node with this body, and what it committed. */
function nodeWith(
	body: NodeDefinition["body"],
	stored?: unknown,
	commit = () => Promise.resolve(),
) {
	const written: Write[] = [];
	const context = {
		run: { runId: "r" },
		task: { id: "one" },
		epoch: 1,
		clock: { now: () => 0 },
		masker,
		records: {
			step: () => Promise.resolve(stored),
			task: () => Promise.resolve({ phase: "gating" }),
		},
		commit: (writes: readonly Write[]) => {
			written.push(...writes);
			return commit();
		},
	} as unknown as TaskContext; // A node of one piece asks its context for nothing else.
	const to = { go: "next", halt: stopThen("later") };
	const node = tracedNode(
		context,
		entry<string>({ name: "merge", phase: "merging", announce: "before", body, to }),
	);
	return { written, run: () => node(initialState({ runId: "r", taskId: "one", bound: 3 })) };
}

test("the reason that a node hands to the graph's state, and to its step, is without secrets", async () => {
	const { run, written } = nodeWith(() =>
		Promise.resolve({ update: halt("environment", { kind: "setup_failed", why: `no ${SECRET}` }) }),
	);
	const reason = { kind: "setup_failed", why: `no ${MARK}` };
	const masked = { next: "halt", trigger: "environment", reason, resumeAt: "later" };
	expect(await run()).toEqual(masked);
	expect(written.find(({ kind }) => kind === "step")).toMatchObject({ result: masked });
});

test("a change of phase belongs to the node that was entered, not to the time before", async () => {
	const { run, written } = nodeWith(() => Promise.resolve({ update: { next: "go" } }));
	await run();
	const events = written.flatMap((write) => (write.kind === "event" ? [write.event.type] : []));
	expect(events).toEqual(["node-entered", "phase-changed", "node-left"]);
});

test("a node that is entered tells how many turns the task has by now", async () => {
	const { run, written } = nodeWith(() => Promise.resolve({ update: { next: "go" } }));
	await run();
	const [entered] = written.flatMap((write) => (write.kind === "event" ? [write.event] : []));
	expect(entered).toMatchObject({ type: "node-entered", data: { phase: "merging", bound: 3 } });
});

test("the words that a reason is told by stay, also where a secret reads like one", async () => {
	const reason = { kind: "checks_spoilt", of: "assembled", checks: [] } as const;
	const { run } = nodeWith(() => Promise.resolve({ update: halt("environment", reason) }));
	expect((await run()).reason).toEqual(reason);
});

test("an update without a reason stays as it is, and a stored one is returned without acting", async () => {
	expect(await nodeWith(() => Promise.resolve({ update: { next: "go" } })).run()).toEqual({
		next: "go",
	});
	const again = nodeWith(() => Promise.reject(new Error("acted")), { next: "go" });
	expect(await again.run()).toEqual({ next: "go" });
	expect(again.written).toEqual([]);
});

test("what a node throws is without secrets, and still the same fault", async () => {
	const fault = new Fault(`git said ${SECRET}`, { code: "git-failed" });
	const { run } = nodeWith(() => Promise.reject(fault));
	await expect(run()).rejects.toBe(fault);
	expect(fault.message).toBe(`git said ${MARK}`);
});

test("so is what is thrown after the commit, by the commit itself, and what a field of it holds", async () => {
	const late = Object.assign(new Error(`no ${SECRET}`), { path: `/tmp/${SECRET}` });
	const { run, written } = nodeWith(() =>
		Promise.resolve({ update: { next: "go" }, afterCommit: () => Promise.reject(late) }),
	);
	await expect(run()).rejects.toBe(late);
	expect(written.some(({ kind }) => kind === "step")).toBe(true);
	expect(late).toMatchObject({ message: `no ${MARK}`, path: `/tmp/${MARK}` });

	for (const failing of [1, 2]) {
		let commits = 0;
		const full = new Error(`disk full at ${SECRET}`);
		const node = nodeWith(
			() => Promise.resolve({ update: { next: "go" } }),
			undefined,
			() => (++commits === failing ? Promise.reject(full) : Promise.resolve()),
		);
		await expect(node.run()).rejects.toBe(full);
		expect(full.message).toBe(`disk full at ${MARK}`);
	}
});
