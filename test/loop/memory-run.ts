import { exitCodeOfReport } from "../../src/cli/terminal/exit-code.ts";
import { type TraceFile, traceOf } from "../../src/drive/trace-file.ts";
import type { GroundProblem } from "../../src/judge/ground-problems.ts";
import { type AnswerRequest, rejectItem, resolveItem } from "../../src/library/answer-item.ts";
import type { GitOfMaps } from "../../src/loop/git-of-maps.fixture.ts";
import type { Records } from "../../src/store/records.ts";
import type { StoredEvent } from "../../src/trace/event.ts";
import {
	type ItemDetailJson,
	type ItemJson,
	itemDetailJson,
	itemJson,
} from "../../src/view/item-json.ts";
import type { RunReport } from "../../src/view/report.ts";
import { readRunReport } from "../../src/view/run-report.ts";
import { MemoryAgents } from "./memory-agents.ts";
import { Killed, MemoryProcess } from "./memory-process.ts";
import { type MemoryPlay, MemoryState } from "./memory-state.ts";

export interface MemoryOutcome {
	/** Exit code that `spar run` would have. */
	readonly code: number;
	readonly report: RunReport;
	/** The task `one`, or the first of those named otherwise. */
	readonly task: RunReport["tasks"][string];
}

export interface MemoryRun {
	readonly git: GitOfMaps;
	readonly agents: MemoryAgents;
	/** Problems that would have stopped the run before its first call. */
	readonly problems: readonly GroundProblem[];
	/** Takes the run as far as it goes by itself, the first time or again as `spar resume` does. */
	readonly run: () => Promise<MemoryOutcome>;
	/** Likewise, and ends as if killed after an event that matches was stored: every later write is lost. */
	readonly killedAt: (matches: (event: StoredEvent) => boolean) => Promise<void>;
	readonly trace: (task?: string) => Promise<TraceFile>;
	/** Questions that wait, as `spar questions --json`. */
	readonly questions: () => Promise<readonly ItemJson[]>;
	/** The question that a task waits with. */
	readonly question: (task?: string) => Promise<ItemDetailJson>;
	readonly answer: (request: AnswerRequest, task?: string) => Promise<void>;
	readonly reject: (reason: string, task?: string) => Promise<void>;
	/** Text of a file on the integration branch; null where there is none. */
	readonly merged: (path: string) => string | null;
	/** Text of a file that other tools read, such as `state/pair-sessions/one.json`. */
	readonly shared: (key: string) => string | undefined;
	/** Writes such a file, as somebody else would. */
	readonly overwrite: (key: string, text: string) => Promise<void>;
	readonly records: Records;
}

/** Sets the scene of a run in memory; nothing has run yet. */
export function memoryRun(play: MemoryPlay): MemoryRun {
	const state = new MemoryState(play);
	const { records, git, blobs, run, home } = state;
	const { runId } = run;
	const agents = new MemoryAgents(play.steps, (dir) => state.checkoutAt(dir));
	const problems: GroundProblem[] = [];
	const process = async (isEnd: (event: StoredEvent) => boolean): Promise<void> => {
		const lease = await state.leases.take(runId);
		try {
			if ((await records.newestRun()) === undefined)
				await records.createRun(run, state.tasks(), lease);
			await new MemoryProcess(
				state,
				{ programs: play.programs ?? {}, agents, lease, problems },
				isEnd,
			).work();
		} finally {
			await lease.release();
		}
	};
	const itemOf = async (taskId: string): Promise<string> => {
		const id = (await records.task(runId, taskId))?.humanItem;
		if (id == null) throw new Error(`task ${taskId} waits for nobody`);
		return id;
	};
	const place = { root: home, env: {} };
	const first = state.workflow.tasks[0]?.id ?? "one";
	return {
		git,
		agents,
		problems,
		records,
		run: async () => {
			await process(() => false);
			return outcomeOf(state);
		},
		killedAt: async (matches) => {
			const ended = await process(matches).then(
				() => null,
				(error: unknown) => error,
			);
			if (!(ended instanceof Killed)) throw new Error("it was not killed", { cause: ended });
		},
		trace: (task = first) => traceOf(records, runId, task),
		questions: async () =>
			(await records.items(runId)).filter(({ answer }) => answer === null).map(itemJson),
		question: async (task = first) => {
			const item = await records.item(await itemOf(task));
			if (item === undefined) throw new Error(`no question of ${task}`);
			return itemDetailJson(item);
		},
		answer: async (request, task = first) =>
			void (await resolveItem(records, await itemOf(task), { ...request, ...place })),
		reject: async (reason, task = first) =>
			void (await rejectItem(records, await itemOf(task), { reason, ...place })),
		merged: (path) => git.text(git.refs.get(run.branch) ?? "", path),
		shared: (key) => blobs.texts.get(key),
		overwrite: (key, text) => blobs.put(key, text),
	};
}

async function outcomeOf({ records, run: { runId } }: MemoryState): Promise<MemoryOutcome> {
	const run = await records.run(runId);
	if (run === undefined) throw new Error("the run is not stored");
	const report = await readRunReport(
		records,
		{ run, tasks: await records.tasks(runId) },
		{
			newest: true,
			holder: null,
			shared: false,
			files_removed: false,
			unclaimed: [],
			stopped: [],
			held_back: [],
			landing_awaited: false,
			landing_refused: null,
			preflight_stopped: null,
			setup_cache: { results: 0, bytes: 0 },
			checkoutOf: () => null,
		},
	);
	const task = report.tasks["one"] ?? Object.values(report.tasks)[0];
	if (task === undefined) throw new Error("a report without tasks");
	return { code: exitCodeOfReport(report), report, task };
}
