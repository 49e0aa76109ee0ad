import type { HumanItem } from "../human/human-item.ts";
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

/** A person's yes, or the side that it takes. Answering the same again is accepted. */
export async function resolveItem(
	records: Records,
	id: string,
	request: AnswerRequest & { readonly env: Environment },
): Promise<HumanItem> {
	const item = await findItem(records, id);
	const { choice, directive } = validateAnswer(item, request);
	const masker = await maskerFor(records, item, request.env);
	return records.answer(id, "RESOLVED", {
		choice,
		directive: directive === null ? null : masker.mask(directive),
		notes: request.notes === undefined ? null : masker.mask(request.notes),
		reason: null,
		answeredAt: new Date().toISOString(),
	});
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
