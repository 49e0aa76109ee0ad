import type {
	CallWarning,
	FinishReason,
	LanguageModel,
	LanguageModelUsage,
	OutputInterface,
	TextStreamPart,
	ToolSet,
} from "ai";
import { textAt, tokensAt } from "../../kernel/fields.ts";
import { Capture } from "../../process/capture.ts";
import type { PricedTokens } from "../price.ts";

function spentIn(usage: LanguageModelUsage, model: string): PricedTokens {
	return {
		inputTokens: tokensAt(usage.inputTokens),
		cacheReadTokens: tokensAt(usage.inputTokenDetails.cacheReadTokens),
		cacheWriteTokens: tokensAt(usage.inputTokenDetails.cacheWriteTokens),
		outputTokens: tokensAt(usage.outputTokens),
		model: model === "" ? null : model,
	};
}

// No report is as long. In characters.
const MAX_TEXT = 16_000_000;

export interface ModelQuestion {
	readonly model: LanguageModel;
	readonly prompt: string;
	readonly schema: Readonly<Record<string, unknown>> | null;
	readonly signal: AbortSignal;
	readonly onOutput?: ((text: string) => void) | undefined;
}

export interface ModelReply {
	/** Null when it is longer than any report. */
	readonly text: string | null;
	/** Thoughts and text in the order in which they came, capped. */
	readonly transcript: string;
	readonly error: { readonly cause: unknown } | null;
	readonly finish: { readonly reason: FinishReason; readonly raw: string | null } | null;
	readonly warnings: readonly string[];
	readonly spent: PricedTokens | null;
}

function outputOf(schema: ModelQuestion["schema"]): OutputInterface<string, number, never> {
	return {
		name: "report",
		responseFormat: Promise.resolve(
			schema === null ? { type: "text" } : { type: "json", name: "report", schema },
		),
		parseCompleteOutput: ({ text }) => Promise.resolve(text),
		// Anything that differs each time, so that no piece is held back; parsing each would take quadratic time.
		parsePartialOutput: ({ text }) => Promise.resolve({ partial: text.length }),
		createElementStreamTransform: () => undefined,
	};
}

function describeWarning(warning: CallWarning): string {
	switch (warning.type) {
		case "unsupported":
		case "compatibility":
			return `${warning.feature} is ${warning.type === "unsupported" ? "not supported" : "in compatibility mode"}${warning.details === undefined ? "" : `: ${warning.details}`}`;
		case "deprecated":
			return `${warning.setting} is deprecated: ${warning.message}`;
		case "other":
			return warning.message;
		default:
			return "a warning of an unknown kind";
	}
}

const LONGEST_NAME = 200;

// The model behind a name such as `gemini-flash-latest`, which the package for Google leaves out of what it tells.
function versionIn(chunk: unknown): string | null {
	const version = textAt(chunk, "modelVersion") ?? "";
	return version === "" || version.length > LONGEST_NAME ? null : version;
}

class StreamedAnswer {
	readonly warnings: string[] = [];
	version: string | null = null;
	readonly #transcript = new Capture();
	readonly #parts: string[] = [];
	#length = 0;
	#last: "text" | "thought" | null = null;

	readonly #onOutput: ((text: string) => void) | undefined;

	constructor(onOutput: ((text: string) => void) | undefined) {
		this.#onOutput = onOutput;
	}

	#write(text: string): void {
		this.#transcript.add(text);
		this.#onOutput?.(text);
	}

	#add(kind: "text" | "thought", text: string): void {
		if (this.#last !== null && this.#last !== kind) this.#write("\n");
		this.#last = kind;
		this.#write(text);
		if (kind === "thought") return;
		this.#length += text.length;
		if (this.#length <= MAX_TEXT) this.#parts.push(text);
	}

	take(part: TextStreamPart<ToolSet>): void {
		if (part.type === "text-delta") this.#add("text", part.text);
		else if (part.type === "reasoning-delta") this.#add("thought", part.text);
		else if (part.type === "raw") this.version = versionIn(part.rawValue) ?? this.version;
		else if (part.type === "start-step") this.warnings.push(...part.warnings.map(describeWarning));
	}

	text(): string | null {
		return this.#length <= MAX_TEXT ? this.#parts.join("") : null;
	}

	transcript(): string {
		return this.#transcript.text();
	}
}

/**
 * Makes one request, without retries; streamed, so that a model that thinks for long is not taken for a dead one.
 *
 * Never rejects: whatever goes wrong, the signal's abort included, is the reply's `error`.
 */
export async function askModel(question: ModelQuestion): Promise<ModelReply> {
	const heard = new StreamedAnswer(question.onOutput);
	let error: ModelReply["error"] = null;
	let finish: ModelReply["finish"] = null;
	let spent: PricedTokens | null = null;
	try {
		const { streamText } = await import("ai");
		// Warnings are told in the transcript; the package would also print them to Sparring's own output.
		globalThis.AI_SDK_LOG_WARNINGS = false;
		const { stream } = streamText({
			model: question.model,
			prompt: question.prompt,
			output: outputOf(question.schema),
			maxRetries: 0,
			include: { rawChunks: true },
			abortSignal: question.signal,
			// The default prints errors; they come as parts of the stream, too.
			onError: () => undefined,
		});
		for await (const part of stream) {
			heard.take(part);
			if (part.type === "error") error ??= { cause: part.error };
			else if (part.type === "abort") error ??= { cause: question.signal.reason };
			else if (part.type === "finish-step") {
				finish = { reason: part.finishReason, raw: part.rawFinishReason ?? null };
				spent = spentIn(part.usage, heard.version ?? part.response.modelId);
			}
		}
	} catch (cause) {
		error ??= { cause };
	}
	const transcript = heard.transcript();
	return { text: heard.text(), transcript, error, finish, warnings: heard.warnings, spent };
}
