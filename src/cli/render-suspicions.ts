import type { WorkInQuestion } from "../human/question.ts";
import { oneLine } from "../words/visible-text.ts";

type Shown = Omit<WorkInQuestion["suspicions"][number], "text">;

/**
 * Suspicions with what was said of them, one text each.
 *
 * @example `s-1f2e3d4c at src/a.js:3 (ends_process): accepted by the coach: the command line's own exit`
 */
export function suspicionTexts(suspicions: readonly Shown[]): string[] {
	return suspicions.map(({ id, kind, file, line, ok, reason, by }) => {
		const place = oneLine(line === null ? file : `${file}:${line}`);
		const why = reason === null || reason === "" ? "" : `: ${oneLine(reason, 400)}`;
		const word = ok === null ? "not answered" : `${ok ? "accepted" : "not accepted"} by the ${by}`;
		return `${id} at ${place} (${kind}): ${word}${why}`;
	});
}
