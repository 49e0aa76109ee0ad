import { basename } from "node:path";
import type { Screens, TaskPlace } from "../../web/screens.ts";
import { Actions } from "./actions.ts";
import { Diffs } from "./diffs.ts";
import type { Ground } from "./ground.ts";
import { GroundFeed } from "./ground-feed.ts";
import { answerFromPage, inbox, itemDetail } from "./inbox.ts";
import { casesOf, Logs } from "./logs.ts";
import { editPlan, readPlan } from "./plan.ts";
import { maskedValue } from "./run-masks.ts";
import { runDetail, runsPage } from "./runs.ts";
import { findTask, taskDetail } from "./tasks.ts";

/** What a repository's screens are made of. */
export interface ScreensOptions {
	/** Of Sparring. */
	readonly version: string;
	/** This program: what runs `spar` with arguments behind it. */
	readonly program: readonly [string, ...string[]];
}

/** The screens of a repository, over the same records and rules as the command line. */
export function groundScreens(ground: Ground, { version, program }: ScreensOptions): Screens {
	const logs = new Logs(ground);
	const diffs = new Diffs(ground);
	const feed = new GroundFeed(ground, logs);
	const actions = new Actions(ground, { program, onEnded: (state) => feed.tellEnded(state) });
	const { root } = ground.places;
	return {
		session: () => ({ repository: basename(root), root, version }),
		inbox: () => inbox(ground),
		item: (id) => itemDetail(ground, id),
		answer: (id, body) => answerFromPage(ground, id, body),
		runs: (query) => runsPage(ground, query),
		run: (runId) => runDetail(ground, runId, actions.last(runId)),
		task: (place) => taskDetail(ground, place),
		diff: (place, range) => diffs.text(place, range),
		cases: (place, of) => casesOf(ground, place, of),
		logs: (place) => logs.list(place),
		log: (place, path, from) => logs.part(place, path, from),
		events: (run, page) => eventsPage(ground, run, page),
		actions: (runId) => actions.list(runId),
		act: (runId, action, body) => actions.begin(runId, action, body),
		plan: (file) => readPlan(ground, file),
		editPlan: (edit) => editPlan(ground, edit),
		calibration: async () =>
			maskedValue([ground.masks.plain()], { groups: await ground.sparring.calibration() }),
		feed,
	};
}

/** Events of a run, or of one of its tasks. @throws Fault `run-not-found`, `task-not-found` */
async function eventsPage(
	ground: Ground,
	run: string,
	{
		after,
		limit,
		task,
	}: { readonly after: number; readonly limit: number; readonly task: string | null },
): ReturnType<Screens["events"]> {
	const { records } = await ground.existing();
	const { findRun } = await import("../find-run.ts");
	const place: TaskPlace | null = task === null ? null : { run, task };
	const found = place === null ? await findRun(records, run) : (await findTask(records, place)).run;
	const selection = { runId: found.runId, taskId: task };
	const events = await records.eventsAfter(after, selection, limit);
	const next = events.length < limit ? null : (events.at(-1)?.id ?? null);
	return maskedValue([await ground.masks.of(found)], { events, next });
}
