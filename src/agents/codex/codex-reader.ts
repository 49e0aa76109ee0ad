import { failureOf } from "../failure-of.ts";
import { endedWithoutResult } from "../harness/ended-without-result.ts";
import { countAt, fieldAt, textAt } from "../harness/fields.ts";
import type { HarnessEnd, HarnessExit, HarnessReader, Spent } from "../harness/harness.ts";
import { lastLine } from "../harness/last-line.ts";
import { retryAfterIn } from "./retry-after-in.ts";

/** Such as `last status: 429 Too Many Requests` and `unexpected status 401 Unauthorized`. */
const STATUS = /\bstatus:? ([45]\d\d)\b/i;

function spentBy(usage: unknown): Spent | null {
	const inputTokens = countAt(usage, "input_tokens");
	const outputTokens = countAt(usage, "output_tokens");
	if (inputTokens === null && outputTokens === null) return null;
	return {
		inputTokens,
		cacheReadTokens: countAt(usage, "cached_input_tokens"),
		cacheWriteTokens: countAt(usage, "cache_write_input_tokens"),
		outputTokens,
		costUsd: null,
		model: null,
	};
}

/** The message of a provider's error, which Codex may hand on as the JSON that it got. */
function plainMessage(message: string): string {
	try {
		return textAt(JSON.parse(message), "error", "message") ?? message;
	} catch {
		return message;
	}
}

/**
 * Reads the events of `codex exec --json`.
 *
 * Answered is a call whose turn ended with `turn.completed` and whose program then exited with 0; the last
 * `agent_message` is its final message. An event `error` ends nothing: Codex tells of each of its own retries so.
 * Codex names neither model nor cost, and no tokens of a turn that failed.
 */
export class CodexReader implements HarnessReader {
	#message = "";
	#end: "completed" | "failed" | null = null;
	#said = "";
	#spent: Spent | null = null;

	read(event: unknown): void {
		switch (textAt(event, "type") ?? "") {
			case "turn.started":
				this.#end = null;
				break;
			case "item.completed":
				if (textAt(event, "item", "type") === "agent_message") {
					this.#message = textAt(event, "item", "text") ?? "";
				}
				break;
			case "error":
				this.#said = textAt(event, "message") ?? this.#said;
				break;
			case "turn.completed":
				this.#end = "completed";
				this.#spent = spentBy(fieldAt(event, "usage"));
				break;
			case "turn.failed":
				this.#end = "failed";
				this.#said = textAt(event, "error", "message") ?? this.#said;
				break;
			default:
		}
	}

	end(exit: HarnessExit): HarnessEnd {
		if (this.#end === "completed" && exit.exitCode === 0) {
			return { kind: "answered", message: { text: this.#message }, spent: this.#spent };
		}
		if (this.#end !== "failed") {
			const when = this.#end === null ? "without a result" : "after its result";
			return endedWithoutResult("codex", exit, this.#spent, when);
		}
		const text = this.#said.slice(0, 10_000);
		const [, status] = STATUS.exec(text) ?? [];
		const failure = failureOf({ status: status === undefined ? undefined : Number(status), text });
		const line = lastLine(plainMessage(text));
		const message = `codex failed${line === "" ? "" : `: ${line}`}`;
		const retryAfterMs = retryAfterIn(text);
		const retry = retryAfterMs === undefined ? {} : { retryAfterMs };
		return { kind: "failed", failure, message, spent: this.#spent, ...retry };
	}
}
