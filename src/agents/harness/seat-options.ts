import { join } from "node:path";
import type { HarnessSeat } from "./harness.ts";

/**
 * Tells whether a user's arguments give one of these options, so that Sparring must not add its own: `--model x`,
 * `--model=x`, and for one letter also `-mx`.
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

export function modelOf(
	{ args, model }: HarnessSeat,
	...options: readonly string[]
): string | null {
	return holdsOption(args, ...options) ? null : (model ?? null);
}

export function storeOf(
	{ store, userHome }: HarnessSeat,
	variable: string,
	place: string,
): string | undefined {
	return store[variable] ?? (userHome === undefined ? undefined : join(userHome, place));
}
