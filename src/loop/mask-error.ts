import { inspect } from "node:util";
import { Fault } from "../kernel/fault.ts";
import type { Masker } from "../kernel/masking.ts";

/** Errors wrap each other; deeper ones are shown to nobody. */
const MAX_DEPTH = 8;

/** Shown with an error, and not always properties of its own that can be listed. */
const ALWAYS = ["message", "stack", "cause", "errors"] as const;

/** What is masked already or under way, so that errors in a circle end. */
type Seen = Map<object, unknown>;

/** An object or list that is no instance of anything. */
function isPlain(value: object): boolean {
	const prototype: unknown = Object.getPrototypeOf(value);
	return prototype === null || prototype === Object.prototype || Array.isArray(value);
}

/**
 * The value without secrets. An error stays the same one and is changed; of anything else that holds a secret a copy is
 * made, since somebody may still work with it. What holds none is itself.
 */
function masked(masker: Masker, value: unknown, depth: number, seen: Seen): unknown {
	if (typeof value === "string") return masker.mask(value);
	if (typeof value !== "object" || value === null) return value;
	if (seen.has(value)) return seen.get(value);
	seen.set(value, value instanceof Error ? value : "[Circular]");
	if (depth > MAX_DEPTH) return shownMasked(masker, value);
	if (value instanceof Error) {
		maskOwn(masker, value, depth, seen);
		return value;
	}
	if (!isPlain(value)) return shownMasked(masker, value);
	const copy = maskedPlain(masker, value, depth, seen);
	seen.set(value, copy);
	return copy;
}

function maskedPlain(masker: Masker, value: object, depth: number, seen: Seen): object {
	if (Array.isArray(value)) {
		const list: readonly unknown[] = value;
		const copy = list.map((inner) => masked(masker, inner, depth + 1, seen));
		return copy.some((inner, index) => inner !== list[index]) ? copy : list;
	}
	const fields = Object.entries(Object.getOwnPropertyDescriptors(value))
		.filter(([, { enumerable }]) => enumerable === true)
		.map(([key, field]) => {
			const before: unknown = field.value;
			const name = masker.mask(key);
			const after = masked(masker, before, depth + 1, seen);
			return { name, after, isSame: name === key && after === before };
		});
	if (fields.every(({ isSame }) => isSame)) return value;
	return Object.fromEntries(fields.map(({ name, after }) => [name, after]));
}

/** What an object of some class looks like where it is shown; the object itself when that tells no secret. */
function shownMasked(masker: Masker, value: object): unknown {
	const shown = inspect(value, { depth: 4 });
	const text = masker.mask(shown);
	return text === shown ? value : text;
}

function maskOwn(masker: Masker, error: Error, depth: number, seen: Seen): void {
	const names = new Set<string | symbol>([...ALWAYS, ...Reflect.ownKeys(error)]);
	// A fault's code is one of a closed set, and decides the exit code.
	if (error instanceof Fault) names.delete("code");
	for (const name of names) {
		try {
			const value: unknown = Reflect.get(error, name);
			const after = masked(masker, value, depth + 1, seen);
			if (after !== value) Reflect.set(error, name, after);
		} catch {
			// A field that throws when it is read or written is shown to nobody either.
		}
	}
}

/**
 * Takes the secrets out of an error: out of its message and its stack, out of every field of its own, and out of what
 * caused it, however deep. It stays the same object, so that whoever compares it still finds it.
 *
 * @returns the value itself, to be thrown again; a text that was thrown is masked
 */
export function maskError(masker: Masker, error: unknown): unknown {
	return masked(masker, error, 0, new Map());
}
