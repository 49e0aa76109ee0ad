import { countAt, fieldAt, fieldsOf, textAt, tokensAt } from "../fields.ts";
import type { Spent } from "../harness/harness.ts";
import { sumKnown } from "../sum-known.ts";

/** More replies than any call has: a limit of memory for what floods. */
const MOST_REPLIES = 10_000;

/**
 * Tokens of a call that broke off, by its events `assistant`. They are told when a reply begins: what it was given to
 * read is known then, what it wrote is not.
 */
export class StreamedTokens {
	readonly #counted = new Set<string>();
	#input = 0;
	#cacheRead = 0;
	#cacheWrite = 0;
	#model: string | null = null;

	/** Takes one `message`; a reply comes in several with the same id, which count once. */
	add(message: unknown): void {
		const id = textAt(message, "id");
		const model = textAt(message, "model");
		const input = tokensAt(message, "usage", "input_tokens");
		// What Claude Code itself puts in a model's mouth, such as an error, has no model.
		if (id === null || input === null || model === null || model.startsWith("<")) return;
		if (this.#counted.has(id) || this.#counted.size >= MOST_REPLIES) return;
		this.#counted.add(id);
		const read = tokensAt(message, "usage", "cache_read_input_tokens") ?? 0;
		const written = tokensAt(message, "usage", "cache_creation_input_tokens") ?? 0;
		this.#input += input + read + written;
		this.#cacheRead += read;
		this.#cacheWrite += written;
		this.#model = model;
	}

	/** @returns null when no reply began */
	spent(): Spent | null {
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

/** Tokens of one model. */
interface ModelTokens {
	readonly input: number | null;
	readonly cacheRead: number | null;
	readonly cacheWrite: number | null;
	readonly output: number | null;
	readonly model: string | null;
}

/** Such as `claude-opus-4-8[1m]`, whose brackets name a size of context and no model. */
const VARIANT = /\[[^\]]*\]$/;

function modelTokens(name: string, entry: unknown): ModelTokens {
	return {
		input: tokensAt(entry, "inputTokens"),
		cacheRead: tokensAt(entry, "cacheReadInputTokens"),
		cacheWrite: tokensAt(entry, "cacheCreationInputTokens"),
		output: tokensAt(entry, "outputTokens"),
		model: textAt(entry, "canonicalModel") ?? name.replace(VARIANT, ""),
	};
}

/** What Claude Code calls input leaves out what its cache held. */
function allInput({ input, cacheRead, cacheWrite }: ModelTokens): number | null {
	return sumKnown([input, cacheRead ?? 0, cacheWrite ?? 0]);
}

/** Of several models, such as those of subagents, the one that wrote the most. */
function mainModel(models: readonly ModelTokens[]): string | null {
	const [most] = models.toSorted((a, b) => (b.output ?? 0) - (a.output ?? 0));
	return most?.model ?? null;
}

/**
 * What a call used up, by its event `result`: `modelUsage` counts every model, those of subagents included, while
 * `usage` knows the main one alone and stands in when an older version prints no other.
 *
 * @returns null when the event tells nothing, or that no model answered at all
 */
export function claudeSpent(result: unknown): Spent | null {
	const listed = Object.entries(fieldsOf(fieldAt(result, "modelUsage")));
	const usage = fieldAt(result, "usage");
	const models =
		listed.length > 0
			? listed.map(([name, entry]) => modelTokens(name, entry))
			: [
					{
						input: tokensAt(usage, "input_tokens"),
						cacheRead: tokensAt(usage, "cache_read_input_tokens"),
						cacheWrite: tokensAt(usage, "cache_creation_input_tokens"),
						output: tokensAt(usage, "output_tokens"),
						model: null,
					},
				];
	const spent = {
		inputTokens: sumKnown(models.map(allInput)),
		cacheReadTokens: sumKnown(models.map(({ cacheRead }) => cacheRead)),
		cacheWriteTokens: sumKnown(models.map(({ cacheWrite }) => cacheWrite)),
		outputTokens: sumKnown(models.map(({ output }) => output)),
	};
	if ((spent.inputTokens ?? 0) === 0 && (spent.outputTokens ?? 0) === 0) return null;
	return { ...spent, costUsd: countAt(result, "total_cost_usd"), model: mainModel(models) };
}
