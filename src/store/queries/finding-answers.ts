import { answerFor, conflictsInQuestion, mergeParts } from "../../human/conflicts-in-question.ts";
import type { FindingAnswer, HumanItem } from "../../human/human-item.ts";
import { answeredEvent } from "../../human/validate-answer.ts";
import { Fault } from "../../kernel/fault.ts";
import type { AnswerTerms } from "../answer-terms.ts";
import { requireVersion, saysTheSame } from "./answers.ts";
import { insertEvent } from "./events.ts";
import { isClosed, knownItem } from "./items.ts";
import { announce, change, type Query } from "./query.ts";

function refuse(item: HumanItem, message: string): never {
	throw new Fault(message, {
		code: "answer-invalid",
		hint: `See it with \`spar hil show ${item.id}\`.`,
	});
}

const isRepeat = (item: HumanItem, finding: string, part: FindingAnswer): boolean =>
	saysTheSame(answerFor(item, finding) ?? null, part);

/**
 * Stores a person's answer to conflicts of an item; see `Records.answerFindings`. All of the named findings or none.
 *
 * @throws Fault `item-not-found`; `outdated`; `answer-invalid` when no finding is named, when one is that the item does not ask
 * about or that has another answer, or when the item is closed with another answer
 */
export function* answerFindings(
	itemId: string,
	findings: readonly string[],
	part: FindingAnswer,
	{ by = "program", version }: Omit<AnswerTerms, "grant"> = {},
): Query<HumanItem> {
	const item = yield* knownItem(itemId);
	yield* requireVersion(item, version);
	const asked = conflictsInQuestion(item)?.findings ?? [];
	if (findings.length === 0) refuse(item, `the answer to item ${itemId} names no finding`);
	for (const finding of findings) {
		if (!asked.includes(finding)) refuse(item, `item ${itemId} does not ask about ${finding}`);
	}
	if (isClosed(item)) {
		const isSame = findings.every((finding) => isRepeat(item, finding, part));
		if (item.status === "RESOLVED" && isSame) return item;
		refuse(item, `item ${itemId} already has an answer, and keeps it`);
	}
	for (const finding of findings) {
		const isNew = answerFor(item, finding) === undefined;
		if (isNew || isRepeat(item, finding, part)) continue;
		refuse(item, `${finding} of item ${itemId} already has another answer`);
	}
	const isNew = findings.some((finding) => answerFor(item, finding) === undefined);
	if (!isNew) return item;
	const next = yield* store(item, findings, part);
	yield* insertEvent(item.runId, answeredEvent(item, next, by));
	yield* announce(item.runId);
	return next;
}

/** Answers that were given before stay as they are, with their time. */
function* store(
	item: HumanItem,
	findings: readonly string[],
	part: FindingAnswer,
): Query<HumanItem> {
	const fresh = findings.filter((finding) => answerFor(item, finding) === undefined);
	const given = Object.fromEntries(fresh.map((finding) => [finding, part]));
	const answered: HumanItem = { ...item, parts: { ...item.parts, ...given } };
	const { complete, answer } = mergeParts(answered);
	const next: HumanItem = complete ? { ...answered, status: "RESOLVED", answer } : answered;
	yield* change(
		"UPDATE items SET status = ?, answer = ?, parts = ? WHERE item_id = ?",
		next.status,
		next.answer === null ? null : JSON.stringify(next.answer),
		JSON.stringify(next.parts),
		item.id,
	);
	return next;
}
