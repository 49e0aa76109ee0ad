import type { AgentFailure } from "../../kernel/roles.ts";
import { failureOf } from "../failure-of.ts";
import { endedWithoutResult } from "../harness/ended-without-result.ts";
import { fieldAt, textAt } from "../harness/fields.ts";
import { FinalText } from "../harness/final-text.ts";
import type { HarnessEnd, HarnessExit, HarnessReader, Spent } from "../harness/harness.ts";
import { lastLine } from "../harness/last-line.ts";
import { geminiSpent } from "./gemini-spent.ts";

/** Exit codes of its own, for calls that it does not make. */
const OWN_CODES: Readonly<Record<number, string>> = {
	41: "not signed in",
	42: "its input was refused",
	44: "its sandbox failed",
	52: "its configuration is invalid",
	53: "its limit of turns was reached",
	54: "a tool failed for good",
	55: "the checkout is not trusted",
};

/** A status of HTTP comes as an exit code, of which only eight bits are left: 429 is 173. */
function statusIn(exitCode: number | null): number | undefined {
	return exitCode !== null && exitCode >= 144 ? exitCode + 256 : undefined;
}

/** Its talk about itself, which would hide the line that matters. */
const NOISE = /^(?:\[STARTUP\]|Warning: |YOLO mode is enabled).*$/gm;

/** What it says before it prints its help; null when it took its arguments. */
function refusedArguments({ exitCode, stderr }: HarnessExit): string | null {
	if (exitCode !== 1) return null;
	const [said] =
		/^(?:Unknown arguments?|Invalid values|Not enough arguments)\b.{0,200}/m.exec(stderr) ?? [];
	return said ?? null;
}

/** What the provider said, without what Gemini CLI wraps around it and adds for people. */
function plainMessage(text: string): string {
	const [, said] = /^\[API Error: (.*)\]/s.exec(text) ?? [];
	if (said === undefined) return text;
	try {
		return textAt(JSON.parse(said), "error", "message") ?? said;
	} catch {
		return said;
	}
}

/**
 * Reads the events of `gemini --output-format stream-json`.
 *
 * Answered is a call whose event `result` says `success`, with no error after the last words of the agent, and whose
 * program then exited with 0. Neither alone will do: it exits with 0 when it is told to end, and calls a turn a success
 * that it broke off itself, in a loop or at its limit of turns. Its final message is what the agent said after its
 * last tool. It asks its provider twice at most, and does not hand on how long to wait.
 */
export class GeminiReader implements HarnessReader {
	readonly #words = new FinalText();
	#status: string | null = null;
	/** What it said about an error since the agent's last words. */
	#said: string | null = null;
	#spent: Spent | null = null;

	read(event: unknown): void {
		switch (textAt(event, "type") ?? "") {
			case "message":
				if (textAt(event, "role") !== "assistant") break;
				this.#words.add(textAt(event, "content") ?? "");
				this.#said = null;
				break;
			case "tool_use":
				this.#words.clear();
				break;
			case "error":
				this.#said = textAt(event, "message") ?? "an error";
				break;
			case "result":
				this.#status = textAt(event, "status") ?? "unknown";
				this.#said = textAt(event, "error", "message") ?? this.#said;
				this.#spent = geminiSpent(fieldAt(event, "stats"));
				break;
			default:
		}
	}

	end({ stderr, ...how }: HarnessExit): HarnessEnd {
		const exit = { ...how, stderr: stderr.replaceAll(NOISE, "") };
		const spent = this.#spent;
		if (this.#status === "success" && this.#said === null && exit.exitCode === 0) {
			return { kind: "answered", message: { text: this.#words.text() }, spent };
		}
		const own = OWN_CODES[exit.exitCode ?? 0] ?? refusedArguments(exit);
		if (own === null && this.#said === null) {
			const ended = endedWithoutResult("gemini", exit, spent);
			if (this.#status === null) return ended;
			return { ...ended, message: ended.message.replace("without a result", "after its result") };
		}
		const refused = refusedArguments(exit) !== null;
		const said = refused ? "" : (this.#said ?? exit.stderr).slice(-10_000);
		const line = lastLine(plainMessage(said));
		const reason = own === null ? "" : ` (${own})`;
		const message = `gemini failed${reason}${line === "" ? "" : `: ${line}`}`;
		return { kind: "failed", failure: this.#failure(exit, said, own), message, spent };
	}

	#failure(exit: HarnessExit, text: string, own: string | null): AgentFailure {
		if (own !== null) return "unknown";
		const status = statusIn(exit.exitCode);
		const found = failureOf({ status, text });
		// Without a status it was no answer of a provider: the program itself gave up.
		return found === "unknown" && status === undefined ? "tool_error" : found;
	}
}
