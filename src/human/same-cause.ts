import type { HumanItem } from "./human-item.ts";

/** Subject of an item beyond its task: the account of an agent in a run; null where it is about the task alone. */
const causeOf = (item: HumanItem): string | null =>
	item.trigger === "quota" && item.answer === null && item.context.quota !== null
		? `${item.runId}/${item.context.quota.agent}`
		: null;

const isEarlier = (one: HumanItem, other: HumanItem): boolean =>
	one.createdAt === other.createdAt ? one.id < other.id : one.createdAt < other.createdAt;

/** The open items that one answer settles: the item itself, and those of other tasks that wait for the same account. */
export function sameCause(item: HumanItem, items: readonly HumanItem[]): readonly HumanItem[] {
	const cause = causeOf(item);
	return cause === null ? [item] : items.filter((other) => causeOf(other) === cause);
}

/** The item that stands for all of its cause: the first one. */
export function spokesItem(item: HumanItem, items: readonly HumanItem[]): HumanItem {
	return sameCause(item, items).reduce((one, other) => (isEarlier(other, one) ? other : one), item);
}

/** The items that a person is shown: of those with one cause the first. */
export function asked<Item extends HumanItem>(items: readonly Item[]): readonly Item[] {
	return items.filter((item) => spokesItem(item, items) === item);
}
