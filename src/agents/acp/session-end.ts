import { attempt } from "../../kernel/attempt.ts";
import { fieldsOf, wordsOf } from "../../kernel/fields.ts";
import type { AgentBreakdown } from "../agent.ts";
import { crashOf, providerFailure } from "../failure-of.ts";
import type { HarnessExit } from "../harness/harness.ts";
import { howEnded } from "../harness/program-end.ts";
import { lastWords, quote } from "../quote.ts";

// Its message lacks the agent's name.
export type SessionFailure = Pick<AgentBreakdown, "failure" | "message" | "retryAfterMs">;

// The agent is not signed in.
const AUTH_REQUIRED = -32_000;

// Null for an answer. Some agents end their turn when permission is refused, and call that a good end: silence after a
// refusal is not an answer.
export function turnFailure(end: {
	readonly stopReason: unknown;
	readonly saidSomething: boolean;
	readonly lastRefused: string | null;
}): SessionFailure | null {
	const { stopReason, saidSomething, lastRefused } = end;
	const afterRefusal = {
		failure: "tool_error",
		message: `ended its turn after a refused permission: ${lastRefused}`,
	} as const;
	switch (stopReason) {
		case "end_turn":
			return lastRefused !== null && !saidSomething ? afterRefusal : null;
		case "cancelled":
			return lastRefused !== null
				? afterRefusal
				: { failure: "tool_error", message: "cancelled its turn by itself" };
		case "refusal":
			return { failure: "content_policy", message: "refused to continue with the prompt" };
		case "max_tokens":
			return { failure: "context_limit", message: "reached the model's token limit" };
		case "max_turn_requests":
			return { failure: "tool_error", message: "reached its own step limit" };
		default:
			return {
				failure: "unknown",
				message: `ended its turn for an unknown reason: ${quote(String(wordsOf(stopReason)))}`,
			};
	}
}

function dataText(data: unknown): string {
	if (typeof data === "string") return data;
	if (data === undefined || data === null) return "";
	// It can be nested so deeply that it cannot be written.
	return attempt(() => JSON.stringify(data), "");
}

function statusOf(code: unknown, data: unknown): number | undefined {
	const { status, statusCode } = fieldsOf(data);
	return [code, status, statusCode]
		.filter((value) => typeof value === "number")
		.find((value) => value >= 400 && value < 600);
}

function detailIn(data: unknown): string {
	const { details, message, errorKind } = fieldsOf(data);
	return wordsOf(data) ?? wordsOf(details) ?? wordsOf(message) ?? wordsOf(errorKind) ?? "";
}

export function requestFailure(error: unknown, request: string): SessionFailure {
	const { code, data } = fieldsOf(error);
	const said = error instanceof Error ? error.message : String(error);
	const detail = detailIn(data);
	const words = quote(detail === "" || said.includes(detail) ? said : `${said}: ${detail}`);
	if (code === AUTH_REQUIRED) {
		const message = `is not signed in: ${words}; sign in with the program itself, or use login: key`;
		return { failure: "unknown", message };
	}
	const text = `${said} ${dataText(data)}`.slice(0, 20_000);
	const failure = providerFailure({ status: statusOf(code, data), text });
	return { ...failure, message: `answered ${request} with an error: ${words}` };
}

// It is worth another try. `endedItself` is false for a program that only fell silent, so that it had to be ended.
export function crashFailure(
	end: HarnessExit & { readonly endedItself: boolean },
	request: string,
): SessionFailure {
	const line = lastWords(end.stderr);
	const what = end.endedItself ? howEnded(end) : "closed its output";
	return {
		failure: crashOf(line) ?? "tool_error",
		message: `${what} before it answered ${request}${line === "" ? "" : `: ${line}`}`,
	};
}
