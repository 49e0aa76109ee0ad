import type { AgentFailure } from "../../kernel/roles.ts";
import { countAt, fieldAt, textAt } from "../fields.ts";
import { endedWithoutResult } from "../harness/ended-without-result.ts";
import { FinalText } from "../harness/final-text.ts";
import type { HarnessEnd, HarnessExit, HarnessReader } from "../harness/harness.ts";
import { opencodeFailure } from "./opencode-failure.ts";
import { OpencodeSpent } from "./opencode-spent.ts";

/** So many steps without a single token are no work: it asks a provider that answers rubbish, over and over. */
const EMPTY_STEPS = 20;

/** The head of its help, which is all that it says of an argument that it does not know. */
const REFUSED_ARGUMENTS = /^opencode run \[message/m;

/** Reasons to end a step after which nothing follows, though it is no answer. */
const ENDS: Readonly<Record<string, AgentFailure>> = {
	length: "tool_error",
	"content-filter": "content_policy",
};

/**
 * Reads the events of `opencode run --format json`.
 *
 * Its end is a step that finishes with the reason `stop`. Answered is a call whose last step did so, with no error in
 * it or after it, and whose program then exited with 0; the texts of that step are its final message. Texts that come
 * after it, and before another step, are passed over. An error is got over by another step that finishes. It tries again by itself, six
 * times in a bit more than a minute, and says nothing meanwhile. It does not name the model.
 */
export class OpencodeReader implements HarnessReader {
	readonly #words = new FinalText();
	readonly #spent = new OpencodeSpent();
	#reason: string | null = null;
	/** The last error that no later step has got over. */
	#error: unknown = null;
	/** Whether a step began since that error. */
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
			const message = `opencode was ended: its provider gave ${EMPTY_STEPS} empty answers in a row`;
			return { kind: "failed", failure: "network", message, spent };
		}
		if (REFUSED_ARGUMENTS.test(exit.stderr) && this.#reason === null) {
			const message = "opencode refused its arguments and printed its help";
			return { kind: "failed", failure: "unknown", message, spent };
		}
		if (this.#reason === null) return endedWithoutResult("opencode", exit, spent);
		if (this.#reason === "stop" && exit.exitCode === 0) {
			return { kind: "answered", message: { text: this.#words.text() }, spent };
		}
		const ended = endedWithoutResult("opencode", exit, spent);
		const where = this.#reason === "stop" ? "after its result" : `in mid-turn (${this.#reason})`;
		const message = ended.message.replace("without a result", where);
		return { ...ended, failure: ENDS[this.#reason] ?? ended.failure, message };
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
