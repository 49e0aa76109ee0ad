import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Annotation, Command, END, interrupt, START, StateGraph } from "@langchain/langgraph";
import { type Checkpoint, emptyCheckpoint, uuid6 } from "@langchain/langgraph-checkpoint";
import { afterEach, beforeEach, expect, test } from "vitest";
import { thorough } from "../../../test/support/amount.ts";
import { systemClock } from "../../kernel/clock.ts";
import { ownIdentity } from "../process-identity.ts";
import { checkpointer } from "../queries/checkpointer.ts";
import type { Lease } from "../records.ts";
import { type Database, openDatabase } from "./database.ts";
import { sqliteLeases } from "./leases.ts";
import { sqliteRunner } from "./records.ts";

let directory: string;
let db: Database;
let lease: Lease;
beforeEach(async () => {
	directory = mkdtempSync(join(tmpdir(), "spar-checkpointer-"));
	db = openDatabase(join(directory, "sparring.db"));
	lease = await sqliteLeases(db, { clock: systemClock }).take("r");
});
afterEach(async () => {
	await lease.release();
	db.close();
	rmSync(directory, { recursive: true });
});

const META = { source: "loop", step: 0, parents: {} } as const;
const THREAD = { configurable: { thread_id: "r/t/1", checkpoint_ns: "" } };
const count = (table: string): number =>
	Number(db.get(`SELECT count(*) AS n FROM ${table}`)?.["n"]);

/** A checkpoint whose channel `turn` has this version and value. */
const checkpoint = (turn: number, id: string = uuid6(0)): Checkpoint => ({
	...emptyCheckpoint(),
	id,
	channel_values: { turn, fixed: "once" },
	channel_versions: { turn, fixed: 1 },
});

async function putTurns(saver: ReturnType<typeof checkpointer>, turns: number): Promise<void> {
	let config: Parameters<typeof saver.put>[0] = THREAD;
	for (let turn = 1; turn <= turns; turn += 1) {
		const versions = turn === 1 ? { turn, fixed: 1 } : { turn };
		config = await saver.put(config, checkpoint(turn), META, versions);
		await saver.putWrites(config, [["turn", turn]], "task");
	}
}

thorough(
	"history is cut: rows per thread do not grow with turns, and the newest state is whole",
	async () => {
		const saver = checkpointer(sqliteRunner(db), lease);
		await putTurns(saver, 3);
		const few = ["checkpoints", "pending_writes"].map(count);
		await putTurns(saver, 40);
		expect(["checkpoints", "pending_writes"].map(count)).toEqual(few);
		expect(few).toEqual([2, 2]);
		const newest = await saver.getTuple(THREAD);
		expect(newest?.checkpoint.channel_values).toEqual({ turn: 40, fixed: "once" });
		expect(newest?.pendingWrites).toEqual([["task", "turn", 40]]);
	},
);

test("with keep all the whole history stays", async () => {
	await putTurns(checkpointer(sqliteRunner(db), lease, { keep: "all" }), 5);
	expect(["checkpoints", "pending_writes"].map(count)).toEqual([5, 5]);
});

test("namespaces and threads are cut each by itself", async () => {
	const saver = checkpointer(sqliteRunner(db), lease, { keep: 1 });
	await saver.put(
		{ configurable: { thread_id: "r/t/1", checkpoint_ns: "child" } },
		checkpoint(1),
		META,
		{ turn: 1 },
	);
	await saver.put({ configurable: { thread_id: "r/u/1" } }, checkpoint(1), META, { turn: 1 });
	await putTurns(saver, 5);
	expect(count("checkpoints")).toBe(3);
	const other = await saver.getTuple({ configurable: { thread_id: "r/u/1" } });
	expect(other?.checkpoint.channel_values).toEqual({ turn: 1, fixed: "once" });
});

test.each([0, -1, 1.5, Number.NaN])("keeping %d checkpoints is refused", (keep) => {
	expect(() => checkpointer(sqliteRunner(db), lease, { keep })).toThrow("at least 1");
});

test("what was written last is the newest, though the clock was set back", async () => {
	const saver = checkpointer(sqliteRunner(db), lease, { keep: 1 });
	const [older, newer] = [uuid6(0), uuid6(0)];
	const first = await saver.put(THREAD, checkpoint(1, newer), META, { turn: 1, fixed: 1 });
	await saver.put(first, checkpoint(2, older), META, { turn: 2 });
	expect((await saver.getTuple(THREAD))?.checkpoint).toMatchObject({
		id: older,
		channel_values: { turn: 2 },
	});
});

test("a process that lost its run can neither put, nor write, nor delete", async () => {
	const dead = sqliteLeases(db, {
		clock: systemClock,
		identity: { ...ownIdentity(), started: "1" },
	});
	const late = await dead.take("crashed");
	const saver = checkpointer(sqliteRunner(db), late);
	const config = await saver.put(THREAD, checkpoint(1), META, { turn: 1 });
	const next = await sqliteLeases(db, { clock: systemClock }).take("crashed");
	const attempts = [
		saver.put(config, checkpoint(2), META, { turn: 2 }),
		saver.putWrites(config, [["turn", 2]], "task"),
		saver.deleteThread("r/t/1"),
	];
	for (const attempt of attempts)
		await expect(attempt).rejects.toMatchObject({ code: "lease-lost" });
	expect(["checkpoints", "pending_writes"].map(count)).toEqual([1, 0]);
	await late.release();
	await next.release();
});

test("without a lease it reads and refuses to write", async () => {
	await putTurns(checkpointer(sqliteRunner(db), lease), 1);
	const reader = checkpointer(sqliteRunner(db), null);
	expect((await reader.getTuple(THREAD))?.checkpoint.channel_values).toEqual({
		turn: 1,
		fixed: "once",
	});
	await expect(reader.put(THREAD, checkpoint(2), META, {})).rejects.toThrow("only reads");
	await expect(reader.deleteThread("r/t/1")).rejects.toThrow("only reads");
});

test("deleting a thread takes all of it and nothing else", async () => {
	const saver = checkpointer(sqliteRunner(db), lease);
	await putTurns(saver, 2);
	await saver.put({ configurable: { thread_id: "r/u/1" } }, checkpoint(1), META, { turn: 1 });
	await saver.deleteThread("r/t/1");
	expect(["checkpoints", "pending_writes"].map(count)).toEqual([1, 0]);
});

test.each([`a"b`, "a'b", "a.b", "$", "__proto__", "a') OR 1=1 --"])(
	"a filter on the metadata field %j finds just its checkpoint",
	async (field) => {
		const saver = checkpointer(sqliteRunner(db), lease);
		const meta = { ...META, ...Object.fromEntries([[field, { deep: 1 }]]) };
		await saver.put(THREAD, checkpoint(1), META, { turn: 1 });
		await saver.put(THREAD, checkpoint(2), meta, { turn: 2 });
		const filter = Object.fromEntries([[field, { deep: 1 }]]);
		const found: unknown[] = [];
		for await (const tuple of saver.list(THREAD, { filter })) {
			found.push(tuple.checkpoint.channel_values["turn"]);
		}
		expect(found).toEqual([2]);
	},
);

test("special writes replace, ordinary ones stay as first written, and both keep their order", async () => {
	const saver = checkpointer(sqliteRunner(db), lease);
	const config = await saver.put(THREAD, checkpoint(1), META, { turn: 1 });
	await saver.putWrites(config, [["turn", "b"]], "b", "path2");
	await saver.putWrites(
		config,
		[
			["turn", "first"],
			["turn", "second"],
		],
		"a",
		"path2",
	);
	await saver.putWrites(config, [["turn", "changed"]], "a", "path2");
	await saver.putWrites(config, [["__error__", "old"]], "z", "path1");
	await saver.putWrites(config, [["__error__", new Uint8Array([0, 255])]], "z", "path1");
	expect((await saver.getTuple(config))?.pendingWrites).toEqual([
		["z", "__error__", new Uint8Array([0, 255])],
		["a", "turn", "first"],
		["a", "turn", "second"],
		["b", "turn", "b"],
	]);
});

const State = Annotation.Root({ turn: Annotation<number>, answer: Annotation<string> });

/** Counts to three, asks, and ends. */
function graph(saver: ReturnType<typeof checkpointer>) {
	return new StateGraph(State)
		.addNode("work", ({ turn }) => ({ turn: turn + 1 }))
		.addNode("ask", () => ({ answer: String(interrupt("go on?")) }))
		.addEdge(START, "work")
		.addConditionalEdges("work", ({ turn }) => (turn < 3 ? "work" : "ask"), ["work", "ask"])
		.addEdge("ask", END)
		.compile({ checkpointer: saver });
}

test("a graph that waits for a person goes on in a new connection, with a cut history", async () => {
	const config = { configurable: { thread_id: "r/t/1" }, durability: "sync" } as const;
	await graph(checkpointer(sqliteRunner(db), lease)).invoke({ turn: 0, answer: "" }, config);
	const again = openDatabase(db.file);
	const resumed = graph(checkpointer(sqliteRunner(again), lease));
	expect((await resumed.getState(config)).tasks).toHaveLength(1);
	const end = await resumed.invoke(new Command({ resume: "yes" }), config);
	expect(end).toEqual({ turn: 3, answer: "yes" });
	expect((await resumed.getState(config)).tasks).toHaveLength(0);
	again.close();
});
