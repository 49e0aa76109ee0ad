import { oneLine } from "../words/visible-text.ts";

/** What the coach tried in order to break the work; `""` for what it did not say. */
interface Attempt {
	readonly what: string;
	readonly command: string;
	readonly outcome: string;
}

const UNTRIED = ", without any attempt to break the work";

/**
 * A remark to follow the coach's decision if it approved without trying to break the work; else `""`.
 *
 * @param attempts undefined if the coach handed in no report
 */
export function renderUntried(
	decision: string | null,
	attempts: readonly unknown[] | undefined,
): string {
	return decision === "approve" && attempts?.length === 0 ? UNTRIED : "";
}

/**
 * Attempts as a list, a line each.
 *
 * @example `"a burst of 0 (node try.js 0): RangeError"`
 */
export function renderAttempts(attempts: readonly Attempt[], limit: number): string[] {
	return attempts.map(({ what, command, outcome }) => {
		const run = what === "" || command === "" ? `${what}${command}` : `${what} (${command})`;
		return oneLine(outcome === "" ? run : `${run}: ${outcome}`, limit);
	});
}
