import { join } from "node:path";
import type { HarnessSeat } from "./harness.ts";

/**
 * Whether a user's arguments give one of these options, so that Sparring must not add its own: `--model x`,
 * `--model=x`, and for one letter also `-mx`.
 *
 * @param options as they are written, dashes included
 * @example `holdsOption(["--model=opus"], "--model", "-m")` is true
 */
export function holdsOption(args: readonly string[], ...options: readonly string[]): boolean {
	return args.some((arg) =>
		options.some(
			(option) =>
				arg === option ||
				arg.startsWith(`${option}=`) ||
				(/^-[^-]$/.test(option) && arg.startsWith(option)),
		),
	);
}

/** The model that a seat names; null where its own arguments give one of these options, or nobody names one. */
export function modelOf(
	{ args, model }: HarnessSeat,
	...options: readonly string[]
): string | null {
	return holdsOption(args, ...options) ? null : (model ?? null);
}

/** The user's own store: where the variable says, else below the home directory; undefined when nobody knows. */
export function storeOf(
	{ store, userHome }: HarnessSeat,
	variable: string,
	place: string,
): string | undefined {
	return store[variable] ?? (userHome === undefined ? undefined : join(userHome, place));
}
