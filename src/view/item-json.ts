import type { Answer, FindingAnswer, HumanItem, ItemRecord } from "../human/human-item.ts";
import type { Trigger } from "../human/question.ts";
import { type Snake, snake } from "../kernel/snake-case.ts";

/** An item in the form of `spar questions --json`. */
export interface ItemJson
	extends Snake<
		Pick<ItemRecord, "id" | "runId" | "taskId" | "reason" | "status" | "choices" | "createdAt">
	> {
	/** Subject of the question. */
	readonly trigger: Trigger;
}

/** An item in the form of `spar questions ID --json`: with what to decide by, and the answer when there is one. */
export interface ItemDetailJson extends ItemJson {
	readonly context: HumanItem["context"];
	/** Of an item about conflicts the answers so far, by finding; empty for any other. */
	readonly answers: Readonly<Record<string, Snake<FindingAnswer>>>;
	/** The answer of the question as a whole; null while it waits. */
	readonly resolution:
		| (Snake<Omit<Answer, "addUsd" | "addWallMs">> & {
				/** What it added to a budget; null where it added none. */
				readonly add_usd: number | null;
				readonly add_wall_ms: number | null;
		  })
		| null;
}

/** The item's line of a list. */
export function itemJson(item: HumanItem): ItemJson {
	return snake(
		item,
		"id",
		"runId",
		"taskId",
		"trigger",
		"reason",
		"status",
		"choices",
		"createdAt",
	);
}

/** The whole item. */
export function itemDetailJson(item: HumanItem): ItemDetailJson {
	const { answer } = item;
	return {
		...itemJson(item),
		context: item.context,
		answers: Object.fromEntries(
			Object.entries(item.parts ?? {}).map(([finding, part]) => [
				finding,
				snake(part, "choice", "directive", "notes", "answeredAt"),
			]),
		),
		resolution:
			answer === null
				? null
				: {
						...snake(answer, "choice", "directive", "notes", "reason"),
						add_usd: answer.addUsd ?? null,
						add_wall_ms: answer.addWallMs ?? null,
						answered_at: answer.answeredAt,
					},
	};
}
