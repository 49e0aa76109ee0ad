import type { FinishReason } from "ai";
import { assertNever } from "../../kernel/assert-never.ts";
import type { AgentFailure } from "../../kernel/roles.ts";
import { failureOf, providerFailure } from "../failure-of.ts";
import { apiError, errorChain } from "./api-error.ts";
import type { ModelReply } from "./ask-model.ts";
import { AnswerTooLong } from "./capped-fetch.ts";
import { NoEventStream } from "./event-stream.ts";

/** Why a reply is not an answer. */
export interface ReplyFailure {
	readonly failure: AgentFailure;
	/** Goes after the model's name: `answered with status 429: slow down`. */
	readonly message: string;
	readonly retryAfterMs?: number | undefined;
	/** True when the provider refused the request as it was put, so that putting it otherwise may help. */
	readonly refused: boolean;
}

/** Statuses by which servers refuse a request that they do not understand. */
const NOT_UNDERSTOOD: ReadonlySet<number> = new Set([400, 422]);

/** What the SDK and `fetch` say about a body that is not what the API promises. */
const UNREADABLE =
	/JSONParseError|TypeValidationError|InvalidResponseData|EmptyResponseBody|NoOutputGenerated|terminated|Invalid JSON|normalized \w+ stream error/i;

function broken(cause: unknown, now: number): ReplyFailure {
	const tooLong = errorChain(cause).find((error) => error instanceof AnswerTooLong);
	if (tooLong !== undefined) {
		return { failure: "unknown", message: `was cut off: ${tooLong.message}`, refused: false };
	}
	if (errorChain(cause).some((error) => error instanceof NoEventStream)) {
		const message =
			"did not answer with an event stream: its address is not a streaming API of that provider";
		return { failure: "unknown", message, refused: false };
	}
	const { message, ...hint } = apiError(cause, now);
	const { status, text } = hint;
	const said = providerFailure(hint);
	const answered = status !== undefined && status >= 300;
	// A proxy that cut or replaced the provider's answer may recover soon.
	const unreadable = said.failure === "unknown" && !answered && UNREADABLE.test(text);
	const failure = unreadable ? "network" : said.failure;
	return {
		...said,
		failure,
		message: answered ? `answered ${status}: ${message}` : `failed: ${message}`,
		refused: failure === "unknown" && answered && NOT_UNDERSTOOD.has(status),
	};
}

function ended(reason: FinishReason, raw: string | null): ReplyFailure | null {
	const because = raw === null ? "" : ` (${raw})`;
	const no = (failure: AgentFailure, message: string): ReplyFailure => ({
		failure,
		message,
		refused: false,
	});
	switch (reason) {
		case "stop":
			return null;
		case "length":
			return no(
				"context_limit",
				`reached its length limit before its answer was complete${because}`,
			);
		case "content-filter":
			return no("content_policy", `was stopped by its provider's content filter${because}`);
		case "tool-calls":
			return no("unknown", "tried to call a tool, but has none");
		case "error":
			return no(failureOf({ text: raw ?? "" }), `ended with an error${because}`);
		case "interrupted":
			return no("network", "stopped before its answer was complete: the stream ended early");
		case "other":
			return raw === null
				? ended("interrupted", null)
				: no(failureOf({ text: raw }), `ended for another reason${because}`);
		default:
			return assertNever(reason);
	}
}

/**
 * Why a reply is not an answer: an error, no end, or an end other than the model's own. Sparring's own timeouts and
 * aborts are not judged here.
 *
 * @param now milliseconds since the epoch
 * @returns null for an answer
 */
export function replyFailure(reply: ModelReply, now: number): ReplyFailure | null {
	if (reply.error !== null) return broken(reply.error.cause, now);
	if (reply.finish === null) return ended("interrupted", null);
	return ended(reply.finish.reason, reply.finish.raw);
}
