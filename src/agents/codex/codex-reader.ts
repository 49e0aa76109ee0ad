import { providerFailure } from "../failure-of.ts";
import { fieldAt, listOf, textAt, tokensAt } from "../fields.ts";
import { endedWithoutResult } from "../harness/ended-without-result.ts";
import type { HarnessEnd, HarnessExit, HarnessReader, Spent } from "../harness/harness.ts";
import { toolText } from "../harness/tool-text.ts";
import { lastLine } from "../quote.ts";

/** Such as `last status: 429 Too Many Requests` and `unexpected status 401 Unauthorized`. */
const STATUS = /\bstatus:? ([45]\d\d)\b/i;

function spentBy(usage: unknown): Spent | null {
	const inputTokens = tokensAt(usage, "input_tokens");
	const outputTokens = tokensAt(usage, "output_tokens");
	if (inputTokens === null && outputTokens === null) return null;
	return {
		inputTokens,
		cacheReadTokens: tokensAt(usage, "cached_input_tokens"),
		cacheWriteTokens: tokensAt(usage, "cache_write_input_tokens"),
		outputTokens,
		costUsd: null,
		model: null,
	};
}

/** The message of a provider's error, which Codex may pass on as the JSON that it received. */
function plainMessage(message: string): string {
	try {
		return textAt(JSON.parse(message), "error", "message") ?? message;
	} catch {
		return message;
	}
}

/** Items that are not tools: what stands before them may still be the final message. */
const NO_TOOLS: ReadonlySet<string> = new Set(["reasoning", "todo_list", "error"]);

/**
 * Reads the events of `codex exec --json`.
 *
 * Answered is a call whose turn ended with `turn.completed` and whose program then exited with 0; the last
 * `agent_message` of this turn, after its last tool, is its final message. Whatever comes after that end is passed
 * over. An event `error` ends nothing: Codex tells of each of its own retries so. Codex names neither model nor cost,
 * and no tokens of a turn that failed.
 */
export class CodexReader implements HarnessReader {
	#message = "";
	#end: "completed" | "failed" | null = null;
	#said = "";
	#spent: Spent | null = null;

	read(event: unknown): void {
		const type = textAt(event, "type") ?? "";
		// A turn that failed is over as well, but for another one that begins.
		if (this.#end === "completed" || (this.#end === "failed" && type !== "turn.started")) return;
		switch (type) {
			case "turn.started":
				this.#end = null;
				this.#message = "";
				break;
			case "item.started":
			case "item.updated":
			case "item.completed":
				this.#item(event, type);
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
				this.#message = "";
				this.#said = textAt(event, "error", "message") ?? this.#said;
				break;
			default:
		}
	}

	#item(event: unknown, news: string): void {
		const kind = textAt(event, "item", "type") ?? "";
		if (kind === "agent_message") {
			if (news === "item.completed") this.#message = textAt(event, "item", "text") ?? "";
		} else if (!NO_TOOLS.has(kind)) this.#message = "";
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
		const failure = providerFailure({
			status: status === undefined ? undefined : Number(status),
			text,
		});
		const line = lastLine(plainMessage(text));
		const message = `codex failed${line === "" ? "" : `: ${line}`}`;
		return { kind: "failed", ...failure, message, spent: this.#spent };
	}
}

/** An item that began or ended. */
export function codexTold(event: unknown): string | null {
	const item = fieldAt(event, "item");
	switch (textAt(item, "type") ?? "") {
		case "agent_message":
		case "reasoning":
			return textAt(item, "text");
		case "command_execution":
			return textAt(item, "command");
		case "file_change":
			return toolText("edit", listOf(fieldAt(item, "changes")).at(-1));
		default:
			return null;
	}
}
