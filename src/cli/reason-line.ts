import { shortReason, type ToldReason } from "../human/reason.ts";
import { oneLine } from "../words/visible-text.ts";

/**
 * A reason as one visible line of at most `limit` characters. Of several conflicts the first stands there with how many
 * more there are, which is never cut off.
 *
 * @param limit 80 at least
 * @example two conflicts give `"Conflict about F1 (attempt 1): the answers differ; and 1 more"`
 */
export function reasonLine(reason: ToldReason, limit: number = 200): string {
	const { first, rest } = shortReason(reason);
	return `${oneLine(first, limit - rest.length)}${oneLine(rest)}`;
}
