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

interface ServerSettings {
	readonly command: string;
	readonly args: readonly string[];
	readonly env: Readonly<Record<string, string>>;
}

/**
 * The servers of a seat as most settings name them, with a reference to each variable in place of its value.
 *
 * @example `{ notes: { command: "npx", args: ["-y", "notes"], env: { NOTES_KEY: "$NOTES_KEY" } } }`
 */
export function serversOf(
	{ servers = [] }: HarnessSeat,
	reference: (variable: string) => string,
): Readonly<Record<string, ServerSettings>> {
	return Object.fromEntries(
		servers.map(({ name, command: [command = "", ...args], env }) => {
			const variables = Object.keys(env).map(
				(variable) => [variable, reference(variable)] as const,
			);
			return [name, { command, args, env: Object.fromEntries(variables) }] as const;
		}),
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
