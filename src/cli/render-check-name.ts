import { oneLine } from "./visible-text.ts";

/** What was run, by name; an item of a checklist by its text. */
export function renderCheckName({
	check,
	item,
}: {
	readonly check: string;
	readonly item?: string | undefined;
}): string {
	return item === undefined ? `check ${check}` : `checklist item "${oneLine(item)}"`;
}
