import { answerFor, conflictsInQuestion } from "../human/conflicts-in-question.ts";
import type { FindingAnswer, HumanItem } from "../human/human-item.ts";
import type { Finding } from "../review/finding.ts";
import { isBlocking } from "../review/finding-state.ts";
import type { TurnRecord, Write } from "../store/records.ts";
import type { Site, TaskContext } from "./context.ts";
import { findingWrites } from "./finding-writes.ts";
import { openNow } from "./open-findings.ts";
import { overruledTurn } from "./overruled-turn.ts";

/** What a person's word on conflicts does to the findings and to the verdict of the turn. */
export interface ConflictAnswer {
	readonly writes: readonly Write[];
	/** What was chosen, by finding. */
	readonly choices: Readonly<Record<string, FindingAnswer["choice"]>>;
	/** Whether another finding still blocks, which nobody has answered for. */
	readonly blocked: boolean;
	/** Whether one of the findings that stay open is critical. */
	readonly critical: boolean;
}

/**
 * Carries out what a person decided about conflicts, finding by finding: the developer's side overrules the finding, the
 * reviewer's makes it bind the player for good, and a directive leaves it as it is.
 *
 * @param turn the turn's record, as it will be stored before these writes
 * @returns null for an item that asks about no conflict, and for a rejected one
 */
export async function conflictAnswer(
	context: TaskContext,
	site: Site,
	{ item, turn }: { readonly item: HumanItem; readonly turn: TurnRecord },
): Promise<ConflictAnswer | null> {
	const asked = conflictsInQuestion(item);
	if (asked === undefined || item.answer?.choice === "reject") return null;
	const open = await openNow(context);
	const decided = asked.findings.flatMap((id) => {
		const part = answerFor(item, id);
		const finding = open.find((each) => each.id === id);
		return part === undefined || finding === undefined
			? []
			: [{ part, before: finding, after: ruled(finding, part, site.turn) }];
	});
	const more = decided.map(({ after }) => after);
	const changed = new Map(more.map((finding) => [finding.id, finding]));
	const verdict = more.some(({ state: life }) => life === "overruled")
		? await overruledTurn(context, site, { turn, more })
		: { writes: [], open: open.map((finding) => changed.get(finding.id) ?? finding) };
	return {
		writes: [
			...decided.flatMap(({ part, after }) =>
				findingWrites(context, site, after, {
					by: "person",
					text: part.directive ?? part.notes ?? WORDS[part.choice],
					evidence: null,
				}),
			),
			...verdict.writes,
		],
		choices: Object.fromEntries(decided.map(({ part, before }) => [before.id, part.choice])),
		blocked: verdict.open.some(isBlocking),
		critical: verdict.open.some(({ severity }) => severity === "critical"),
	};
}

const WORDS: Readonly<Record<FindingAnswer["choice"], string>> = {
	take_developer: "took the developer's output",
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
