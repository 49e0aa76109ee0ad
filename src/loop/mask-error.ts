import type { Masker } from "../kernel/masking.ts";

/** Errors wrap each other; deeper ones are shown to nobody. */
const MAX_DEPTH = 8;

/** What an error is shown and stored by. */
const TEXTS = ["message", "stack", "hint", "stderr", "stdout"];

function maskAt(masker: Masker, value: unknown, depth: number): void {
	if (typeof value !== "object" || value === null || depth > MAX_DEPTH) return;
	for (const name of TEXTS) {
		const text: unknown = Reflect.get(value, name);
		if (typeof text !== "string") continue;
		const masked = masker.mask(text);
		if (masked !== text) Reflect.set(value, name, masked);
	}
	const cause: unknown = Reflect.get(value, "cause");
	if (typeof cause === "string") Reflect.set(value, "cause", masker.mask(cause));
	else maskAt(masker, cause, depth + 1);
	const errors: unknown = Reflect.get(value, "errors");
	if (Array.isArray(errors)) for (const error of errors) maskAt(masker, error, depth + 1);
}

/**
 * Takes the secrets out of an error: out of its message, its hint and its stack, and out of what caused it. It stays
 * the same object, so that whoever compares it still finds it.
 *
 * @returns the value itself, to be thrown again
 */
export function maskError(masker: Masker, error: unknown): unknown {
	if (error instanceof Error) maskAt(masker, error, 0);
	return error;
}
