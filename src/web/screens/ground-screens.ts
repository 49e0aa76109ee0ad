import { spawn } from "node:child_process";
import { closeSync, mkdirSync, openSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isOpen } from "../../human/human-item.ts";
import { counted } from "../../kernel/counted.ts";
import { Fault } from "../../kernel/fault.ts";
import { isEnded } from "../../kernel/task-state.ts";
import { obstacleOf } from "../../landing/prune-runs.ts";
import { callVerb, withTask } from "../../library/verbs/call.ts";
import { VERBS } from "../../library/verbs/table.ts";
import { findRun, isUnended, owesLanding } from "../../places/find-run.ts";
import type { LeaseHolder, RunRecord, TaskRecord } from "../../store/records.ts";
import type {
	Action,
	ActionBody,
	ActionList,
	ActionPreview,
	ActionStarted,
	ActionState,
} from "../protocol.ts";
import type { Screens } from "../screens.ts";
import { maskedValue, type ScreenGround } from "./ground.ts";
import { GroundFeed } from "./ground-feed.ts";
import { answerFromPage, inbox, itemDetail } from "./inbox.ts";
import { casesOf, Logs } from "./logs.ts";
import { editPlan, readPlan } from "./plan.ts";
import { runDetail, runsPage } from "./runs.ts";
import { diffText, findTask, taskDetail } from "./tasks.ts";

interface ActionEnd {
	/** null when a signal ended it. */
	readonly code: number | null;
	readonly said: readonly string[];
}

const MOST_LINES = 20;

const MOST_LINE = 500;

/**
 * Starts a program that outlives this one: in a session of its own, so that no Ctrl-C of a terminal reaches it. Resolves with
 * its end, as far as this process is there to see it; rejects where it cannot be started.
 */
export async function runDetached(
	command: readonly [program: string, ...args: string[]],
	place: {
		readonly directory: string;
		readonly env: Readonly<Record<string, string | undefined>>;
		readonly output: string;
	},
): Promise<ActionEnd> {
	mkdirSync(dirname(place.output), { recursive: true });
	const file = openSync(place.output, "w", 0o600);
	const { promise, resolve, reject } = Promise.withResolvers<number | null>();
	try {
		const [program, ...args] = command;
		const child = spawn(program, args, {
			cwd: place.directory,
			env: place.env,
			detached: true,
			stdio: ["ignore", file, file],
		});
		child.once("error", reject);
		child.once("exit", (code) => resolve(code));
		child.unref();
	} finally {
		closeSync(file);
	}
	return { code: await promise, said: lastLines(readFileSync(place.output, "utf8")) };
}

export function lastLines(text: string): readonly string[] {
	return text
		.split("\n")
		.filter((line) => line.trim() !== "")
		.slice(-MOST_LINES)
		.map((line) => line.slice(0, MOST_LINE));
}

export interface ActionFacts {
	readonly run: RunRecord;
	readonly tasks: readonly TaskRecord[];
	readonly holder: Pick<LeaseHolder, "host" | "pid"> | undefined;
	readonly waiting: number;
	readonly answered: number;
	/** Reason why it is not pruned; null: it can be. */
	readonly pruneObstacle: string | null;
}

export function actionPreviews(facts: ActionFacts): readonly ActionPreview[] {
	return [resumeOf(facts), landOf(facts), cancelOf(facts), pruneOf(facts)];
}

const heldBy = ({ holder }: ActionFacts): string | null =>
	holder === undefined ? null : `${holder.host}:${holder.pid} works on it`;

const OWN_PROCESS =
	"It runs as a process of its own: closing this page or `spar ui` does not end it.";

function resumeRefusal(facts: ActionFacts): string | null {
	const { run, waiting, answered } = facts;
	if (run.pruned) return "it was pruned: start a new run";
	if (run.status === "cancelled") return "it was cancelled: start a new run";
	if (run.status === "completed" && !owesLanding(run)) return "it has completed";
	const stands = run.status === "paused_for_user_escalation" && answered === 0;
	if (stands && waiting > 0)
		return `it waits for an answer: see the inbox (${counted(waiting, "question")})`;
	return heldBy(facts);
}

function resumeOf(facts: ActionFacts): ActionPreview {
	const { run, tasks, answered } = facts;
	const open = tasks.filter(({ status }) => !isEnded(status)).length;
	const failed = tasks.filter(({ status }) => status === "failed").length;
	const effects = [
		...(open > 0 ? [`Tasks that go on from their last step: ${open}.`] : []),
		...(answered > 0 ? [`Answers that are acted on: ${answered}.`] : []),
		...(failed > 0 ? [`Failed tasks that go on if they get more turns: ${failed}.`] : []),
		...(owesLanding(run) ? [`What merged is brought into ${run.baseBranch}.`] : []),
		OWN_PROCESS,
	];
	return {
		action: "resume",
		refused: resumeRefusal(facts),
		effects,
		command: `spar resume ${run.runId}`,
	};
}

function landOf(facts: ActionFacts): ActionPreview {
	const { run, tasks } = facts;
	const merged = tasks.filter((task) => task.merged).length;
	const refused = (): string | null => {
		if (merged === 0) return "no task of it has merged anything";
		if (run.landedCommit !== null) return `${run.baseBranch} has it since it was landed`;
		return run.pruned ? "it was pruned: its branches are gone" : heldBy(facts);
	};
	const effects = [
		`${run.baseBranch} gets what ${counted(merged, "task")} merged into ${run.branch}.`,
		`If ${run.baseBranch} has moved, it is merged into the integration branch and checked cold first.`,
		"A checkout of yours that stands on it moves along if it is clean; otherwise nothing is landed.",
		OWN_PROCESS,
	];
	return { action: "land", refused: refused(), effects, command: `spar land ${run.runId}` };
}

function cancelOf(facts: ActionFacts): ActionPreview {
	const { run, tasks, holder, waiting } = facts;
	const open = tasks.filter(({ status }) => !isEnded(status)).length;
	const effects = [
		holder === undefined
			? "Nobody works on it: it is marked as cancelled."
			: `${holder.host}:${holder.pid} is asked to stop: its agents and checks end at once.`,
		`Tasks that are cancelled, and cannot be resumed: ${open}.`,
		...(waiting > 0 ? [`Questions that are closed without an answer: ${waiting}.`] : []),
		"What has merged stays on its branch.",
	];
	const refused = isUnended(run) ? null : `it has ended as ${run.status}`;
	return { action: "cancel", refused, effects, command: `spar cancel ${run.runId}` };
}

function pruneOf(facts: ActionFacts): ActionPreview {
	const { run, pruneObstacle } = facts;
	const refused = run.pruned ? "it was pruned" : (pruneObstacle ?? heldBy(facts));
	const effects = [
		"Its checkouts, outputs, transcripts, branches and private refs are removed.",
		"What a checkout holds and no commit has is archived first, under refs/sparring/archive.",
		"Its records stay: this page still tells what happened.",
	];
	return { action: "prune", refused, effects, command: "spar prune" };
}

interface ActionsOptions {
	readonly program: readonly [string, ...string[]];
	readonly onEnded: (state: ActionState) => void;
}

export class Actions {
	readonly #ground: ScreenGround;
	readonly #options: ActionsOptions;
	// One may be cancelled while it lands.
	readonly #underWay = new Set<string>();
	readonly #last = new Map<string, ActionState>();

	constructor(ground: ScreenGround, options: ActionsOptions) {
		this.#ground = ground;
		this.#options = options;
	}

	last(runId: string): ActionState | null {
		return this.#last.get(runId) ?? null;
	}

	async list(runId: string): Promise<ActionList> {
		const { records } = await this.#ground.existing();
		const cursor = await records.newestEvent();
		const facts = await this.#facts(runId);
		const actions = actionPreviews(facts);
		const masker = await this.#ground.masks.of(facts.run);
		return maskedValue(masker, { cursor, actions, last_action: this.last(runId) });
	}

	async #facts(runId: string): Promise<ActionFacts> {
		const store = await this.#ground.existing();
		const run = await findRun(store.records, runId);
		const items = await store.records.items(runId);
		const repository = await this.#ground.repository();
		const prune = {
			store,
			places: this.#ground.places,
			repository,
			force: false,
			runId,
			env: this.#ground.env,
		};
		return {
			run,
			tasks: await store.records.tasks(runId),
			holder: await store.leases.holder(runId),
			waiting: items.filter(isOpen).length,
			answered: items.filter(({ answer, consumed }) => answer !== null && !consumed).length,
			pruneObstacle: run.pruned ? null : await obstacleOf(prune, run),
		};
	}

	async begin(runId: string, action: Action, body: ActionBody): Promise<ActionStarted> {
		const previews = actionPreviews(await this.#facts(runId));
		const refused = previews.find((preview) => preview.action === action)?.refused ?? null;
		const isUnderWay = this.#underWay.has(`${runId} ${action}`);
		if (refused !== null || isUnderWay) {
			throw new Fault(`run ${runId}: ${refused ?? `${action} is under way`}`, {
				code: "outdated",
				hint: "Look at the run again: it may have changed since.",
			});
		}
		const state: ActionState = {
			run_id: runId,
			action,
			started_at: new Date().toISOString(),
			ended_at: null,
			exit_code: null,
			said: [],
		};
		this.#last.set(runId, state);
		this.#underWay.add(`${runId} ${action}`);
		void this.#untilEnded(state, this.#work(runId, action, body));
		return { started: state };
	}

	async #untilEnded(state: ActionState, work: Promise<ActionEnd>): Promise<void> {
		const { code, said } = await work.catch(endOfError);
		this.#underWay.delete(`${state.run_id} ${state.action}`);
		const masker = this.#ground.masks.plain();
		const ended: ActionState = {
			...state,
			ended_at: new Date().toISOString(),
			exit_code: code,
			said: said.map((line) => masker.mask(line)),
		};
		// What was begun since is newer news of the run.
		if (this.#last.get(state.run_id) === state) this.#last.set(state.run_id, ended);
		this.#options.onEnded(ended);
	}

	async #work(runId: string, action: Action, { max_turns: turns }: ActionBody): Promise<ActionEnd> {
		const { sparring } = this.#ground;
		switch (action) {
			case "cancel":
				await sparring.cancel(runId);
				return { code: 0, said: ["cancelled"] };
			case "prune": {
				const { kept } = await sparring.prune({ runId });
				const said = kept.map(({ reason }) => reason);
				return { code: kept.length === 0 ? 0 : 1, said };
			}
			case "resume":
				return await this.#spar(runId, [
					"resume",
					runId,
					...(turns === undefined ? [] : ["--max-turns", String(turns)]),
				]);
			case "land":
				return await this.#spar(runId, ["land", runId]);
		}
	}

	async #spar(runId: string, args: readonly [Action, ...string[]]): Promise<ActionEnd> {
		const { places, env } = this.#ground;
		const [program, ...before] = this.#options.program;
		return await runDetached([program, ...before, ...args], {
			directory: places.root,
			env,
			output: join(places.stateDir, "actions", `${runId}-${args[0]}.log`),
		});
	}
}

function endOfError(error: unknown): ActionEnd {
	if (!(error instanceof Fault)) return { code: 70, said: ["this is a bug in Sparring"] };
	return { code: 2, said: [error.message, ...(error.hint === undefined ? [] : [error.hint])] };
}

export interface ScreensOptions {
	readonly version: string;
	readonly program: readonly [string, ...string[]];
}

export function groundScreens(ground: ScreenGround, { version, program }: ScreensOptions): Screens {
	const logs = new Logs(ground);
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
		diff: (place, range) => diffText(ground, place, range),
		cases: (place, of) => casesOf(ground, place, of),
		logs: (place) => logs.list(place),
		log: (place, path, from) => logs.part(place, path, from),
		events: (run, page) => eventsPage(ground, run, page),
		actions: (runId) => actions.list(runId),
		act: (runId, action, body) => actions.begin(runId, action, body),
		plan: (file) => readPlan(ground, file),
		editPlan: (edit) => editPlan(ground, edit),
		verb: async (method, asked) => {
			const given = await withTask(VERBS[method].fields, ground.sparring, asked);
			const told = await callVerb(method, ground.sparring, given);
			return await maskedForRuns(ground, { told }, given["runId"]);
		},
		feed,
	};
}

/** Masked with the secrets of each run that is asked about or named in it, which may be known since. */
async function maskedForRuns<T extends object>(
	ground: ScreenGround,
	value: T,
	asked: unknown,
): Promise<T> {
	const named = JSON.stringify(value).matchAll(/"run(?:_id|Id)?":"([^"]+)"/g);
	const newest = await (await ground.store())?.records.newestRun();
	let masked = maskedValue(ground.masks.plain(), value);
	for (const run of new Set([...Array.from(named, ([, id]) => id), asked ?? newest])) {
		const masker = typeof run === "string" ? await ground.maskerOf(run) : undefined;
		if (masker !== undefined) masked = maskedValue(masker, masked);
	}
	return masked;
}

async function eventsPage(
	ground: ScreenGround,
	run: string,
	{ after, limit, task }: Parameters<Screens["events"]>[1],
): ReturnType<Screens["events"]> {
	const { records } = await ground.existing();
	const found = await (task === null
		? findRun(records, run)
		: findTask(records, { run, task }).then((place) => place.run));
	const selection = { runId: found.runId, taskId: task };
	const events = await records.eventsAfter(after, selection, limit);
	const next = events.length < limit ? null : (events.at(-1)?.id ?? null);
	return maskedValue(await ground.masks.of(found), { events, next });
}
