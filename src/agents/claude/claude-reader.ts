import type { Clock } from "../../kernel/clock.ts";
import { countAt, fieldAt, fieldsOf, listOf, textAt, tokensAt } from "../../kernel/fields.ts";
import type { AgentFailure } from "../../kernel/roles.ts";
import { snakeCase } from "../../kernel/snake-case.ts";
import { crashOf, providerFailure } from "../failure-of.ts";
import { type AgentStep, step, toolStep } from "../harness/agent-step.ts";
import type {
	FinalMessage,
	HarnessEnd,
	HarnessExit,
	HarnessReader,
	Spending,
} from "../harness/harness.ts";
import { endedWithoutResult } from "../harness/program-end.ts";
import { type PricedTokens, sumKnown } from "../price.ts";
import { lastLine } from "../quote.ts";

/** @param spell how the names are spelled: as here, or in snake case */
function tokensIn(
	usage: unknown,
	model: string | null,
	spell = (name: string): string => name,
): PricedTokens {
	const at = (name: string): number | null => tokensAt(usage, spell(name));
	const [read, written] = [at("cacheReadInputTokens"), at("cacheCreationInputTokens")];
	return {
		inputTokens: sumKnown([at("inputTokens"), read ?? 0, written ?? 0]),
		cacheReadTokens: read,
		cacheWriteTokens: written,
		outputTokens: at("outputTokens"),
		model,
	};
}

const MOST_REPLIES = 10_000;

// Tokens of a call that broke off. They are told when a reply begins: what it was given to read is known then, what it
// wrote is not. A reply comes in several events with the same id, which count once.
class StreamedTokens {
	readonly #counted = new Set<string>();
	#input = 0;
	#cacheRead = 0;
	#cacheWrite = 0;
	#model: string | null = null;

	add(message: unknown): void {
		const id = textAt(message, "id");
		const model = textAt(message, "model");
		const tokens = tokensIn(fieldAt(message, "usage"), model, snakeCase);
		// What Claude Code itself puts in a model's mouth, such as an error, has no model.
		if (id === null || model === null || model.startsWith("<")) return;
		if (tokens.inputTokens === null) return;
		if (this.#counted.has(id) || this.#counted.size >= MOST_REPLIES) return;
		this.#counted.add(id);
		this.#input += tokens.inputTokens;
		this.#cacheRead += tokens.cacheReadTokens ?? 0;
		this.#cacheWrite += tokens.cacheWriteTokens ?? 0;
		this.#model = model;
	}

	spent(): Spending | null {
		if (this.#counted.size === 0) return null;
		return {
			inputTokens: this.#input,
			cacheReadTokens: this.#cacheRead,
			cacheWriteTokens: this.#cacheWrite,
			outputTokens: null,
			costUsd: null,
			model: this.#model,
		};
	}
}

// `claude-opus-4-8[1m]`: the brackets name a size of context and no model.
const VARIANT = /\[[^\]]*\]$/;

// `modelUsage` counts every model, those of subagents included, while `usage` knows the main one alone and stands in when
// an older version prints no other.
function claudeSpent(result: unknown): Spending | null {
	const listed = Object.entries(fieldsOf(fieldAt(result, "modelUsage")));
	const models =
		listed.length > 0
			? listed.map(([name, entry]) =>
					tokensIn(entry, textAt(entry, "canonicalModel") ?? name.replace(VARIANT, "")),
				)
			: [tokensIn(fieldAt(result, "usage"), null, snakeCase)];
	const total = (of: Exclude<keyof PricedTokens, "model">) =>
		sumKnown(models.map((one) => one[of]));
	const [inputTokens, outputTokens] = [total("inputTokens"), total("outputTokens")];
	if ((inputTokens ?? 0) === 0 && (outputTokens ?? 0) === 0) return null;
	const [main] = models.toSorted((a, b) => (b.outputTokens ?? 0) - (a.outputTokens ?? 0));
	return {
		inputTokens,
		cacheReadTokens: total("cacheReadTokens"),
		cacheWriteTokens: total("cacheWriteTokens"),
		outputTokens,
		costUsd: countAt(result, "total_cost_usd"),
		model: main?.model ?? null,
	};
}

// Older versions name no reason.
const COMPLETED: ReadonlySet<unknown> = new Set(["completed", null, undefined]);

// Ends that only a user's own limits bring about, so that trying again would end likewise.
const LIMITS: ReadonlyMap<string, AgentFailure> = new Map([
	["error_max_turns", "unknown"],
	["error_max_budget_usd", "quota_exhausted"],
]);

// Ends of a reply that were no error to Claude Code, but are not an answer.
const REFUSALS: ReadonlyMap<string, AgentFailure> = new Map([
	["refusal", "content_policy"],
	["model_context_window_exceeded", "context_limit"],
	["max_tokens", "context_limit"],
]);

// The turn was completed except for its report: the reader of the report asks for it once more.
const UNFIT_REPORT = "error_max_structured_output_retries";

// The turn broke off inside of the program.
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

function failureIn(result: unknown, said: string): ReturnType<typeof providerFailure> {
	const subtype = textAt(result, "subtype") ?? "";
	const reason = textAt(result, "terminal_reason") ?? "";
	const stop = textAt(result, "stop_reason") ?? "";
	const own = LIMITS.get(subtype) ?? REFUSALS.get(stop);
	if (own !== undefined) return { failure: own };
	const status = countAt(result, "api_error_status") ?? undefined;
	const broke = BROKE_OFF.test(subtype) || BROKE_OFF.test(reason);
	if (broke && status === undefined) return { failure: crashOf(said) ?? "tool_error" };
	const type = textAt(result, "api_error_type") ?? "";
	const found = providerFailure({ status, text: `${type} ${reason} ${said}` });
	return found.failure === "unknown" && broke ? { ...found, failure: "tool_error" } : found;
}

function saidBy(result: unknown): string {
	const errors = fieldAt(result, "errors");
	const last: unknown = Array.isArray(errors) ? errors.at(-1) : undefined;
	const text = textAt(result, "result") ?? (typeof last === "string" ? last : "");
	return lastLine(text);
}

/**
 * Reads the events of `claude -p --output-format stream-json`.
 *
 * Answered is a call whose event `result` is a success in each of its fields, since a `subtype` of `success` also
 * stands on failed requests, and whose program then exited with 0. So is one that only failed to give its report the
 * form of the schema. Whatever comes after `result` is passed over, unless `system` with the subtype `init` begins
 * another turn: then the result of that one counts.
 */
export class ClaudeReader implements HarnessReader {
	readonly #streamed = new StreamedTokens();
	#result: unknown = null;
	readonly #clock: Clock;
	#limitReached = false;
	// Seconds since the epoch; null when nobody said.
	#resetsAt: number | null = null;

	constructor(clock: Clock) {
		this.#clock = clock;
	}

	read(event: unknown): void {
		const type = textAt(event, "type") ?? "";
		if (this.#result !== null && type !== "system") return;
		switch (type) {
			case "result":
				this.#result = event;
				break;
			case "system":
				// Work in the background that has come to its end begins another turn, whose result sums up.
				if (textAt(event, "subtype") === "init") this.#result = null;
				break;
			case "assistant":
				this.#streamed.add(fieldAt(event, "message"));
				break;
			case "rate_limit_event":
				this.#limitReached = textAt(event, "rate_limit_info", "status") === "rejected";
				this.#resetsAt = countAt(event, "rate_limit_info", "resetsAt");
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
			return { kind: "answered", message: { text: "The report did not match its schema." }, spent };
		}
		const said = saidBy(result);
		const stop = textAt(result, "stop_reason") ?? "";
		const ended = textAt(result, "terminal_reason") ?? textAt(result, "subtype") ?? "unknown end";
		const reason = REFUSALS.has(stop) ? stop : ended;
		// Some failures end as if all were well.
		const why = COMPLETED.has(reason) ? "" : ` (${lastLine(reason)})`;
		const message = `claude failed${why}${said === "" ? "" : `: ${said}`}`;
		return { kind: "failed", ...this.#limited(failureIn(result, said)), message, spent };
	}

	// A limit that was reached is a spent quota unless it is lifted soon.
	#limited(found: ReturnType<typeof providerFailure>): ReturnType<typeof providerFailure> {
		const isLimit = found.failure === "rate_limit" || found.failure === "quota_exhausted";
		if (!this.#limitReached || !isLimit) return found;
		if (this.#resetsAt === null) return { ...found, failure: "quota_exhausted" };
		const retryAfterMs = Math.max(0, this.#resetsAt * 1_000 - this.#clock.now());
		return providerFailure({ text: "usage limit", retryAfterMs });
	}
}

function partSteps(part: unknown): readonly AgentStep[] {
	switch (textAt(part, "type") ?? "") {
		case "text":
			return step("says", textAt(part, "text"));
		case "tool_use":
			return toolStep(textAt(part, "name"), fieldAt(part, "input"));
		case "tool_result":
			// What a tool gave is told where it failed.
			return fieldAt(part, "is_error") === true ? step("result", resultText(part)) : [];
		default:
			return [];
	}
}

function resultText(part: unknown): string {
	const content = fieldAt(part, "content");
	if (typeof content === "string") return `failed: ${content}`;
	return `failed: ${listOf(content)
		.flatMap((each) => textAt(each, "text") ?? [])
		.join("\n")}`;
}

/** Steps in an event of {@link ClaudeReader}. */
export function claudeSteps(event: unknown): readonly AgentStep[] {
	const type = textAt(event, "type");
	if (type === "result") {
		const subtype = textAt(event, "subtype");
		return subtype === null || isGood(event) ? [] : step("result", `${subtype} ${saidBy(event)}`);
	}
	if (type !== "assistant" && type !== "user") return [];
	const steps = listOf(fieldAt(event, "message", "content")).flatMap(partSteps);
	// Words of the other side are no words of the agent's.
	return type === "assistant" ? steps : steps.filter(({ kind }) => kind === "result");
}
