import { type StepKey, stepWrite, type Write } from "../store/records.ts";
import type { NodeInput } from "./node.ts";

/**
 * What a refused merge left to the player where git could set no markers: the commit with both sides, and the files that
 * nobody has decided on since.
 */
export interface UndecidedConflict {
	readonly commit: string;
	readonly paths: readonly string[];
}

/** A record and no state of the graph: a task that is reopened begins its graph again, and has to decide all the same. */
const conflictStep = ({ runId, taskId }: Pick<StepKey, "runId" | "taskId">) =>
	({ runId, taskId, turn: 0, step: "undecided-conflict" }) as StepKey<UndecidedConflict>;

/** Takes the place of what was stored; without paths, all is decided. */
export function conflictLeft(
	of: Pick<StepKey, "runId" | "taskId">,
	conflict: UndecidedConflict,
): Write {
	return stepWrite(conflictStep(of), conflict);
}

type Input = Pick<NodeInput, "state" | "read" | "log" | "commits">;

/**
 * The files of a conflict without markers that the player neither changed nor named: what the merge left there has one
 * side's work only, and nobody has decided that. What is decided once stays decided.
 *
 * @returns null when there was nothing to decide
 */
export async function undecidedConflict({
	state,
	read,
	log,
	commits,
}: Input): Promise<UndecidedConflict | null> {
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

/**
 * Whether a text gives a path, and not only one that holds it.
 *
 * @example `"old/a.bin is right."` names `old/a.bin`, and not `a.bin`
 */
export function isNamed(path: string, text: string): boolean {
	for (let at = text.indexOf(path); at !== -1; at = text.indexOf(path, at + 1)) {
		const before = text.slice(0, at).replace(/(?<![^\s`"'(])\.\/$/u, "");
		const isWhole = !PART_BEFORE.test(before) && !PART_AFTER.test(text.slice(at + path.length));
		if (isWhole) return true;
	}
	return false;
}

const PART_BEFORE = /[\p{L}\p{N}_./\\-]$/u;
/** A full stop may end the sentence. */
const PART_AFTER = /^(?:[\p{L}\p{N}_/\\-]|\.[\p{L}\p{N}_])/u;

/** One sentence for the player. */
export const undecidedText = (path: string): string =>
	`${path}: a merge could not put both sides of it together, and it stands as the merge left it; change it so that both tasks keep what they are for, or give its path in \`implementation_notes\` if it is right as it is, or is rightly gone`;
