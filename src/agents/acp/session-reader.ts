import { countAt, type Fields, fieldsOf, wordsOf } from "../../kernel/fields.ts";
import { Capture } from "../../process/capture.ts";
import type { AgentStep } from "../harness/agent-step.ts";
import { MAX_REPORT_BYTES } from "../parse-report.ts";
import { RetryLines } from "../retry-line.ts";
import { type ToolCallFacts, ToolCalls } from "./tool-calls.ts";

const TRANSCRIPT_MAX = 1_600_000;

// In characters: no report may be longer in bytes.
const LONGEST_MESSAGE = MAX_REPORT_BYTES;

// Not words of the model's but of its program.
const PROGRAM_SAYS = /^\s*\[MODE_UPDATE\] [\w-]+\s*$/;

// In parts with a heading each, null for what the agent says to its user; pieces of one part are not torn apart.
class Transcript {
	readonly #kept = new Capture(TRANSCRIPT_MAX);
	readonly #onOutput: ((text: string) => void) | undefined;
	#heading: string | null = null;
	#atLineStart = true;

	piece(heading: string | null, text: string): void {
		if (text === "") return;
		if (heading !== this.#heading) {
			this.#newLine();
			if (heading !== null) this.#add(`[${heading}] `);
			this.#heading = heading;
		}
		this.#add(text);
	}

	line(text: string): void {
		this.#newLine();
		this.#add(`${text}\n`);
		this.#heading = null;
	}

	// Not kept: it stands in the program's error output, which is kept besides.
	aside(text: string): void {
		this.#onOutput?.(`${this.#atLineStart ? "" : "\n"}${text}\n`);
		this.#atLineStart = true;
	}

	text(): string {
		return this.#kept.text();
	}

	constructor(onOutput: ((text: string) => void) | undefined) {
		this.#onOutput = onOutput;
	}

	#newLine(): void {
		if (!this.#atLineStart) this.#add("\n");
	}

	#add(text: string): void {
		this.#kept.add(text);
		this.#onOutput?.(text);
		this.#atLineStart = text.endsWith("\n");
	}
}

function toolLine({ kind, title, status, gave }: ToolCallFacts): string {
	const line = `[tool ${kind ?? "unknown"}] ${title}${status === null ? "" : ` (${status})`}`;
	return status === "failed" && gave !== "" ? `${line}: ${gave}` : line;
}

const KINDS: Readonly<Record<string, AgentStep["kind"]>> = {
	read: "reads",
	search: "reads",
	fetch: "reads",
	edit: "edits",
	delete: "edits",
	move: "edits",
	execute: "runs",
};

/** Steps in a line of a session's transcript; undefined for words of the agent's. */
export function acpStep(line: string): readonly AgentStep[] | undefined {
	const [, kind = "", title = "", status, gave] =
		/^\[tool ([^\]]*)\] (.*?)(?: \((\w+)\)(?:: (.*))?)?$/.exec(line) ?? [];
	if (title !== "")
		return status === "failed"
			? [{ kind: "result", text: `failed: ${gave ?? title}` }]
			: [{ kind: KINDS[kind] ?? "uses", text: title }];
	// What was refused is told in full; what was allowed follows by itself.
	return /^\[permission [^\]]*\] .*: allowed$/.test(line) ? [] : undefined;
}

// Messages of an agent that works for this one are not its own words.
const isOfSubagent = (update: Fields): boolean =>
	wordsOf(fieldsOf(fieldsOf(update["_meta"])["claudeCode"])["parentToolUseId"]) !== null;

// Takes anything, throws at nothing, and keeps memory bounded.
export class SessionReader {
	readonly #transcript: Transcript;
	readonly #tools = new ToolCalls();
	#sessionId: string | null = null;
	#message: string[] = [];
	#messageLength = 0;
	steps = 1;
	// So far, by the agent's own words.
	costUsd: number | null = null;
	// Null when permission was given for the last thing that it was asked for.
	lastRefused: string | null = null;

	constructor(onOutput?: (text: string) => void) {
		this.#transcript = new Transcript(onOutput);
	}

	// From now on only what is told of this session counts: agents may run others for agents of their own.
	expect(sessionId: string): void {
		this.#sessionId = sessionId;
	}

	beside(text: string): void {
		for (const line of text.split("\n")) {
			if (new RetryLines().read(line).kind === "retry") this.#transcript.aside(line);
		}
	}

	update(params: unknown): void {
		const { sessionId, update } = fieldsOf(params);
		if (this.#sessionId !== null && sessionId !== this.#sessionId) return;
		const told = fieldsOf(update);
		switch (told["sessionUpdate"]) {
			case "agent_message_chunk":
				if (!isOfSubagent(told)) this.#say(wordsOf(fieldsOf(told["content"])["text"]) ?? "");
				return;
			case "agent_thought_chunk":
				this.#transcript.piece("thought", wordsOf(fieldsOf(told["content"])["text"]) ?? "");
				return;
			case "tool_call":
			case "tool_call_update":
				this.tool(told);
				return;
			case "usage_update":
				this.#pay(fieldsOf(told["cost"]));
				return;
			default:
		}
	}

	tool(told: unknown): ToolCallFacts {
		const { facts, isNew } = this.#tools.take(told);
		// Whatever was said before a tool was called is no final message. Later news of the call do not count: they may
		// come after it.
		if (isNew) this.#forgetMessage();
		if (isNew || facts.status === "failed") this.#transcript.line(toolLine(facts));
		return facts;
	}

	permission({ kind, title }: ToolCallFacts, refused: string | null): void {
		const answer = refused === null ? "allowed" : `refused: ${refused}`;
		this.#transcript.line(`[permission ${kind ?? "unknown"}] ${title}: ${answer}`);
		this.lastRefused = refused === null ? null : `${title} (${refused})`;
	}

	note(text: string): void {
		this.#transcript.line(`[spar] ${text}`);
	}

	// After the last tool call; null when it was longer than any report may be.
	get finalMessage(): string | null {
		return this.#messageLength > LONGEST_MESSAGE ? null : this.#message.join("");
	}

	transcript(): string {
		return this.#transcript.text();
	}

	#say(text: string): void {
		if (PROGRAM_SAYS.test(text.slice(0, 100))) {
			this.note(text.trim());
			return;
		}
		this.#transcript.piece(null, text);
		this.#messageLength += text.length;
		if (this.#messageLength > LONGEST_MESSAGE) this.#message = [];
		else this.#message.push(text);
	}

	#forgetMessage(): void {
		this.#message = [];
		this.#messageLength = 0;
		this.steps += 1;
	}

	#pay(cost: Fields): void {
		const amount = countAt(cost["amount"]);
		// An agent that knows no price says 0. What it says is the sum so far.
		if (amount !== null && amount > 0 && cost["currency"] === "USD") this.costUsd = amount;
	}
}
