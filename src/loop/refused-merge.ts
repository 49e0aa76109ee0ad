import { joined } from "../review/task-text.ts";
import { type StepKey, stepWrite, type Write } from "../store/records.ts";
import { isConflictMarker } from "../wall/integrity/left-markers.ts";
import type { NodeResult } from "./node.ts";
import type { NodeInput } from "./node-input.ts";
import type { RefusedMerge } from "./records/merge-trouble.ts";
import { assembledChecked, mergeForecast, mergeRefused } from "./records/task.ts";
import { taskStep } from "./records/task-log.ts";
import type { TaskState, Update } from "./state.ts";

export interface Refusal extends RefusedMerge {
	readonly tip: string;
	readonly unmarked: readonly string[];
}

/** A refusal that was begun, and the time of the commit that brings the branch in, in ms since the epoch. */
interface BegunRefusal extends Refusal {
	readonly at: number;
}

const MOST_REFUSALS = 3;

/** Tells whether the queue waits for this work: it was refused twice, and a third time is a person's. */
export function takesNextPlace({ refusals }: Pick<TaskState, "refusals">): boolean {
	return refusals >= MOST_REFUSALS - 1;
}

// No turn of the task's own is charged: the bound grows by one. The refusal is stored before it is acted on; after a
// kill it is carried out as it was begun, wherever the branch stands by then.
export async function refuse(
	input: NodeInput,
	refusal: Refusal,
): Promise<NodeResult<"feedback" | "refused">> {
	const { log, keep } = input;
	const begun = { ...refusal, at: log.now() };
	await keep([stepWrite(refusalStep(input), begun)]);
	return await carryOut(input, begun);
}

export async function begunRefusal(
	input: NodeInput,
): Promise<NodeResult<"feedback" | "refused"> | null> {
	const begun = await input.read.step(refusalStep(input));
	return begun === undefined ? null : await carryOut(input, begun);
}

function refusalStep({ facts, state, log }: NodeInput): StepKey<BegunRefusal> {
	return log.key<BegunRefusal>(`merge-refusal/${facts.epoch}.${state.items}`);
}

async function carryOut(
	input: NodeInput,
	refusal: BegunRefusal,
): Promise<NodeResult<"feedback" | "refused">> {
	const { state, log } = input;
	const { tip, trouble, told, unmarked } = refusal;
	const hasMoved = tip !== state.start;
	const commit = hasMoved ? await bringIn(input, refusal) : state.commit;
	const changed: Update = { start: tip, commit };
	const update = hasMoved ? { ...changed, reviewed: "" } : changed;
	// The place that was kept for it was lost with a process, or somebody moved the branch: it gets the turn again.
	const refusals = takesNextPlace(state) && hasMoved ? state.refusals : state.refusals + 1;
	const writes = [
		...(trouble.kind === "conflict"
			? mergeForecast(log, trouble.paths)
			: assembledChecked(log, "fail")),
		...mergeRefused(log, { tip, commit, trouble, told }, refusals),
		conflictLeft(log, { commit, paths: unmarked }),
	];
	if (refusals < MOST_REFUSALS) {
		const bound = state.bound + 1;
		return { update: { ...update, refusals, bound, next: "feedback" }, writes };
	}
	const reason = { kind: "merge_refused", times: refusals } as const;
	// Whatever a person says, the count begins again.
	return {
		update: { ...update, refusals: 0, next: "refused", trigger: "merge", reason },
		writes,
	};
}

async function bringIn(
	{ facts, state, commits, refs, checks }: NodeInput,
	{ tip, at }: BegunRefusal,
): Promise<string> {
	// Without the verifier's tests, which are no part of what the player works on.
	const own = await commits.forecast(tip, state.commit);
	const commit = await commits.merge({
		tree: own.tree,
		parents: [state.commit, tip],
		subject: `${facts.task.id}: integration branch merged in after turn ${state.turn}`,
		at,
	});
	await refs.publish(`turn-${state.turn}-merge`, commit, state.commit);
	await checks.takeBaseline(tip);
	return commit;
}

export interface Conflict {
	readonly tip: string;
	readonly tree: string;
	readonly conflicts: readonly string[];
}

const MOST_HUNKS = 5_000;

export async function conflictRefusal(input: NodeInput, conflict: Conflict): Promise<Refusal> {
	const { commits } = input;
	const { tip, tree, conflicts } = conflict;
	const hunks: ConflictHunk[] = [];
	const unmarked: string[] = [];
	for (const path of conflicts) {
		const found = conflictHunks(path, (await commits.textAt(tree, path)) ?? "");
		hunks.push(...found);
		if (found.length === 0) unmarked.push(path);
	}
	const told = joined([
		`These files changed on both sides and could not be merged:\n${conflicts.join("\n")}`,
		placesText(hunks),
		await intentsText(input, conflict),
		hunks.length === 0
			? ""
			: "The checkout holds both sides of these places between conflict markers. Resolve every one of them so that both tasks keep what they are for.",
		unmarkedText(unmarked),
	]);
	return { tip, trouble: { kind: "conflict", paths: conflicts }, told, unmarked };
}

function unmarkedText(paths: readonly string[]): string {
	if (paths.length === 0) return "";
	return `In these files git could not mark the conflict. The checkout has them as the merge left them, often with the work of one side only:
${paths.join("\n")}

Change each of them so that both tasks keep what they are for. If one is right as it is, or is rightly gone, give its path in \`implementation_notes\`; the work is not approved before.`;
}

function placesText(hunks: readonly ConflictHunk[]): string {
	const shown: string[] = [];
	let length = 0;
	for (const { path, line, text } of hunks) {
		const part = `${path}, line ${line}:\n${text}`;
		length += part.length;
		if (length > MOST_HUNKS) break;
		shown.push(part);
	}
	const more = hunks.length - shown.length;
	if (shown.length === 0) return "";
	const rest = more === 0 ? "" : `\n\nand ${more} more`;
	return `The conflicting places, first the integration branch, then your work:\n\n${shown.join("\n\n")}${rest}`;
}

async function intentsText(
	{ state, commits, others }: NodeInput,
	{ conflicts }: Conflict,
): Promise<string> {
	const paths = new Set(conflicts);
	const intents: string[] = [];
	for (const { id, description, mergedCommit } of await others()) {
		if (mergedCommit === null) continue;
		// One that another machine merged after the branch was brought here is on no side of this conflict.
		if (!(await commits.isCommit(mergedCommit))) continue;
		if (await commits.isAncestor(mergedCommit, state.start)) continue;
		const changes = await commits.changes(`${mergedCommit}^`, mergedCommit);
		if (changes.some(({ path }) => paths.has(path))) intents.push(`${id}: ${description}`);
	}
	if (intents.length === 0) return "";
	return `The other side comes from:\n${intents.join("\n")}`;
}

// The commit with both sides, and the files without markers that nobody has decided on since.
export interface UndecidedConflict {
	readonly commit: string;
	readonly paths: readonly string[];
}

const conflictStep = taskStep<UndecidedConflict>("undecided-conflict");

/** Takes the place of what was stored; without paths, all is decided. */
export function conflictLeft(
	of: Pick<StepKey, "runId" | "taskId">,
	conflict: UndecidedConflict,
): Write {
	return stepWrite(conflictStep(of), conflict);
}

// Such a file, as the merge left it, has one side's work only, and nobody has decided that. A decision stays.
export async function undecidedConflict({
	state,
	read,
	log,
	commits,
}: Pick<NodeInput, "state" | "read" | "log" | "commits">): Promise<UndecidedConflict | null> {
	const conflict = await read.step(conflictStep(log));
	if (conflict === undefined || conflict.paths.length === 0) return null;
	const { commit } = conflict;
	// A task whose commits were lost has gone back behind the merge, and meets the conflict again.
	const isAhead =
		(await commits.isCommit(commit)) && (await commits.isAncestor(commit, state.commit));
	if (!isAhead) return { commit, paths: [] };
	const changed = new Set((await commits.changes(commit, state.commit)).map(({ path }) => path));
	const { notes } = await read.turn(log.turn);
	return {
		commit,
		paths: conflict.paths.filter((path) => !changed.has(path) && !isNamed(path, notes)),
	};
}

// `old/a.bin is right.` names `old/a.bin`, and not `a.bin`.
export function isNamed(path: string, text: string): boolean {
	const before = "(?:(?<![^\\s`\"'(])\\./|(?<![\\p{L}\\p{N}_./\\\\-]))";
	const after = "(?![\\p{L}\\p{N}_/\\\\-]|\\.[\\p{L}\\p{N}_])";
	return new RegExp(before + RegExp.escape(path) + after, "u").test(text);
}

export const undecidedText = (path: string): string =>
	`${path}: a merge could not put both sides of it together, and it stands as the merge left it; change it so that both tasks keep what they are for, or give its path in \`implementation_notes\` if it is right as it is, or is rightly gone`;

interface ConflictHunk {
	readonly path: string;
	readonly line: number;
	readonly text: string;
}

const MOST_LINES = 40;

export function conflictHunks(path: string, text: string): readonly ConflictHunk[] {
	const lines = text.split("\n");
	const hunks: ConflictHunk[] = [];
	let opened: number | null = null;
	for (const [at, line] of lines.entries()) {
		if (isConflictMarker(line, "<")) opened ??= at;
		if (opened === null || !isConflictMarker(line, ">")) continue;
		hunks.push({ path, line: opened + 1, text: cut(lines.slice(opened, at + 1)).join("\n") });
		opened = null;
	}
	return hunks;
}

function cut(lines: readonly string[]): readonly string[] {
	if (lines.length <= MOST_LINES) return lines;
	const half = MOST_LINES / 2;
	const left = lines.length - MOST_LINES;
	return [...lines.slice(0, half), `... ${left} more lines`, ...lines.slice(-half)];
}
