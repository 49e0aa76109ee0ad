import { asked } from "../../human/human-item.ts";
import { snake } from "../../kernel/snake-case.ts";
import type { LastSaid } from "../../library/task-logs.ts";
import { findRun } from "../../places/find-run.ts";
import type { Store } from "../../places/store.ts";
import type { RunOverview } from "../../store/overviews.ts";
import { runSummary } from "../../view/run-summary.ts";
import { taskHeads } from "../../view/view-of.ts";
import type { ActionState, LastWords, RunDetail, RunRow, RunsPage } from "../protocol.ts";
import type { Screens } from "../screens.ts";
import { maskedValue, type ScreenGround } from "./ground.ts";
import { inboxItems } from "./inbox.ts";

async function runRow(store: Store, run: RunOverview): Promise<RunRow> {
	return {
		...(await runSummary(store, run)),
		...snake(run, "pruned", "cancelRequested", "costUsd"),
		unknown_cost_calls: run.unknownCalls,
		held_ms: Math.round(run.heldMs),
	};
}

export async function runsPage(
	ground: ScreenGround,
	{ filter, before, limit }: Parameters<Screens["runs"]>[0],
): Promise<RunsPage> {
	const store = await ground.store();
	if (store === null) return { cursor: 0, runs: [], next: null };
	const cursor = await store.records.newestEvent();
	const found = await store.records.runPage({ selection: filter, before, limit: limit + 1 });
	const shown = found.slice(0, limit);
	const runs: RunRow[] = [];
	for (const run of shown) runs.push(await runRow(store, run));
	const next = found.length > limit ? (shown.at(-1)?.runId ?? null) : null;
	return { cursor, next, runs: maskedValue(ground.masks.plain(), runs) };
}

/** Last lines of tasks, as the page reads them. */
export const lastWords = (said: ReadonlyMap<string, LastSaid>): LastWords =>
	Object.fromEntries(
		[...said].map(([task, { line, at }]) => [task, { line, at: new Date(at).toISOString() }]),
	);

export async function runDetail(
	ground: ScreenGround,
	runId: string,
	lastAction: ActionState | null,
): Promise<RunDetail> {
	const store = await ground.existing();
	const { records } = store;
	const cursor = await records.newestEvent();
	const run = await findRun(records, runId);
	const view = await ground.sparring.result(runId, []);
	const open = asked(await records.openItems()).filter((item) => item.runId === runId);
	const detail: RunDetail = {
		...view,
		cursor,
		tasks: taskHeads(run, await records.tasks(runId), view.run),
		questions: await inboxItems(ground, store, open),
		last_said: lastWords(await ground.sparring.lastSaid(runId)),
		last_action: lastAction,
	};
	return maskedValue(await ground.masks.of(run), detail);
}
