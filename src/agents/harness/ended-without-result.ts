import { lastWords } from "../quote.ts";
import { howEnded } from "../unended.ts";
import type { HarnessEnd, HarnessExit, Spent } from "./harness.ts";

/**
 * The end of a call whose program was killed, crashed, refused its arguments or ended badly after its result:
 * `tool_error`, with the line of its standard error that says why.
 */
export function endedWithoutResult(
	name: string,
	exit: HarnessExit,
	spent: Spent | null,
	when = "without a result",
): Extract<HarnessEnd, { kind: "failed" }> {
	const line = lastWords(exit.stderr);
	const message = `${name} ${howEnded(exit)} ${when}${line === "" ? "" : `: ${line}`}`;
	return { kind: "failed", failure: "tool_error", message, spent };
}
