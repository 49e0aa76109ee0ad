import type { ProcessResult } from "../../process/process.ts";
import type { AgentBreakdown } from "../agent.ts";
import { lastWords } from "../quote.ts";
import type { HarnessEnd, HarnessExit, Spending } from "./harness.ts";

/**
 * The end of a call whose program was killed, crashed, refused its arguments or ended badly after its result:
 * `tool_error`, with the line of its standard error that says why.
 */
export function endedWithoutResult(
	name: string,
	exit: HarnessExit,
	spent: Spending | null,
	when = "without a result",
): Extract<HarnessEnd, { kind: "failed" }> {
	const line = lastWords(exit.stderr);
	const message = `${name} ${howEnded(exit)} ${when}${line === "" ? "" : `: ${line}`}`;
	return { kind: "failed", failure: "tool_error", message, spent };
}

// No repetition helps.
export function notStarted(
	name: string,
	{ startError, ms = 0 }: { readonly startError: string | null; readonly ms?: number },
): AgentBreakdown {
	const why = startError === "ENOENT" ? "the program is missing" : startError;
	const message = `${name} could not be started: ${why}`;
	return { kind: "failed", failure: "unknown", message, output: "", ms };
}

/** The failure of a program that could not be started or did not end in time; null when what it printed decides. */
export function unended(
	name: string,
	result: ProcessResult,
	timeoutMs: number,
): AgentBreakdown | null {
	const { output, ms } = result;
	if (!result.started) return { ...notStarted(name, result), output };
	if (!result.timedOut) return null;
	const message = `${name} did not end within ${timeoutMs / 1_000} s`;
	return { kind: "failed", failure: "timeout", message, output, ms };
}

export const howEnded = ({
	exitCode,
	signal,
}: Pick<ProcessResult, "exitCode" | "signal">): string =>
	exitCode === null ? `was ended by ${signal}` : `exited with code ${exitCode}`;
