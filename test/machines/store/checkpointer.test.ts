import { Annotation, Command, END, interrupt, START, StateGraph } from "@langchain/langgraph";
import { type Checkpoint, emptyCheckpoint, uuid6 } from "@langchain/langgraph-checkpoint";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { postgresLeases } from "../../../src/store/postgres/leases.ts";
import type { Postgres } from "../../../src/store/postgres/postgres.ts";
import { postgresRunner } from "../../../src/store/postgres/records.ts";
import { checkpointer } from "../../../src/store/queries/checkpointer.ts";
import type { Lease } from "../../../src/store/records.ts";
import { leasesOfTheDead, type TestStore, testStore } from "../support/store.ts";

type Saver = ReturnType<typeof checkpointer>;

let store: TestStore;
let postgres: Postgres;
let lease: Lease;
beforeEach(async () => {
	store = await testStore();
	({ postgres } = store);
	lease = await postgresLeases(postgres).take("r", { task: "t" });
});
afterEach(async () => {
	vi.useRealTimers();
	await lease.release();
	await store.remove();
});

const META = { source: "loop", step: 0, parents: {} } as const;
const THREAD = { configurable: { thread_id: "r/t/1", checkpoint_ns: "" } };

/** Rows of checkpoints and of writes. */
const counts = async (): Promise<unknown[]> => {
	const sql = `SELECT (SELECT count(*) FROM checkpoints) AS a,
		(SELECT count(*) FROM pending_writes) AS b`;
	const { rows } = await postgres.query(sql);
	return Object.values(rows[0] ?? {});
};

/** A checkpoint whose channel `turn` has this version and value. */
const checkpoint = (turn: number, id: string = uuid6(0)): Checkpoint => ({
	...emptyCheckpoint(),
	id,
	channel_values: { turn, fixed: "once" },
	channel_versions: { turn, fixed: 1 },
});

async function putTurns(saver: Saver, turns: number): Promise<void> {
	let config: Parameters<Saver["put"]>[0] = THREAD;
	for (let turn = 1; turn <= turns; turn += 1) {
		const versions = turn === 1 ? { turn, fixed: 1 } : { turn };
		config = await saver.put(config, checkpoint(turn), META, versions);
		await saver.putWrites(config, [["turn", turn]], "task");
	}
}

test("rows do not grow with turns, and the last state is whole", async () => {
	const saver = checkpointer(postgresRunner(postgres), lease);
	await putTurns(saver, 3);
	expect(await counts()).toEqual([2, 2]);
	await putTurns(saver, 20);
	expect(await counts()).toEqual([2, 2]);
	const newest = await saver.getTuple(THREAD);
	expect(newest?.checkpoint.channel_values).toEqual({ turn: 20, fixed: "once" });
	expect(newest?.pendingWrites).toEqual([["task", "turn", 20]]);
});

test("with keep all the whole history stays", async () => {
	await putTurns(checkpointer(postgresRunner(postgres), lease, { keep: "all" }), 5);
	expect(await counts()).toEqual([5, 5]);
});

test("namespaces and threads are cut each by itself", async () => {
	const saver = checkpointer(postgresRunner(postgres), lease);
	const child = { configurable: { thread_id: "r/t/1", checkpoint_ns: "child" } };
	const other = { configurable: { thread_id: "r/u/1", checkpoint_ns: "" } };
	await saver.put(child, checkpoint(1), META, { turn: 1 });
	await saver.put(other, checkpoint(1), META, { turn: 1 });
	await putTurns(saver, 3);
	expect((await counts())[0]).toBe(4);
	expect((await saver.getTuple(other))?.checkpoint.channel_values).toEqual({
		turn: 1,
		fixed: "once",
	});
	expect((await saver.getTuple(child))?.checkpoint.channel_values).toEqual({
		turn: 1,
		fixed: "once",
	});
});

test("what was written last counts, though its machine's clock is ten minutes behind", async () => {
	const saver = checkpointer(postgresRunner(postgres), lease);
	const ahead = uuid6(0);
	vi.useFakeTimers({ toFake: ["Date"], now: Date.now() - 600_000 });
	const behind = uuid6(0);
	vi.useRealTimers();
	expect(behind < ahead).toBe(true);
	const first = await saver.put(THREAD, checkpoint(1, ahead), META, { turn: 1, fixed: 1 });
	await saver.put(first, checkpoint(2, behind), META, { turn: 2 });
	expect((await saver.getTuple(THREAD))?.checkpoint).toMatchObject({
		id: behind,
		channel_values: { turn: 2, fixed: "once" },
	});
});

test("a process that lost its task can neither put, nor write, nor delete", async () => {
	const late = await leasesOfTheDead(postgres).take("crashed", { task: "t" });
	const saver = checkpointer(postgresRunner(postgres), late);
	const config = await saver.put(THREAD, checkpoint(1), META, { turn: 1 });
	const next = await postgresLeases(postgres).take("crashed", { task: "t" });
	const attempts = [
		saver.put(config, checkpoint(2), META, { turn: 2 }),
		saver.putWrites(config, [["turn", 2]], "task"),
		saver.deleteThread("r/t/1"),
	];
	const ends = await Promise.allSettled(attempts);
	for (const end of ends)
		expect(end).toMatchObject({ status: "rejected", reason: { code: "lease-lost" } });
	expect(await counts()).toEqual([1, 0]);
	await late.release();
	await next.release();
});

test("a put that fails keeps what was there", async () => {
	const saver = checkpointer(postgresRunner(postgres), lease);
	await putTurns(saver, 2);
	await postgres.query("ALTER TABLE checkpoints ADD CHECK (id <> 'refused')");
	await expect(saver.put(THREAD, checkpoint(3, "refused"), META, { turn: 3 })).rejects.toThrow();
	expect((await saver.getTuple(THREAD))?.checkpoint.channel_values).toEqual({
		turn: 2,
		fixed: "once",
	});
});

test("without a lease it reads and refuses to write", async () => {
	await putTurns(checkpointer(postgresRunner(postgres), lease), 1);
	const reader = checkpointer(postgresRunner(postgres), null);
	expect((await reader.getTuple(THREAD))?.checkpoint.channel_values).toEqual({
		turn: 1,
		fixed: "once",
	});
	await expect(reader.put(THREAD, checkpoint(2), META, {})).rejects.toThrow("only reads");
	await expect(reader.putWrites(THREAD, [], "task")).rejects.toThrow("only reads");
	await expect(reader.deleteThread("r/t/1")).rejects.toThrow("only reads");
});

test("deleting a thread takes all of it and nothing else", async () => {
	const saver = checkpointer(postgresRunner(postgres), lease);
	const other = { configurable: { thread_id: "r/u/1", checkpoint_ns: "" } };
	await putTurns(saver, 2);
	await saver.put(other, checkpoint(1), META, { turn: 1 });
	await saver.deleteThread("r/t/1");
	expect(await counts()).toEqual([1, 0]);
});

const State = Annotation.Root({ turn: Annotation<number>, answer: Annotation<string> });

/** Counts to three, asks, and ends. */
function graph(saver: Saver) {
	return new StateGraph(State)
		.addNode("work", ({ turn }) => ({ turn: turn + 1 }))
		.addNode("ask", () => ({ answer: String(interrupt("go on?")) }))
		.addEdge(START, "work")
		.addConditionalEdges("work", ({ turn }) => (turn < 3 ? "work" : "ask"), ["work", "ask"])
		.addEdge("ask", END)
		.compile({ checkpointer: saver });
}

test("a graph that waits for a person goes on elsewhere, on a machine whose clock is behind", async () => {
	const config = { configurable: { thread_id: "r/t/1" }, durability: "sync" } as const;
	await graph(checkpointer(postgresRunner(postgres), lease)).invoke(
		{ turn: 0, answer: "" },
		config,
	);
	await lease.release();
	lease = await postgresLeases(postgres).take("r", { task: "t" });
	vi.useFakeTimers({ toFake: ["Date"], now: Date.now() - 600_000 });
	const resumed = graph(checkpointer(postgresRunner(postgres), lease));
	expect((await resumed.getState(config)).tasks).toHaveLength(1);
	const end = await resumed.invoke(new Command({ resume: "yes" }), config);
	expect(end).toEqual({ turn: 3, answer: "yes" });
	const last = await resumed.getState(config);
	expect(last.tasks).toHaveLength(0);
	expect(last.values).toEqual({ turn: 3, answer: "yes" });
});

test("a graph whose lease is taken over in its middle ends with the loss, and the next one finishes it", async () => {
	const config = { configurable: { thread_id: "crashed/t/1" }, durability: "sync" } as const;
	const late = await leasesOfTheDead(postgres).take("crashed", { task: "t" });
	let taken: Lease | undefined;
	const counting = (saver: Saver, inTurnTwo?: () => Promise<void>) =>
		new StateGraph(State)
			.addNode("work", async ({ turn }) => {
				if (turn === 1) await inTurnTwo?.();
				return { turn: turn + 1 };
			})
			.addEdge(START, "work")
			.addConditionalEdges("work", ({ turn }) => (turn < 4 ? "work" : END), ["work", END])
			.compile({ checkpointer: saver });
	const first = counting(checkpointer(postgresRunner(postgres), late), async () => {
		taken = await postgresLeases(postgres).take("crashed", { task: "t" });
	});
	await expect(first.invoke({ turn: 0, answer: "" }, config)).rejects.toMatchObject({
		code: "lease-lost",
	});
	if (taken === undefined) throw new Error("the lease was not taken over");
	const second = counting(checkpointer(postgresRunner(postgres), taken));
	expect(await second.invoke(null, config)).toMatchObject({ turn: 4 });
	await late.release();
	await taken.release();
});
