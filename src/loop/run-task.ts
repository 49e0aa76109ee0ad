import { type BaseCheckpointSaver, Command } from "@langchain/langgraph";
import { Fault } from "../kernel/fault.ts";
import type { TaskContext } from "./context.ts";
import { taskGraph } from "./graph.ts";
import { takesNextPlace } from "./refused-merge.ts";
import { GRAPH_VERSION, initialState, type TaskState, threadOf } from "./state.ts";
import { TASK_NODES } from "./task-nodes.ts";
import { tracedNode } from "./traced-node.ts";

/** Nodes of a turn in the longest way round, and room for those before the first turn and after the last. */
const STEPS_PER_TURN = 10;
const SPARE_STEPS = 60;

/**
 * Takes a task as far as it goes by itself: to its end, or to a question for a person.
 *
 * One decision at the start makes a repeated call harmless: never begun, finished, waiting without an answer,
 * waiting with one, or interrupted in the middle.
 *
 * @throws Fault `run-not-resumable` when the stored graph is of another version
 */
export async function runTask(
	context: TaskContext,
	checkpointer: BaseCheckpointSaver,
): Promise<void> {
	try {
		await goOn(context, checkpointer);
		// Killed before the graph noted its question, a task comes to it again, and it may have been answered since.
		if (await isAnswered(context)) await goOn(context, checkpointer);
	} finally {
		await context.ahead.stop();
	}
}

async function isAnswered({ run, task, records }: TaskContext): Promise<boolean> {
	const record = await records.task(run.runId, task.id);
	if (record?.humanItem == null) return false;
	return (await records.item(record.humanItem))?.answer != null;
}

/** To the end of the task, or to its next question. */
async function goOn(context: TaskContext, checkpointer: BaseCheckpointSaver): Promise<void> {
	const { run, task, epoch, records } = context;
	const record = await records.task(run.runId, task.id);
	if (record === undefined) throw new Error(`task ${task.id} is not part of run ${run.runId}`);
	const graph = taskGraph({
		nodes: TASK_NODES,
		act: (node) => tracedNode(context, node),
		human: task.human,
		checkpointer,
	});
	const pieces = Math.max(1, task.subtasks?.length ?? 0);
	const thread = { configurable: { thread_id: threadOf(run.runId, task.id, epoch) } };
	const config = {
		...thread,
		recursionLimit: STEPS_PER_TURN * record.bound * pieces + SPARE_STEPS,
		durability: "sync",
	} as const;
	const snapshot = await graph.getState(thread);
	if (snapshot.createdAt === undefined) {
		const asked = (await records.items(run.runId)).filter(({ taskId }) => taskId === task.id);
		const { bound, turns: turn } = record;
		const state = initialState({
			runId: run.runId,
			taskId: task.id,
			bound,
			turn,
			items: asked.length,
			// Newest first: a directive of before the reopening still binds.
			directive: asked.find(({ answer }) => answer?.choice === "directive")?.id ?? null,
		});
		await graph.invoke(state, config);
		return;
	}
	const before = snapshot.values as Partial<TaskState>;
	refuseOtherVersion(run.runId, before);
	if (takesNextPlace({ refusals: before.refusals ?? 0 })) context.queue.reserve(task.id);
	// Finished is "no tasks", never "no next": a crash between two writes leaves a task pending without a next.
	if (snapshot.tasks.length === 0) return;
	const waiting = snapshot.tasks.some(({ interrupts }) => interrupts.length > 0);
	// Whoever was killed after the answer was taken, and before the graph had noted it, waits for nobody either.
	if (!waiting || record.humanItem === null) {
		await graph.invoke(null, config);
		return;
	}
	const item = await records.item(record.humanItem);
	if (item?.answer == null) return;
	await graph.invoke(new Command({ resume: item.id }), config);
}

function refuseOtherVersion(runId: string, state: Partial<TaskState>): void {
	// Before its first node a thread holds no values yet; then there is nothing that could differ.
	if (state.graphVersion === undefined || state.graphVersion === GRAPH_VERSION) return;
	throw new Fault(
		`run ${runId} was begun by another version of Sparring (graph ${state.graphVersion}, this one has ${GRAPH_VERSION})`,
		{
			code: "run-not-resumable",
			hint: `Finish it with that version, or give it up with \`spar cancel ${runId}\` and start again.`,
		},
	);
}
