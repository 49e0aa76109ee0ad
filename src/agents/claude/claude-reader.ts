import type { AgentFailure } from "../../kernel/roles.ts";
import { failureOf } from "../failure-of.ts";
import { endedWithoutResult } from "../harness/ended-without-result.ts";
import { countAt, fieldAt, textAt } from "../harness/fields.ts";
import type { FinalMessage, HarnessEnd, HarnessExit, HarnessReader } from "../harness/harness.ts";
import { lastLine } from "../harness/last-line.ts";
import { claudeSpent } from "./claude-spent.ts";
import { StreamedTokens } from "./streamed-tokens.ts";

/** What the event `result` calls a turn that went as it should; older versions name no reason. */
const COMPLETED: ReadonlySet<unknown> = new Set(["completed", null, undefined]);

/** Ends that only a user's own limits bring about, so that trying again would end likewise. */
const LIMITS: ReadonlyMap<string, AgentFailure> = new Map([
	["error_max_turns", "unknown"],
	["error_max_budget_usd", "quota_exhausted"],
]);

/** Ends of a reply that were no error to Claude Code, but are no answer to us. */
const REFUSALS: ReadonlyMap<string, AgentFailure> = new Map([
	["refusal", "content_policy"],
	["model_context_window_exceeded", "context_limit"],
]);

/** The turn was completed, but for its report: whoever reads that one asks for it once more. */
const UNFIT_REPORT = "error_max_structured_output_retries";

/** Ends that are no answer of a provider: the turn broke off inside of the program. */
const BROKE_OFF = /^(?:error_during_execution|aborted)/;

function isGood(result: unknown): boolean {
	return (
		textAt(result, "subtype") === "success" &&
		fieldAt(result, "is_error") === false &&
		COMPLETED.has(fieldAt(result, "terminal_reason")) &&
		!REFUSALS.has(textAt(result, "stop_reason") ?? "")
	);
}

function finalMessage(result: unknown): FinalMessage {
	const structured = fieldAt(result, "structured_output");
	if (structured !== undefined && structured !== null) return { structured };
	return { text: textAt(result, "result") ?? "" };
}

function failure(result: unknown, said: string): AgentFailure {
	const subtype = textAt(result, "subtype") ?? "";
	const reason = textAt(result, "terminal_reason") ?? "";
	const stop = textAt(result, "stop_reason") ?? "";
	const own = LIMITS.get(subtype) ?? REFUSALS.get(stop);
	if (own !== undefined) return own;
	const status = countAt(result, "api_error_status") ?? undefined;
	const type = textAt(result, "api_error_type") ?? "";
	const found = failureOf({ status, text: `${type} ${reason} ${said}` });
	const broke = BROKE_OFF.test(subtype) || BROKE_OFF.test(reason);
	return found === "unknown" && broke ? "tool_error" : found;
}

/** What an error event says of itself: its `result`, or the last of its `errors`. */
function saidBy(result: unknown): string {
	const errors = fieldAt(result, "errors");
	const last: unknown = Array.isArray(errors) ? errors.at(-1) : undefined;
	const text = textAt(result, "result") ?? (typeof last === "string" ? last : "");
	return lastLine(text);
}

/**
 * Reads the events of `claude -p --output-format stream-json`.
 *
 * Answered is a call whose last event `result` is a success in each of its fields, since a `subtype` of `success` also
 * stands on failed requests, and whose program then exited with 0. Its `structured_output` is the report, else `result`.
 * So is one that only failed to give its report the form of the schema.
 */
export class ClaudeReader implements HarnessReader {
	readonly #streamed = new StreamedTokens();
	#result: unknown = null;
	/** Whether a subscription's limit was reached, which fails as a rate limit does. */
	#limitReached = false;

	read(event: unknown): void {
		switch (textAt(event, "type") ?? "") {
			case "result":
				// With work in the background there may be several; the last one sums up.
				this.#result = event;
				break;
			case "assistant":
				this.#streamed.add(fieldAt(event, "message"));
				break;
			case "rate_limit_event":
				this.#limitReached = textAt(event, "rate_limit_info", "status") === "rejected";
				break;
			default:
		}
	}

	end(exit: HarnessExit): HarnessEnd {
		const result = this.#result;
		if (result === null) return endedWithoutResult("claude", exit, this.#streamed.spent());
		const spent = claudeSpent(result);
		if (isGood(result)) {
			if (exit.exitCode === 0) return { kind: "answered", message: finalMessage(result), spent };
			return endedWithoutResult("claude", exit, spent, "after its result");
		}
		if (textAt(result, "subtype") === UNFIT_REPORT) {
			return { kind: "answered", message: { text: "The report did not fit its schema." }, spent };
		}
		const said = saidBy(result);
		const told = failure(result, said);
		const kind = this.#limitReached && told === "rate_limit" ? "quota_exhausted" : told;
		const reason = textAt(result, "terminal_reason") ?? textAt(result, "subtype") ?? "unknown end";
		const message = `claude failed (${lastLine(reason)})${said === "" ? "" : `: ${said}`}`;
		return { kind: "failed", failure: kind, message, spent };
	}
}
