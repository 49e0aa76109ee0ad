import { type Answer, type HumanItem, itemVersion, sameCause } from "../human/human-item.ts";
import { type GivenAnswer, validateAnswer, validateRejection } from "../human/validate-answer.ts";
import { Fault } from "../kernel/fault.ts";
import type { Masker } from "../masking/masking.ts";
import { runMasker } from "../places/run-masker.ts";
import type { AnswerTerms, AnswerWay } from "../store/answer-terms.ts";
import type { Records } from "../store/records.ts";

/** Details that come with an answer. */
export interface AnswerProof {
	/** As `version` gave it: the answer is refused, with an `outdated` fault, where question or work changed since. */
	readonly version?: string | undefined;
	/** Place where it was given; default: `program`. */
	readonly by?: AnswerWay | undefined;
}

export interface RejectionProof extends AnswerProof {
	readonly notes?: string | undefined;
}

/** A person's answer as the command line gives it; checked against the item's choices. */
export interface AnswerRequest extends AnswerProof, GivenAnswer {
	readonly notes?: string | undefined;
}

interface SecretPlace {
	readonly root: string;
	readonly env: Readonly<Record<string, string | undefined>>;
}

/** @throws Fault `item-not-found` */
export async function findItem(records: Records, id: string): Promise<HumanItem> {
	const item = await records.item(id);
	if (item !== undefined) return item;
	throw new Fault(`there is no item ${id}`, {
		code: "item-not-found",
		hint: "See what waits for a person: spar questions",
	});
}

export async function versionOf(records: Pick<Records, "task">, item: HumanItem): Promise<string> {
	const task = await records.task(item.runId, item.taskId);
	if (task === undefined) throw new Error(`item ${item.id} is of no task`);
	return itemVersion(item, task);
}

// A person may paste a secret too.
async function maskerFor(records: Records, item: HumanItem, place: SecretPlace): Promise<Masker> {
	const run = await records.run(item.runId);
	if (run === undefined) throw new Error(`item ${item.id} is of no run`);
	return runMasker(run, place);
}

// It is also that of the other tasks that wait for the same.
async function answerAll(
	records: Records,
	item: HumanItem,
	status: "RESOLVED" | "REJECTED",
	answer: Answer,
	terms: AnswerTerms,
): Promise<HumanItem> {
	// Who rejects ends one task.
	const same = status === "REJECTED" ? [] : sameCause(item, await records.items(item.runId));
	const others = same.filter(({ id }) => id !== item.id);
	const answered = await records.answer(item.id, status, answer, terms);
	for (const { id } of others) await records.answer(id, status, answer, { by: terms.by });
	return answered;
}

/**
 * Stores a person's yes, with what it adds to a spent budget, or the side that it takes; of an item about conflicts the side
 * for some of its findings, and the item is closed with the last of them. The same answer again adds nothing.
 */
export async function resolveItem(
	records: Records,
	id: string,
	request: AnswerRequest & SecretPlace,
): Promise<HumanItem> {
	const item = await findItem(records, id);
	const valid = validateAnswer(item, request);
	const masker = await maskerFor(records, item, request);
	const said = {
		directive: valid.directive === null ? null : masker.mask(valid.directive),
		notes: request.notes === undefined ? null : masker.mask(request.notes),
		answeredAt: new Date().toISOString(),
	};
	const { by, version } = request;
	if (valid.about === "findings") {
		const part = { choice: valid.choice, ...said };
		return records.answerFindings(id, valid.findings, part, { by, version });
	}
	const { choice, added } = valid;
	const answer: Answer = {
		choice,
		...said,
		reason: null,
		...(added === null || added.usd === 0 ? {} : { addUsd: added.usd }),
		...(added === null || added.wallMs === 0 ? {} : { addWallMs: added.wallMs }),
	};
	// The budget is enlarged together with the answer, so that whichever task looks first finds it so.
	const proof = { grant: added ?? undefined, by, version };
	return await answerAll(records, item, "RESOLVED", answer, proof);
}

/** Stores a person's no: the task fails with the reason when the run goes on. */
export async function rejectItem(
	records: Records,
	id: string,
	request: SecretPlace & RejectionProof & { readonly reason: string },
): Promise<HumanItem> {
	const item = await findItem(records, id);
	const reason = validateRejection(item, request.reason);
	const masker = await maskerFor(records, item, request);
	const answer: Answer = {
		choice: "reject",
		directive: null,
		notes: request.notes === undefined ? null : masker.mask(request.notes),
		reason: masker.mask(reason),
		answeredAt: new Date().toISOString(),
	};
	const { by, version } = request;
	return await answerAll(records, item, "REJECTED", answer, { by, version });
}

export async function ackItem(records: Records, id: string): Promise<HumanItem> {
	await findItem(records, id);
	return records.answer(id, "ACKED", null);
}
