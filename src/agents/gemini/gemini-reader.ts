import { fieldAt, fieldsOf, jsonIn, textAt, tokensAt } from "../../kernel/fields.ts";
import { providerFailure } from "../failure-of.ts";
import { type AgentStep, step, toolStep } from "../harness/agent-step.ts";
import { FinalText } from "../harness/final-text.ts";
import type { HarnessEnd, HarnessExit, HarnessReader, Spending } from "../harness/harness.ts";
import { endedWithoutResult } from "../harness/program-end.ts";
import { lastLine } from "../quote.ts";

function mainModel(models: unknown): string | null {
	let main: string | null = null;
	let most = -1;
	for (const [name, stats] of Object.entries(fieldsOf(models))) {
		const tokens = tokensAt(stats, "total_tokens") ?? 0;
		if (tokens > most) [main, most] = [name, tokens];
	}
	return main;
}

// Thoughts are counted in the total only, and are paid for as output is.
function geminiSpent(stats: unknown): Spending | null {
	const input = tokensAt(stats, "input_tokens");
	const output = tokensAt(stats, "output_tokens");
	const total = tokensAt(stats, "total_tokens");
	if ((input ?? 0) + (output ?? 0) + (total ?? 0) === 0) return null;
	const rest = total === null || input === null ? null : total - input;
	return {
		inputTokens: input,
		cacheReadTokens: tokensAt(stats, "cached"),
		cacheWriteTokens: null,
		outputTokens: rest === null ? output : Math.max(rest, output ?? 0),
		costUsd: null,
		model: mainModel(fieldAt(stats, "models")),
	};
}

// For calls that it does not make.
const OWN_CODES: Readonly<Record<number, string>> = {
	41: "not signed in",
	42: "it rejected its input",
	44: "its sandbox failed",
	52: "its configuration is invalid",
	53: "it reached its turn limit",
	54: "a tool failed permanently",
	55: "the checkout is not trusted",
};

// A status of HTTP comes as an exit code, of which only eight bits are left: 429 is 173. Others, such as 255, are no
// status that providers use.
function statusIn(exitCode: number | null): number | undefined {
	if (exitCode === null || exitCode < 144) return undefined;
	const status = exitCode + 256;
	return status < 432 || (status >= 500 && status < 505) ? status : undefined;
}

const NOISE = /^(?:\[STARTUP\]|Warning: |YOLO mode is enabled).*$/gm;

function refusedArguments({ exitCode, stderr }: HarnessExit): string | null {
	if (exitCode !== 1) return null;
	const [said] =
		/^(?:Unknown arguments?|Invalid values|Not enough arguments)\b.{0,200}/m.exec(stderr) ?? [];
	return said ?? null;
}

function plainMessage(text: string): string {
	const [, said] = /^\[API Error: (.*)\]/s.exec(text) ?? [];
	return said === undefined ? text : (textAt(jsonIn(said), "error", "message") ?? said);
}

/**
 * Reads the events of `gemini --output-format stream-json`.
 *
 * Answered is a call whose event `result` says `success`, with no error that the agent did not get over, and whose
 * program then exited with 0. Neither alone will do: it exits with 0 when it is told to end, and calls a turn a success
 * that it broke off itself, in a loop or at its limit of turns. The agent gets over an error by another turn, which
 * only tools bring about, in which it says something. Its final message is what it said after its last tool. It passes
 * on how long to wait only in the provider's words, if at all.
 */
export class GeminiReader implements HarnessReader {
	readonly #words = new FinalText();
	#status: string | null = null;
	#said: string | null = null;
	// Tools were used since that error, so that the next words are those of another turn.
	#hasTurned = false;
	#spent: Spending | null = null;

	read(event: unknown): void {
		if (this.#status !== null) return;
		switch (textAt(event, "type") ?? "") {
			case "message":
				if (textAt(event, "role") === "assistant") this.#say(textAt(event, "content") ?? "");
				break;
			case "tool_use":
			case "tool_result":
				this.#words.clear();
				this.#hasTurned = true;
				break;
			case "error":
				this.#said = textAt(event, "message") ?? "an error";
				this.#hasTurned = false;
				break;
			case "result":
				this.#status = textAt(event, "status") ?? "unknown";
				this.#said = textAt(event, "error", "message") ?? this.#said;
				this.#spent = geminiSpent(fieldAt(event, "stats"));
				break;
			default:
		}
	}

	#say(text: string): void {
		this.#words.add(text);
		if (this.#hasTurned && text.trim() !== "") this.#said = null;
	}

	end({ stderr, ...how }: HarnessExit): HarnessEnd {
		const exit = { ...how, stderr: stderr.replaceAll(NOISE, "") };
		const spent = this.#spent;
		if (this.#status === "success" && this.#said === null && exit.exitCode === 0) {
			return { kind: "answered", message: { text: this.#words.text() }, spent };
		}
		const own = OWN_CODES[exit.exitCode ?? 0] ?? refusedArguments(exit);
		const status = statusIn(exit.exitCode);
		if (own === null && this.#said === null && status === undefined) {
			const when = this.#status === null ? "without a result" : "after its result";
			return endedWithoutResult("gemini", exit, spent, when);
		}
		return this.#failed(exit, { own, status });
	}

	#failed(
		exit: HarnessExit,
		{ own, status }: { readonly own: string | null; readonly status: number | undefined },
	): HarnessEnd {
		const refused = refusedArguments(exit) !== null;
		const said = refused ? "" : (this.#said ?? exit.stderr).slice(-10_000);
		const line = lastLine(plainMessage(said));
		const told = this.#said === null && status !== undefined ? `status ${status}` : null;
		const reason = own === null && told === null ? "" : ` (${own ?? told})`;
		const message = `gemini failed${reason}${line === "" ? "" : `: ${line}`}`;
		const spent = this.#spent;
		if (own !== null) return { kind: "failed", failure: "unknown", message, spent };
		// Of a program's own last words only the status counts.
		const found = providerFailure({ status, text: this.#said === null ? "" : said });
		// Without a status it was no answer of a provider: the program itself gave up.
		const gaveUp = found.failure === "unknown" && status === undefined;
		return {
			kind: "failed",
			...found,
			failure: gaveUp ? "tool_error" : found.failure,
			message,
			spent,
		};
	}
}

/** Steps in an event of {@link GeminiReader}. */
export function geminiSteps(event: unknown): readonly AgentStep[] {
	switch (textAt(event, "type") ?? "") {
		case "tool_use":
			return toolStep(textAt(event, "tool_name"), fieldAt(event, "parameters"));
		case "tool_result":
			return fieldAt(event, "status") === "error"
				? step(
						"result",
						`failed: ${textAt(event, "error", "message") ?? textAt(event, "output") ?? ""}`,
					)
				: [];
		case "error":
			return step("result", textAt(event, "message"));
		case "message":
			return textAt(event, "role") === "assistant"
				? step("says", textAt(event, "content")).map((said) => ({
						...said,
						isPiece: fieldAt(event, "delta") === true,
					}))
				: [];
		default:
			return [];
	}
}
