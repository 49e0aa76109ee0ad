import { countAt, fieldAt, textAt, tokensAt } from "../../kernel/fields.ts";
import type { AgentFailure } from "../../kernel/roles.ts";
import { providerFailure, retryAfterHeader } from "../failure-of.ts";
import { type AgentStep, step, toolStep } from "../harness/agent-step.ts";
import { FinalText } from "../harness/final-text.ts";
import type { HarnessEnd, HarnessExit, HarnessReader, Spending } from "../harness/harness.ts";
import { endedWithoutResult } from "../harness/program-end.ts";
import { sumKnown } from "../price.ts";
import { lastLine } from "../quote.ts";

function partAt(tokens: unknown, ...path: readonly string[]): number | null {
	return (fieldAt(tokens, ...path) ?? null) === null ? 0 : tokensAt(tokens, ...path);
}

// A cost of 0 for tokens that were used is opencode's way to say that it knows no price: one such step, and the sum is
// unknown. A model that is free shows as unknown too.
class OpencodeSpent {
	#input: number | null = 0;
	#output: number | null = 0;
	#read: number | null = 0;
	#written: number | null = 0;
	#cost = 0;
	#unpriced = false;

	add(part: unknown): void {
		const tokens = fieldAt(part, "tokens");
		const read = partAt(tokens, "cache", "read");
		const written = partAt(tokens, "cache", "write");
		const input = sumKnown([partAt(tokens, "input"), read, written]);
		const output = sumKnown([partAt(tokens, "output"), partAt(tokens, "reasoning")]);
		const cost = countAt(part, "cost") ?? 0;
		this.#input = sumKnown([this.#input, input]);
		this.#output = sumKnown([this.#output, output]);
		this.#read = sumKnown([this.#read, read]);
		this.#written = sumKnown([this.#written, written]);
		this.#cost += cost;
		if (sumKnown([input, output]) !== 0 && cost === 0) this.#unpriced = true;
	}

	sum(): Spending | null {
		if (sumKnown([this.#input, this.#output]) === 0) return null;
		return {
			inputTokens: this.#input,
			cacheReadTokens: this.#read,
			cacheWriteTokens: this.#written,
			outputTokens: this.#output,
			costUsd: this.#unpriced ? null : this.#cost,
			model: null,
		};
	}
}

// It says this when it will not say what happened, such as for a model that it does not know.
const OWN_ERROR = /unexpected server error\. check server logs for details\.?/i;

function opencodeFailure(error: unknown, spent: Spending | null): HarnessEnd {
	const name = textAt(error, "name") ?? "error";
	const data = fieldAt(error, "data");
	const said = textAt(data, "message") ?? textAt(error, "message") ?? "";
	const body = textAt(data, "responseBody") ?? "";
	const text = [name, said.replace(OWN_ERROR, ""), body]
		.map((part) => part.slice(0, 10_000))
		.join("\n");
	const status = countAt(data, "statusCode") ?? undefined;
	const retryAfterMs = retryAfterHeader(fieldAt(data, "responseHeaders"));
	const failure = providerFailure({ status, text, retryAfterMs });
	const line = lastLine(said);
	const message = `opencode failed (${lastLine(name)})${line === "" ? "" : `: ${line}`}`;
	return { kind: "failed", ...failure, message, spent };
}

// So many steps without a single token are no work: it asks a provider that answers rubbish, over and over.
const EMPTY_STEPS = 20;

// The head of its help is all that it says of an argument that it does not know.
const REFUSED_ARGUMENTS = /^opencode run \[message/m;

// Reasons to end a step after which nothing follows, though it is not an answer.
const ENDS: Readonly<Record<string, AgentFailure>> = {
	length: "tool_error",
	"content-filter": "content_policy",
};

/**
 * Reads the events of `opencode run --format json`.
 *
 * Its end is a step that finishes with the reason `stop`. Answered is a call whose last step did so, with no error in
 * it or after it, and whose program then exited with 0; the texts of that step are its final message. Texts that come
 * after it, and before another step, are passed over. An error is got over by another step that finishes. It tries
 * again by itself, six times in a bit more than a minute, and says nothing meanwhile. It does not name the model.
 */
export class OpencodeReader implements HarnessReader {
	readonly #words = new FinalText();
	readonly #spent = new OpencodeSpent();
	#reason: string | null = null;
	#error: unknown = null;
	#hasBegun = false;
	#emptySteps = 0;

	read(event: unknown): void {
		switch (textAt(event, "type") ?? "") {
			case "step_start":
				this.#words.clear();
				this.#reason = null;
				this.#hasBegun = true;
				break;
			case "text":
				if (this.#reason === "stop") break;
				this.#words.add(`${textAt(event, "part", "text") ?? ""}\n`);
				break;
			case "step_finish":
				if (this.#reason !== "stop") this.#finish(fieldAt(event, "part"));
				break;
			case "error":
				this.#error = fieldAt(event, "error") ?? {};
				this.#hasBegun = false;
				break;
			default:
		}
	}

	stuck(): boolean {
		return this.#emptySteps >= EMPTY_STEPS;
	}

	end(exit: HarnessExit): HarnessEnd {
		const spent = this.#spent.sum();
		if (this.#error !== null) return opencodeFailure(this.#error, spent);
		if (this.stuck()) {
			const message = `opencode was stopped: its provider gave ${EMPTY_STEPS} empty answers in a row`;
			return { kind: "failed", failure: "network", message, spent };
		}
		if (REFUSED_ARGUMENTS.test(exit.stderr) && this.#reason === null) {
			const message = "opencode rejected its arguments and printed its help";
			return { kind: "failed", failure: "unknown", message, spent };
		}
		if (this.#reason === null) return endedWithoutResult("opencode", exit, spent);
		if (this.#reason === "stop" && exit.exitCode === 0) {
			return { kind: "answered", message: { text: this.#words.text() }, spent };
		}
		const when =
			this.#reason === "stop" ? "after its result" : `in the middle of a turn (${this.#reason})`;
		const ended = endedWithoutResult("opencode", exit, spent, when);
		return { ...ended, failure: ENDS[this.#reason] ?? ended.failure };
	}

	#finish(part: unknown): void {
		this.#reason = (textAt(part, "reason") ?? "unknown").slice(0, 40);
		if (this.#hasBegun) this.#error = null;
		this.#spent.add(part);
		const tokens = fieldAt(part, "tokens");
		const used = (countAt(tokens, "input") ?? 0) + (countAt(tokens, "output") ?? 0);
		this.#emptySteps = this.#reason === "unknown" && used === 0 ? this.#emptySteps + 1 : 0;
	}
}

/** Steps in an event of {@link OpencodeReader}. */
export function opencodeSteps(event: unknown): readonly AgentStep[] {
	const part = fieldAt(event, "part");
	if (textAt(part, "type") !== "tool") return step("says", textAt(part, "text"));
	const failed =
		textAt(part, "state", "status") === "error"
			? step("result", `failed: ${textAt(part, "state", "error") ?? ""}`)
			: [];
	return [...toolStep(textAt(part, "tool"), fieldAt(part, "state", "input")), ...failed];
}
