import { performance } from "node:perf_hooks";
import type { FinishReason, LanguageModel } from "ai";
import { assertNever } from "../../kernel/assert-never.ts";
import { attempt } from "../../kernel/attempt.ts";
import { type Clock, systemClock } from "../../kernel/clock.ts";
import { Fault } from "../../kernel/fault.ts";
import { type Fields, isFields } from "../../kernel/fields.ts";
import type { AgentFailure } from "../../kernel/roles.ts";
import type { Agent, AgentCall, AgentOutcome, Usage } from "../agent.ts";
import { deadline } from "../deadline.ts";
import { failureOf, providerFailure, retryAfterHeader } from "../failure-of.ts";
import { reportIn } from "../final-report.ts";
import { costOf } from "../price.ts";
import { wholeWords } from "../quote.ts";
import { reportSchema } from "../report.ts";
import { askModel, type ModelQuestion, type ModelReply } from "./ask-model.ts";
import { AnswerTooLong, NoEventStream } from "./event-stream.ts";
import { languageModel, type ModelOptions, modelName, requireUsable } from "./model-access.ts";

interface ReplyFailure {
	readonly failure: AgentFailure;
	/** Goes after the model's name: `answered with status 429: slow down`. */
	readonly message: string;
	readonly retryAfterMs?: number | undefined;
	/** True when the provider refused the request as it was put, so that putting it otherwise may help. */
	readonly refused: boolean;
}

const NOT_UNDERSTOOD: ReadonlySet<number> = new Set([400, 422]);

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

// An error, no end, or an end other than the model's own; null for an answer. Sparring's own timeouts and aborts are
// not judged here.
export function replyFailure(reply: ModelReply, now: number): ReplyFailure | null {
	if (reply.error !== null) return broken(reply.error.cause, now);
	if (reply.finish === null) return ended("interrupted", null);
	return ended(reply.finish.reason, reply.finish.raw);
}

const MAX_DEPTH = 6;

const MAX_BODY = 20_000;

const MAX_MESSAGE = 500;

const wordsIn = (value: unknown): string =>
	typeof value === "string" || typeof value === "number" ? String(value).slice(0, MAX_BODY) : "";

function errorChain(error: unknown): Fields[] {
	const chain: Fields[] = [];
	let next: unknown = error;
	for (let depth = 0; depth < MAX_DEPTH; depth += 1) {
		if (!isFields(next)) break;
		chain.push(next);
		next = next["cause"] ?? next["lastError"] ?? next["error"];
	}
	return chain;
}

const oneLine = (text: string): string =>
	wholeWords(text.replaceAll(/[\p{Cc}\s]+/gu, " ").trim(), MAX_MESSAGE);

// A function or a symbol gives undefined, whatever the declared type says.
const jsonOf = (value: unknown): string =>
	attempt(() => String(JSON.stringify(value)).slice(0, MAX_BODY), "");

/**
 * Reads whatever a request was broken off by: an error of the SDK, of the network, or a piece of the stream that says
 * so. Wrapped errors are looked into.
 */
export function apiError(
	error: unknown,
	now: number,
): {
	readonly status: number | undefined;
	readonly text: string;
	readonly message: string;
	readonly retryAfterMs: number | undefined;
} {
	const chain = errorChain(error);
	const said = chain.flatMap((fields) => [
		...["name", "message", "code", "type", "responseBody"].map((name) => wordsIn(fields[name])),
		...(fields["data"] === undefined ? [] : [jsonOf(fields["data"])]),
	]);
	const status = chain.map((fields) => fields["statusCode"]).find(Number.isInteger);
	const messages = [...chain.map((fields) => wordsIn(fields["message"])), wordsIn(error)].map(
		oneLine,
	);
	const different = messages.filter(
		(text, at) => text !== "" && !messages.slice(0, at).some((before) => before.includes(text)),
	);
	const message = oneLine(different.join(": "));
	return {
		status: typeof status === "number" ? status : undefined,
		text: [...said, wordsIn(error)].filter((text) => text !== "").join("\n"),
		message: message === "" ? "an error without a message" : message,
		retryAfterMs: chain
			.map((fields) => retryAfterHeader(fields["responseHeaders"], now))
			.find((ms) => ms !== undefined),
	};
}

/** A model by API in a seat. */
export interface ModelAgentOptions extends ModelOptions {
	readonly clock?: Clock;
}

function transcriptOf({ transcript, finish, warnings }: ModelReply): string {
	const raw = finish?.raw === null || finish === null ? "" : ` (${finish.raw})`;
	const end = finish === null ? "without an end" : `${finish.reason}${raw}`;
	const silent = transcript === "" && warnings.length === 0;
	if (silent && (finish === null || finish.reason === "stop")) return "";
	const notes = [`finish reason: ${end}`, ...warnings.map((warning) => `warning: ${warning}`)];
	const gap = transcript === "" || transcript.endsWith("\n") ? "" : "\n";
	return `${transcript}${gap}${notes.map((note) => `[spar] ${note}\n`).join("")}`;
}

async function usageOf({ spent, error }: ModelReply, options: ModelOptions): Promise<Usage | null> {
	if (spent === null) return null;
	const { inputTokens, outputTokens, model } = spent;
	// The model that was asked is named even where none has answered.
	if (error !== null && inputTokens === null && outputTokens === null) return null;
	const { provider } = modelName(options.model);
	// The operator of a compatible address sets its prices, if any.
	const costUsd =
		provider.name === "openai-compatible" || model === null
			? null
			: await costOf({ ...spent, model: `${provider.name}/${model}` });
	return { inputTokens, outputTokens, costUsd, model };
}

function withSchema(prompt: string, schema: Readonly<Record<string, unknown>>): string {
	return `${prompt}\n\nAnswer with one JSON object and nothing else. It must match this JSON schema:\n\n${JSON.stringify(schema)}\n`;
}

// Asks with the schema, and without it from the moment on at which the address turns out not to take one.
class Asker {
	readonly #options: ModelAgentOptions;
	#model: Promise<LanguageModel> | undefined;
	#takesSchema = true;

	constructor(options: ModelAgentOptions) {
		this.#options = options;
	}

	async ask(call: AgentCall, signal: AbortSignal, now: () => number): Promise<ModelReply> {
		requireUsable(call.agent, this.#options);
		this.#model ??= languageModel(this.#options);
		const question: ModelQuestion = {
			model: await this.#model,
			prompt: call.prompt,
			schema: reportSchema(call.role),
			signal,
			onOutput: call.onOutput,
		};
		const { schema } = question;
		if (schema === null) return askModel(question);
		const plain = { ...question, prompt: withSchema(call.prompt, schema), schema: null };
		if (!this.#takesSchema) return askModel(plain);
		const reply = await askModel(question);
		const mayFallBack = modelName(this.#options.model).provider.name === "openai-compatible";
		if (!mayFallBack || replyFailure(reply, now())?.refused !== true) return reply;
		const second = await askModel(plain);
		if (replyFailure(second, now()) === null) this.#takesSchema = false;
		return second;
	}
}

// No repetition helps.
function unmade(
	error: unknown,
	model: string,
): Pick<AgentOutcome & { kind: "failed" }, "failure" | "message"> {
	if (!(error instanceof Fault)) {
		return { failure: "unknown", message: `${model} cannot be loaded: ${String(error)}` };
	}
	const { message, hint } = error;
	return { failure: "unknown", message: hint === undefined ? message : `${message}. ${hint}` };
}

/**
 * A model by API as an agent: it gets the prompt and nothing else, no tools and no files, and hands in its report as
 * its message.
 *
 * The provider is asked to hold the answer to the role's schema. An `openai-compatible` address that rejects the schema
 * (status 400 or 422) is asked once more, and from then on, with the schema as part of the prompt. One request a call,
 * without retries by the SDK. A stream that ends without the model's own end, an unreadable event and a broken
 * connection are `network`; one that was cut for its length is `context_limit`.
 */
export function modelAgent(options: ModelAgentOptions): Agent {
	const clock = options.clock ?? systemClock;
	const now = (): number => clock.now();
	const asker = new Asker(options);
	return {
		handsIn: "message",
		call: async (call: AgentCall, signal: AbortSignal): Promise<AgentOutcome> => {
			signal.throwIfAborted();
			const start = performance.now();
			const limit = deadline(call.timeoutMs, signal);
			let reply: ModelReply;
			try {
				reply = await asker.ask(call, limit.signal, now);
			} catch (error) {
				signal.throwIfAborted();
				const ms = performance.now() - start;
				return { kind: "failed", ...unmade(error, options.model), output: "", ms };
			} finally {
				limit.clear();
			}
			signal.throwIfAborted();
			const base = {
				output: transcriptOf(reply),
				ms: performance.now() - start,
				usage: await usageOf(reply, options),
			};
			const failed = replyFailure(reply, now());
			if (failed !== null && limit.timedOut()) {
				const message = `${options.model} did not answer within ${call.timeoutMs / 1_000} s`;
				return { kind: "failed", failure: "timeout", message, ...base };
			}
			if (failed !== null) {
				const { failure, message, retryAfterMs } = failed;
				return {
					kind: "failed",
					failure,
					message: `${options.model} ${message}`,
					...base,
					retryAfterMs,
				};
			}
			if (reply.text === null) {
				const message = `${options.model} answered with more text than a report may have`;
				return { kind: "failed", failure: "unknown", message, ...base };
			}
			return { kind: "answered", ...reportIn(reply.text, call), ...base };
		},
	};
}
