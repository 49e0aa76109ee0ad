import type { Evidence } from "../../evidence/evidence.ts";
import { isAncestor, isCommit, treeOf } from "../../git/changes.ts";
import { commitMerge, forecastMerge } from "../../git/merging.ts";
import { messageWith } from "../../git/message.ts";
import { evidenceText } from "../../review/evidence-text.ts";
import type { StepKey, Write } from "../../store/records.ts";
import { checkAssembled } from "../assembled-tree.ts";
import { takeBaseline } from "../baseline.ts";
import { eventWrite, type Site, type TaskContext, taskWrite } from "../context.ts";
import { halt } from "../halt.ts";
import { mergeTroubleWrite } from "../merge-trouble.ts";
import type { TaskState } from "../state.ts";
import type { NodeResult } from "../traced-node.ts";
import { isUnchecked } from "./finalize.ts";

/** How often the merge is tried again because the integration branch moved meanwhile. */
const RACES = 3;

/**
 * `merge`: forecast, merge commit, a cold run of the checks on exactly that commit, and a compare-and-swap of the
 * integration branch: the commit that was tested is the commit that lands.
 */
export async function merge(
	context: TaskContext,
	state: TaskState,
	site: Site,
): Promise<NodeResult> {
	if (context.task.formalReview === true)
		return { update: { next: "merged" }, passedThrough: "a formal review has nothing to merge" };
	if (context.workflow.merge.into === "none")
		return { update: { next: "merged" }, passedThrough: "merge.into is none" };
	if (isUnchecked(context)) {
		return {
			update: { next: "merged" },
			passedThrough: "unchecked: neither a gate nor an acceptance check, so nothing is merged",
		};
	}
	for (let race = 0; race < RACES; race += 1) {
		const result = await mergeOnce(context, state, site, race);
		if (result !== "moved") return result;
	}
	return {
		update: halt(
			"environment",
			`${context.run.branch} moved ${RACES} times while ${context.task.id} was merging`,
			"merge",
		),
	};
}

/** Stored before it is acted on: the merge commit is the same one after a kill. */
interface Intent {
	readonly tip: string;
	readonly commit: string;
	/** Time of the commit in ms since the epoch: with it the same commit can be made again. */
	readonly at: number;
}

async function mergeOnce(
	context: TaskContext,
	state: TaskState,
	site: Site,
	race: number,
): Promise<NodeResult | "moved"> {
	const key = intentKey(context, state, race);
	// The step holds what the lines below wrote.
	const stored = (await context.records.step(key)) as Intent | undefined;
	const tip = await context.refs.integrationTip();
	const made = stored !== undefined && (await isCommit(context.vault, stored.commit));
	if (made && (await isAncestor(context.vault, stored.commit, tip)))
		return merged(context, site, stored);
	if (stored !== undefined && stored.tip !== tip) return "moved";
	const intent = made ? stored : await intend(context, state, site, { key, tip, at: stored?.at });
	if ("refused" in intent) return intent.refused;
	const cold = await coldRun(context, state, site, intent);
	if (cold !== null) return cold;
	if (!(await context.refs.moveIntegration(intent.tip, intent.commit))) return "moved";
	return merged(context, site, intent);
}

function intentKey(context: TaskContext, state: TaskState, race: number): StepKey {
	const step = `merge-intent/${context.epoch}.${state.items}/${race}`;
	return { runId: context.run.runId, taskId: context.task.id, turn: state.turn, step };
}

async function intend(
	context: TaskContext,
	state: TaskState,
	site: Site,
	{
		key,
		tip,
		at = context.clock.now(),
	}: { readonly key: StepKey; readonly tip: string; readonly at?: number | undefined },
): Promise<Intent | { readonly refused: NodeResult }> {
	const forecast = await forecastMerge(context.vault, tip, state.commit);
	const conflicts = forecast.clean ? [] : [...forecast.conflicts];
	const event = eventWrite(context, site, "merge-forecast", { clean: forecast.clean, conflicts });
	if (!forecast.clean) {
		const trouble = `These files changed on both sides and could not be merged:\n${conflicts.join("\n")}\n\nThe checkout holds both sides between conflict markers. Resolve every one of them.`;
		return {
			refused: await rework(context, state, site, {
				tip,
				tree: forecast.tree,
				trouble,
				writes: [event],
			}),
		};
	}
	const { task, run, vault } = context;
	const commit = await commitMerge(vault, {
		tree: forecast.tree,
		parents: [tip, state.commit],
		message: messageWith(`Merge ${task.id} after turn ${state.turn}`, {
			run: run.runId,
			task: task.id,
			turn: state.turn,
		}),
		at,
	});
	// Before a row names it: the cold run may take long, and `git gc` removes what no ref holds.
	await context.refs.keep(`merge-${state.turn}`, commit);
	const intent: Intent = { tip, commit, at };
	await context.commit([{ kind: "step", key, result: intent }, event]);
	return intent;
}

/** Checks the assembled tree from a cold setup. Null: it may land. */
async function coldRun(
	context: TaskContext,
	state: TaskState,
	site: Site,
	intent: Intent,
): Promise<NodeResult | null> {
	if (intent.tip !== state.start) await takeBaseline(context, site, intent.tip);
	const result = await checkAssembled(context, state, site, intent.commit);
	switch (result.kind) {
		case "pass":
			return null;
		case "red":
			return redTree(context, state, site, { intent, short: result.short });
		case "spoilt": {
			const reasons = result.spoilt.map(
				({ check, status, reason }) => `${check} is ${status}: ${reason ?? "no reason"}`,
			);
			const why = `the assembled tree could not be checked: ${reasons.join("; ")}`;
			return { update: halt("environment", why, "merge") };
		}
	}
}

async function redTree(
	context: TaskContext,
	state: TaskState,
	site: Site,
	{ intent, short }: { readonly intent: Intent; readonly short: readonly Evidence[] },
): Promise<NodeResult> {
	const trouble = `The checks failed on the assembled tree, in a fresh checkout with a fresh setup:\n\n${short.map(evidenceText).join("\n\n")}`;
	const tree = await treeOf(context.vault, intent.commit);
	return rework(context, state, site, {
		tip: intent.tip,
		tree,
		trouble,
		writes: [assembledWrite(context, site, "fail")],
	});
}

/** Characters of what hindered a merge that its event tells. */
const MAX_REASON = 2_000;

/** The lines that fit: one that does not is left out, since a secret that is cut is not recognised when it is stored. */
function firstLines(text: string, limit: number): string {
	if (text.length <= limit) return text;
	const cut = text.slice(0, limit);
	return cut.slice(0, Math.max(0, cut.lastIndexOf("\n")));
}

/** Gives the task back to its player, with the integration branch merged in so that it can see what went wrong. */
async function rework(
	context: TaskContext,
	state: TaskState,
	site: Site,
	found: {
		readonly tip: string;
		readonly tree: string;
		readonly trouble: string;
		readonly writes: readonly Write[];
	},
): Promise<NodeResult> {
	const { trouble, tip } = found;
	const moved = tip !== state.start;
	const commit = moved ? await bringIn(context, state, found) : state.commit;
	const atLimit = state.turn >= state.bound;
	const ended = `Max turns (${state.bound}) reached without approval: the work could not be merged`;
	return {
		update: {
			next: atLimit ? "max_turns" : "feedback",
			start: tip,
			commit,
			...(moved ? { reviewed: "" } : {}),
			...(atLimit ? { trigger: "loop_exhausted", reason: ended, resumeAt: "player_turn" } : {}),
		},
		writes: [
			...found.writes,
			mergeTroubleWrite(context, state.turn, trouble),
			taskWrite(context, { startCommit: tip, commit }),
			eventWrite(context, site, "merge-refused", {
				reason: firstLines(trouble, MAX_REASON),
				attempt: state.items + 1,
			}),
		],
	};
}

async function bringIn(
	context: TaskContext,
	state: TaskState,
	{ tip, tree }: { readonly tip: string; readonly tree: string },
): Promise<string> {
	const at = await bringInTime(context, state);
	const commit = await commitMerge(context.vault, {
		tree,
		parents: [state.commit, tip],
		message: messageWith(
			`${context.task.id}: integration branch merged in after turn ${state.turn}`,
			{
				run: context.run.runId,
				task: context.task.id,
				turn: state.turn,
			},
		),
		at,
	});
	await context.refs.publish(`turn-${state.turn}-merge`, commit, state.commit);
	await takeBaseline(context, { turn: state.turn, node: "merge" }, tip);
	return commit;
}

/** Stored before the commit is made, so that it is the same commit after a kill. */
async function bringInTime(context: TaskContext, state: TaskState): Promise<number> {
	const key: StepKey = {
		runId: context.run.runId,
		taskId: context.task.id,
		turn: state.turn,
		step: `bring-in/${context.epoch}.${state.items}`,
	};
	const stored = await context.records.step(key);
	if (typeof stored === "number") return stored;
	const at = context.clock.now();
	await context.commit([{ kind: "step", key, result: at }]);
	return at;
}

/** What the checks of the assembled tree said, for the score of the turn. */
function assembledWrite({ run, task }: TaskContext, { turn }: Site, said: "pass" | "fail"): Write {
	const of = { runId: run.runId, taskId: task.id, turn };
	return { kind: "score-outcome", ...of, patch: { assembled: said } };
}

function merged(context: TaskContext, site: Site, intent: Intent): NodeResult {
	const wasChecked = context.workflow.checks.some(({ kind }) => kind === "acceptance");
	return {
		update: { next: "merged" },
		writes: [
			taskWrite(context, { merged: true, mergedCommit: intent.commit }),
			// What landed before does not hold this merge.
			{ kind: "run", runId: context.run.runId, patch: { landedCommit: null } },
			...(wasChecked ? [assembledWrite(context, site, "pass")] : []),
			eventWrite(context, site, "task-merged", { commit: intent.commit, into: context.run.branch }),
		],
	};
}
