import { asked, type HumanItem, isOpen, itemVersion } from "../../human/human-item.ts";
import { Fault } from "../../kernel/fault.ts";
import type { AnswerRequest } from "../../library/answer-item.ts";
import type { Store } from "../../places/store.ts";
import type { RunRecord } from "../../store/records.ts";
import { itemDetailJson, itemJson } from "../../view/item-json.ts";
import { runSummary } from "../../view/run-summary.ts";
import { itemOffers } from "../../words/item-offers.ts";
import { isAnswered } from "../../words/standing.ts";
import { splitTitle } from "../../workflow/task-subject.ts";
import type { AnswerBody, AnswerReply, Inbox, InboxItem, ItemDetail } from "../protocol.ts";
import { maskedValue, type ScreenGround } from "./ground.ts";

async function inboxItem(
	{ records }: Store,
	item: HumanItem,
	{ workflow }: RunRecord,
): Promise<InboxItem> {
	const task = await records.task(item.runId, item.taskId);
	if (task === undefined) throw new Error(`item ${item.id} is of no task`);
	const definition = workflow.tasks.find(({ id }) => id === item.taskId);
	return {
		...itemJson(item),
		version: itemVersion(item, task),
		workflow: workflow.name,
		title: definition === undefined ? item.taskId : splitTitle(definition).title,
		replaced_by: (await records.laterRun(item.runId, item.taskId)) ?? null,
	};
}

export async function inboxItems(
	ground: ScreenGround,
	store: Store,
	items: readonly HumanItem[],
): Promise<InboxItem[]> {
	const runs = new Map<string, RunRecord>();
	const shown: InboxItem[] = [];
	for (const item of items) {
		const run = runs.get(item.runId) ?? (await store.records.run(item.runId));
		if (run === undefined) throw new Error(`item ${item.id} is of no run`);
		runs.set(item.runId, run);
		const masker = await ground.masks.of(run);
		shown.push(maskedValue(masker, await inboxItem(store, item, run)));
	}
	return shown;
}

export async function inbox(ground: ScreenGround): Promise<Inbox> {
	const store = await ground.store();
	if (store === null) return { cursor: 0, items: [] };
	const cursor = await store.records.newestEvent();
	return { cursor, items: await inboxItems(ground, store, asked(await store.records.openItems())) };
}

export async function itemDetail(ground: ScreenGround, id: string): Promise<ItemDetail> {
	const store = await ground.existing();
	const cursor = await store.records.newestEvent();
	const { findItem } = await import("../../library/answer-item.ts");
	const item = await findItem(store.records, id);
	const run = await store.records.run(item.runId);
	if (run === undefined) throw new Error(`item ${id} is of no run`);
	const overview = await store.records.runOverview(item.runId);
	if (overview === undefined) throw new Error(`run ${item.runId} has no overview`);
	const summary = await runSummary(store, overview);
	const { answers, resolution } = itemDetailJson(item);
	const { trigger: _trigger, ...row } = await inboxItem(store, item, run);
	const { trigger, context } = item;
	const detail = {
		...row,
		trigger,
		context,
		cursor,
		answers,
		resolution,
		offers: isOpen(item) ? itemOffers(item) : [],
		run: {
			status: summary.status,
			holder: summary.holder,
			can_resume: isAnswered({ ...summary, ...summary.tasks }),
		},
	};
	// Trigger and context are of one item, which the union keeps together; TypeScript cannot follow that through the spread.
	return maskedValue(await ground.masks.of(run), detail as ItemDetail);
}

function requestOf(id: string, body: AnswerBody): AnswerRequest & { readonly reject?: string } {
	const { version, take, directive, reject, finding, notes, add_usd, add_wall } = body;
	const given = [take, directive, reject, add_usd ?? add_wall].filter((one) => one !== undefined);
	if (given.length !== 1) {
		throw new Fault(`the answer to item ${id} makes ${given.length} choices, and needs one`, {
			code: "answer-invalid",
			hint: "Give take, directive, reject, or add_usd and add_wall.",
		});
	}
	const request = { take, directive, finding, notes, addUsd: add_usd, addWall: add_wall };
	const proven = { ...request, version, by: "page" as const };
	if (reject === undefined) return proven;
	if (finding !== undefined) {
		throw new Fault(`a rejection of item ${id} is of the whole question, and names no finding`, {
			code: "answer-invalid",
			hint: "Reject without a finding, or take a side for the finding.",
		});
	}
	return { ...proven, reject: reject === true ? (notes ?? "") : reject };
}

export async function answerFromPage(
	ground: ScreenGround,
	id: string,
	body: AnswerBody,
): Promise<AnswerReply> {
	const { sparring } = ground;
	// A database that was replaced is noticed before anything is written.
	await ground.existing();
	const { reject, ...request } = requestOf(id, body);
	try {
		if (reject === undefined) await sparring.resolveItem(id, request);
		else await sparring.rejectItem(id, reject, request);
	} catch (error) {
		throw (await hasOtherAnswer(ground, id, body, error)) ?? error;
	}
	const item = await itemDetail(ground, id);
	return { item, can_resume: item.run.can_resume };
}

// An answer that was given too late gets this refusal, whatever it says.
async function hasOtherAnswer(
	ground: ScreenGround,
	id: string,
	{ finding = [] }: AnswerBody,
	error: unknown,
): Promise<Fault | null> {
	if (!(error instanceof Fault && error.code === "answer-invalid")) return null;
	const item = await ground.sparring.item(id);
	const answered = Object.keys(item.parts ?? {});
	if (isOpen(item) && !finding.some((name) => answered.includes(name.trim().toUpperCase())))
		return null;
	return new Fault(error.message, { code: "outdated", hint: error.hint, cause: error });
}
