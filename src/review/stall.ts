import { issueKey } from "./finding.ts";

/** Newest turns that {@link detectStall} is to be given: a return to a tree of more than 19 turns ago is not seen. */
export const STALL_WINDOW = 20;

/** Part of a turn that stall detection reads. */
export interface StallTurn {
	readonly turn: number;
	/** Tree id after the turn. */
	readonly tree: string;
	/** Issue keys of the findings that were open after the turn. */
	readonly openIssues: readonly string[];
	/** A disputed finding was upheld in it, or its evidence was absent or error. */
	readonly exempt: boolean;
	/** A person answered after it: it and all before it no longer count. */
	readonly restarted: boolean;
	/** Tree id before the turn; left out: that of the next older turn in the list. */
	readonly startTree?: string;
}

const REPEATS = 3;

function setKey(texts: readonly string[]): string {
	return JSON.stringify([...new Set(texts)].sort());
}

function isRepeated(sets: readonly (readonly string[])[]): boolean {
	const keys = new Set(sets.map(setKey));
	return keys.size === 1 && !keys.has(setKey([]));
}

function countedTurns(turns: readonly StallTurn[]) {
	const restart = turns.findIndex(({ restarted }) => restarted);
	const since = restart === -1 ? turns : turns.slice(0, restart);
	return since
		.map((turn, index) => {
			const before = turn.startTree ?? turns[index + 1]?.tree;
			return { ...turn, idle: before === turn.tree };
		})
		.filter(({ exempt }) => !exempt);
}

/**
 * The sign, as one sentence, that the loop makes no progress after the newest turn; null when there is none. The
 * signs: the same non-empty set of open findings in three turns, the newest included; a tree equal to one older than
 * the previous turn's, with a different tree between; two turns in a row that changed nothing.
 *
 * An exempt turn is left out, so it neither lengthens a streak nor breaks one, or a dispute every third turn would
 * hide any stall. When the newest turn is exempt nothing is detected, since each sign includes it. What a turn
 * changed is still measured against the turn that really came before it.
 *
 * @param inTheWay what the newest turn was not approved for, in short
 */
export function detectStall(
	turns: readonly StallTurn[],
	inTheWay: readonly string[],
): { readonly reason: string } | null {
	const [newest] = turns;
	if (newest === undefined || newest.exempt) return null;
	const counted = countedTurns(turns);
	const recent = counted.slice(0, REPEATS);
	if (recent.length === REPEATS && isRepeated(recent.map(({ openIssues }) => openIssues))) {
		const names = recent.map(({ turn }) => turn).reverse();
		return { reason: `after turns ${names.join(", ")} this is still open: ${inTheWay.join(", ")}` };
	}
	const different = counted.findIndex(({ tree }) => tree !== newest.tree);
	const older =
		different === -1
			? undefined
			: counted.slice(different).find(({ tree }) => tree === newest.tree);
	if (older !== undefined)
		return { reason: `turn ${newest.turn} came back to the tree of turn ${older.turn}` };
	const [last, previous] = counted;
	if (last?.idle === true && previous?.idle === true)
		return { reason: `turns ${previous.turn} and ${last.turn} changed nothing` };
	return null;
}

/**
 * Tells whether all rounds of feedback name the same set of issues, compared by issue key; a round without a list
 * names none, and no round at all gives false. For whoever watches a task from outside, over `feedbackHistory` of
 * its state; the loop itself goes by {@link detectStall}.
 */
export function allSameIssues(
	feedbacks: readonly {
		readonly feedback_items?: readonly { readonly issue: string }[] | undefined;
	}[],
): boolean {
	const sets = feedbacks.map(({ feedback_items: items = [] }) =>
		setKey(items.map(({ issue }) => issueKey(issue))),
	);
	return new Set(sets).size === 1;
}
