import { performance } from "node:perf_hooks";
import type { LanguageModel } from "ai";
import { type Clock, systemClock } from "../../kernel/clock.ts";
import { Fault } from "../../kernel/fault.ts";
import type { Agent, AgentCall, AgentOutcome, Usage } from "../agent.ts";
import { deadline } from "../deadline.ts";
import { reportIn } from "../final-report.ts";
import { costOf } from "../price.ts";
import { reportSchema } from "../report-schema.ts";
import { askModel, type ModelQuestion, type ModelReply } from "./ask-model.ts";
import type { ModelOptions } from "./model-access.ts";
import { languageModel } from "./model-access.ts";
import { modelName } from "./provider.ts";
import { replyFailure } from "./reply-failure.ts";
import { requireUsable } from "./require-model.ts";

/** A model by API in a seat. */
export interface ModelAgentOptions extends ModelOptions {
	readonly clock?: Clock;
}

/** What was said, and a line about how it ended; empty when nothing came and there is nothing to tell. */
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

/** Asks with the schema, and without it from the moment on at which the address turns out not to take one. */
class Asker {
	readonly #options: ModelAgentOptions;
	#model: Promise<LanguageModel> | undefined;
	#takesSchema = true;

	constructor(options: ModelAgentOptions) {
		this.#options = options;
	}

	/** @throws Fault when no request can be made, for want of a package, a key or an address */
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

/** Why no request could be made: a missing package, key or address. No repetition helps. */
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
 * The provider is asked to hold the answer to the role's schema. What comes is handed in as it is, so that a report
 * that does not fit is reported by its parser; a quotation is not a report (`reportIn`), schema or not. An
 * `openai-compatible` address that rejects the schema (status 400 or 422) is asked once more, and from then on, with
 * the schema as part of the prompt.
 *
 * One request a call, without retries by the SDK, and none without a key that the provider needs (`unknown`). The time
 * limit is `timeout`; a stream that ends without the model's own end, an unreadable event and a broken connection are
 * `network`; an answer that is not an event stream is `unknown`; one that was cut for its length is `context_limit`.
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
			return { kind: "answered", ...reportIn(reply.text, call.role, call.prompt), ...base };
		},
	};
}
