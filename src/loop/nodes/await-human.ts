import { interrupt } from "@langchain/langgraph";
import { answerFor, conflictsInQuestion } from "../../human/conflicts-in-question.ts";
import type { FindingAnswer, HumanItem } from "../../human/human-item.ts";
import { assertNever } from "../../kernel/assert-never.ts";
import type { Finding } from "../../review/finding.ts";
import { isBlocking, withRuling } from "../../review/finding-state.ts";
import { judgedSuspicions, unsettled, withPersonAnswers } from "../../review/suspicion-answers.ts";
import type { Write } from "../../store/records.ts";
import type { FindingArgument } from "../../trace/finding-argument.ts";
import {
	leftSuspicions,
	type OverruledTurn,
	overruledTurn,
	type RulingFacts,
	rejudged,
	rulingFacts,
} from "../judge-round.ts";
import type { NodeResult } from "../node.ts";
import type { NodeInput } from "../node-input.ts";
import { findingChanged, suspicionsAnswered } from "../records/findings.ts";
import { itemAnswered } from "../records/task.ts";
import type { Journal } from "../records/task-log.ts";
import type { TaskState } from "../state.ts";

type AwaitOutcome = "resume" | "take" | "rework" | "reject";

// The interrupt is its first act, because an interrupted node runs again from its top; the answer is a row, and is
// consumed here once.
export async function awaitHuman(input: NodeInput): Promise<NodeResult<AwaitOutcome>> {
	const { facts, state } = input;
	if (state.itemId === null) throw new Error(`task ${facts.task.id} waits for nobody`);
	interrupt(state.itemId);
	return await answered(input, state.itemId);
}

export async function answered(
	input: NodeInput,
	itemId: string,
): Promise<NodeResult<AwaitOutcome>> {
	const { state, read, log, seats, pair } = input;
	const item = await read.item(itemId);
	if (item?.answer == null) throw new Error(`item ${itemId} was resumed without an answer`);
	seats.forgetFailures();
	// A person agreed that a damaged pair session is made again from what the database holds of it.
	const isRebuilt = item.trigger === "corrupt_session" && item.answer.choice === "continue";
	const session = isRebuilt ? await pair.rebuilt() : [];
	const turn = state.turn === 0 ? null : await read.turn(state.turn);
	const decided = turn === null ? null : await decidedConflicts(input, item);
	const update = effectOf(item, state, decided?.blocked ?? false);
	const isOfTests = item.trigger === "verification" || item.answer.choice === "unverified";
	const tests = isOfTests ? await testsAnswered(input, item) : [];
	const result = {
		// What a person overruled asks nobody again.
		update: {
			...update,
			critical: state.critical && (decided?.critical ?? true),
			itemId: null,
		},
		writes: [
			...itemAnswered(log, item, { turn }),
			...(decided === null ? [] : conflictsAnswered(log, decided)),
			...tests,
			...(update.next === "take" && decided === null ? await suspicionsTaken(input, item) : []),
			...session,
		],
	};
	// Else a file that somebody changed is left as it is, to be found.
	return session.length === 0 ? result : { ...result, afterCommit: () => pair.write() };
}

const TESTS_ANSWERED: ReadonlyMap<string, string> = new Map([
	["unverified", "went on without independent tests"],
	["take_developer", "took the player's output"],
	["take_reviewer", "took the verifier's tests"],
]);

async function testsAnswered({ read, log }: NodeInput, { answer }: HumanItem): Promise<Write[]> {
	const text = answer === null ? undefined : TESTS_ANSWERED.get(answer.choice);
	if (text === undefined) return [];
	const { turn } = log;
	const notes = answer?.notes ?? null;
	const decision = answer?.choice === "take_reviewer" ? "FAIL" : "PASS";
	const ruling = { by: "person", decision, rationale: notes ?? "", turn } as const;
	const open = (await read.open()).filter(({ source }) => source === "verification");
	return open.flatMap((finding) =>
		findingChanged(log, withRuling(finding, ruling), { by: "person", text, evidence: notes }),
	);
}

async function suspicionsTaken({ read, log }: NodeInput, { answer }: HumanItem): Promise<Write[]> {
	const findings = await read.findings();
	const suspected = await read.suspected(log.turn);
	const open = unsettled(judgedSuspicions(suspected, findings)).map(({ suspicion }) => suspicion);
	if (open.length === 0) return [];
	const reason = answer?.notes ?? "";
	const left = { suspicions: open, answers: suspected.answers };
	const answers = withPersonAnswers(left, { reason, turn: log.turn });
	return suspicionsAnswered(log, { ...suspected, answers }, findings);
}

function effectOf(
	item: HumanItem,
	state: TaskState,
	blocked: boolean,
): NodeResult<AwaitOutcome>["update"] {
	const choice = item.answer?.choice ?? "reject";
	const oneMore = Math.max(state.bound, state.turn + 1);
	switch (choice) {
		case "continue":
		case "unverified":
			return { next: "resume" };
		case "take_developer":
			// The tests that failed are withdrawn, or the reports are looked past: nobody has judged the work yet.
			if (item.trigger === "verification" || item.trigger === "false_claims")
				return { next: "resume" };
			// Tests of a verifier still count; a coach is not asked.
			if (item.trigger === "player_blocked") return { next: "resume", taken: true };
			// What else blocks goes back to the player, who needs a turn for it.
			return { next: "take", taken: !blocked, bound: blocked ? oneMore : state.bound };
		case "take_reviewer":
			return { next: "rework", bound: oneMore };
		case "directive":
			return { next: "rework", bound: oneMore, directive: item.id };
		case "reject":
			return {
				next: "reject",
				reason: { kind: "rejected", why: item.answer?.reason ?? null },
			};
		default:
			return assertNever(choice);
	}
}

interface ConflictAnswer {
	readonly decided: readonly { readonly part: FindingAnswer; readonly after: Finding }[];
	readonly again: OverruledTurn | null;
	readonly blocked: boolean;
	readonly critical: boolean;
}

async function decidedConflicts(input: NodeInput, item: HumanItem): Promise<ConflictAnswer | null> {
	const facts = await rulingFacts(input);
	return conflictAnswer(item, { ...facts, turn: { ...facts.turn, restarted: true } });
}

// The developer's side overrules the finding, the reviewer's makes it bind the player for good, and a directive
// leaves it as it is. Null for an item that asks about no conflict, and for a rejected one.
function conflictAnswer(item: HumanItem, facts: RulingFacts): ConflictAnswer | null {
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

function conflictsAnswered(log: Journal, { decided, again }: ConflictAnswer): Write[] {
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
	if (choice === "directive") return finding;
	const decision = choice === "take_developer" ? "PASS" : "FAIL";
	return withRuling(finding, { by: "person", decision, rationale: notes ?? "", turn });
}
