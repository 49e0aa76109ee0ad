import { checkBehind, checkWords } from "../kernel/replayed.ts";
import { oneLine } from "../words/visible-text.ts";

/** What was run, by name; an item of a checklist by its text. */
export function renderCheckName({
	check,
	item,
}: {
	readonly check: string;
	readonly item?: string | undefined;
}): string {
	if (item !== undefined) return `checklist item "${oneLine(item)}"`;
	return checkBehind({ check }) === check ? `check ${check}` : checkWords(check);
}

/**
 * The reason of a check, behind what its output says of the cause: what a program printed tells a person more than that
 * no result was found.
 *
 * @example `"No module named pytest" (no tests ran)`
 */
export function withCause(
	said: readonly string[] | undefined,
	reason: string | null,
): string | null {
	if (said === undefined || said.length === 0) return reason;
	const cause = said.map((line) => `"${oneLine(line)}"`).join(", ");
	return reason === null ? cause : `${cause} (${reason})`;
}
