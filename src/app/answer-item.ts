import type { Answer, HumanItem } from "../human/human-item.ts";
import { validateAnswer, validateRejection } from "../human/validate-answer.ts";
import { Fault } from "../kernel/fault.ts";
import type { Masker } from "../kernel/masking.ts";
import type { Records } from "../store/records.ts";
import { maskerOf } from "./secrets.ts";
import type { AnswerRequest } from "./sparring.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** @throws Fault `item-not-found` */
export async function findItem(records: Records, id: string): Promise<HumanItem> {
	const item = await records.item(id);
	if (item !== undefined) return item;
	throw new Fault(`there is no item ${id}`, {
		code: "item-not-found",
		hint: "See what waits for a person: spar hil list",
	});
}

/** The masker of the item's run: a person may paste a secret too. */
async function maskerFor(records: Records, item: HumanItem, env: Environment): Promise<Masker> {
	return maskerOf(env, (await records.run(item.runId))?.workflow ?? null);
}

/**
 * A person's yes, with what it adds to a spent budget, or the side that it takes. Answering the same again is accepted
 * and adds nothing a second time.
 */
export async function resolveItem(
	records: Records,
	id: string,
	request: AnswerRequest & { readonly env: Environment },
): Promise<HumanItem> {
	const item = await findItem(records, id);
	const { choice, directive, added } = validateAnswer(item, request);
	const masker = await maskerFor(records, item, request.env);
	const answer: Answer = {
		choice,
		directive: directive === null ? null : masker.mask(directive),
		notes: request.notes === undefined ? null : masker.mask(request.notes),
		reason: null,
		...(added === null || added.usd === 0 ? {} : { addUsd: added.usd }),
		...(added === null || added.wallMs === 0 ? {} : { addWallMs: added.wallMs }),
		answeredAt: new Date().toISOString(),
	};
	// The budget is enlarged together with the answer, so that whichever task looks first finds it so.
	return added === null
		? records.answer(id, "RESOLVED", answer)
		: records.answer(id, "RESOLVED", answer, added);
}

/** A person's no: the task fails with the reason when the run goes on. */
export async function rejectItem(
	records: Records,
	id: string,
	request: { readonly reason: string; readonly env: Environment },
): Promise<HumanItem> {
	const item = await findItem(records, id);
	const reason = validateRejection(item, request.reason);
	return records.answer(id, "REJECTED", {
		choice: "reject",
		directive: null,
		notes: null,
		reason: (await maskerFor(records, item, request.env)).mask(reason),
		answeredAt: new Date().toISOString(),
	});
}

/** Somebody has seen it; nothing else changes. */
export async function ackItem(records: Records, id: string): Promise<HumanItem> {
	await findItem(records, id);
	return records.answer(id, "ACKED", null);
}
