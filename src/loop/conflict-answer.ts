import { answerFor, conflictsInQuestion } from "../human/conflicts-in-question.ts";
import type { FindingAnswer, HumanItem } from "../human/human-item.ts";
import type { Finding } from "../review/finding.ts";
import { isBlocking } from "../review/finding-state.ts";
import type { Write } from "../store/records.ts";
import type { FindingArgument } from "../trace/event.ts";
import {
	leftSuspicions,
	type OverruledTurn,
	overruledTurn,
	type RulingFacts,
	rejudged,
} from "./overruled-turn.ts";
import { findingChanged } from "./records/findings.ts";
import type { TaskLog } from "./task-log.ts";

/** A finding that a person decided about. */
interface Decided {
	readonly part: FindingAnswer;
	readonly after: Finding;
}

/** What a person's word on conflicts does to the findings and to the verdict of the turn. */
export interface ConflictAnswer {
	readonly decided: readonly Decided[];
	/** null where nothing was overruled. */
	readonly again: OverruledTurn | null;
	/** Whether another finding or a suspicion still blocks, which nobody has answered for. */
	readonly blocked: boolean;
	/** Whether one of the findings that stay open is critical. */
	readonly critical: boolean;
}

/**
 * What a person decided about conflicts, finding by finding: the developer's side overrules the finding, the reviewer's
 * makes it bind the player for good, and a directive leaves it as it is. Pure.
 *
 * @param facts with the turn as it will be stored before these records
 * @returns null for an item that asks about no conflict, and for a rejected one
 */
export function conflictAnswer(item: HumanItem, facts: RulingFacts): ConflictAnswer | null {
	const asked = conflictsInQuestion(item);
	if (asked === undefined || item.answer?.choice === "reject") return null;
	const decided = asked.findings.flatMap((id) => {
		const part = answerFor(item, id);
		const finding = facts.open.find((each) => each.id === id);
		if (part === undefined || finding === undefined) return [];
		return [{ part, after: ruled(finding, part, facts.turn.turn) }];
	});
	const changed = new Map(decided.map(({ after }) => [after.id, after]));
	const now = facts.open.map((finding) => changed.get(finding.id) ?? finding);
	const findings = [...facts.findings, ...changed.values()];
	const again = decided.some(({ after }) => after.state === "overruled")
		? overruledTurn({ ...facts, findings })
		: null;
	const open = again?.open ?? now;
	return {
		decided,
		again,
		blocked: open.some(isBlocking) || leftSuspicions({ ...facts, findings }).length > 0,
		critical: open.some(({ severity }) => severity === "critical"),
	};
}

/** What was decided, finding by finding, and the verdict that follows from it. */
export function conflictsAnswered(log: TaskLog, { decided, again }: ConflictAnswer): Write[] {
	return [
		...decided.flatMap(({ part, after }) => findingChanged(log, after, argumentOf(part))),
		...rejudged(log, again),
	];
}

function argumentOf({ choice, directive, notes }: FindingAnswer): FindingArgument {
	const said = directive ?? notes;
	if (said !== null) return { by: "person", text: said, evidence: null };
	return { by: "person", text: WORDS[choice], evidence: null, unsaid: true };
}

const WORDS: Readonly<Record<FindingAnswer["choice"], string>> = {
	take_developer: "took the player's output",
	take_reviewer: "took the reviewer's feedback",
	directive: "gave a directive",
};

function ruled(finding: Finding, { choice, notes }: FindingAnswer, turn: number): Finding {
	const rationale = notes ?? "";
	switch (choice) {
		case "take_developer":
			return {
				...finding,
				state: "overruled",
				ruling: { by: "person", decision: "PASS", rationale, turn },
				changedTurn: turn,
			};
		case "take_reviewer":
			return { ...finding, ruling: { by: "person", decision: "FAIL", rationale, turn } };
		case "directive":
			return finding;
	}
}
