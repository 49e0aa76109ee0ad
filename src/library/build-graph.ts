import { existsSync } from "node:fs";
import type { BaseCheckpointSaver } from "@langchain/langgraph";
import { Fault } from "../kernel/fault.ts";
import type { TaskGraph } from "../loop/graph/graph.ts";
import { requireShape, SHAPES } from "./arguments.ts";

/** The state machine of a task, to draw it and to read where tasks stand in it. */
export interface BuiltGraph
	extends Pick<TaskGraph, "getGraph" | "getGraphAsync" | "getState" | "getStateHistory"> {
	/** Closes the database; the drawing needs none. Idempotent. */
	close(): void;
}

/**
 * The graph that every task goes through, compiled by LangGraph, on the checkpoints of a state database.
 *
 * It draws itself, and reads the state of tasks that have not ended, also while their run goes on: `getState` takes the
 * `threadId` of `loadState`, and of the history the newest two states are kept. The state holds ids, numbers, verdicts
 * and commits; everything else, and what became of a task in the end, is in the records (`loadState`, `trace`).
 *
 * It runs nothing: without a repository, agents and a lease its nodes have nothing to act on, so it refuses to be
 * invoked. `runTask` runs a task. LangGraph is loaded by the first call.
 *
 * @param checkpointPath the database. The first run makes it: until then the graph draws, no task stands in it, and
 * nothing is created
 * @throws Fault `usage`, `state-unreadable`, `state-unwritable`, `state-too-new`, `state-too-old`
 * @example `(await buildGraph()).getGraph().drawMermaid()`
 */
export async function buildGraph(
	checkpointPath: string = ".sparring/sparring.db",
): Promise<BuiltGraph> {
	requireShape("buildGraph", "checkpointPath", checkpointPath, SHAPES.text);
	const { taskGraph } = await import("../loop/graph/graph.ts");
	const { TASK_NODES } = await import("../loop/graph/task-nodes.ts");
	const { checkpointer, close } = await checkpointsAt(checkpointPath);
	const graph = taskGraph({
		nodes: TASK_NODES,
		act: () => () => Promise.reject(runsNothing()),
		human: true,
		checkpointer,
	});
	return Object.assign(graph, { close });
}

async function checkpointsAt(
	file: string,
): Promise<{ readonly checkpointer: BaseCheckpointSaver; readonly close: () => void }> {
	if (!existsSync(file)) {
		const { MemorySaver } = await import("@langchain/langgraph");
		return { checkpointer: new MemorySaver(), close: () => undefined };
	}
	const { openDatabase } = await import("../store/sqlite/database.ts");
	const { checkpointer } = await import("../store/queries/checkpointer.ts");
	const { sqliteRunner } = await import("../store/sqlite/records.ts");
	const db = openDatabase(file, { readOnly: true });
	return { checkpointer: checkpointer(sqliteRunner(db), null), close: () => db.close() };
}

const runsNothing = (): Fault =>
	new Fault("a graph from buildGraph cannot run tasks", {
		code: "usage",
		hint: "Use `runTask` of openSparring; the graph only draws and reads.",
	});
