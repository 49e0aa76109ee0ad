import { blockedOf } from "../agents/player-blocked.ts";
import { caseName, namesOf } from "../confidence/requirement-coverage.ts";
import type { Evidence } from "../evidence/evidence.ts";
import type { BlockedInQuestion } from "../human/question.ts";
import type { PlayerBlocked } from "../kernel/player-blocked.ts";
import type { TaskReader } from "./task-reader.ts";

/** Why the player stopped in a turn; null where it did not. */
export async function blockedIn(
	read: Pick<TaskReader, "calls">,
	turn: number,
): Promise<PlayerBlocked | null> {
	const calls = turn === 0 ? [] : await read.calls(turn, "player");
	const last = calls.findLast(({ outcome }) => outcome === "answered");
	const blocked = blockedOf(last?.report ?? null);
	return blocked === null || blocked.what === "" ? null : blocked;
}

/** What a player said, with what Sparring's own run on the turn's tree says of the test cases that it names. */
export function blockedAsked(
	blocked: PlayerBlocked,
	evidence: readonly Evidence[],
): BlockedInQuestion {
	const said = [blocked.what, ...blocked.evidence, blocked.proposal].map(caseName);
	const tests = evidence
		.filter(({ kind }) => kind === "acceptance")
		.flatMap(({ check, cases }) =>
			(cases ?? [])
				.filter(({ id }) => namesOf(caseName(id)).some((name) => said.some(naming(name))))
				.map(({ id: name, status, message = null }) => ({ check, name, status, message })),
		);
	return { ...blocked, tests: tests.slice(0, MOST) };
}

/** More cases than these are no evidence that a person reads. */
const MOST = 20;

/** Tells a text that has a name of a case in it, not as a part of a word or a path. */
function naming(name: string): (text: string) => boolean {
	const escaped = name.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&");
	const alone = new RegExp(`(?<![\\p{L}\\p{N}_/\\\\-])${escaped}(?![\\p{L}\\p{N}_/\\\\-])`, "u");
	return (text) => alone.test(text);
}
