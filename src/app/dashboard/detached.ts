import { spawn } from "node:child_process";
import { closeSync, mkdirSync, openSync, readFileSync } from "node:fs";
import { dirname } from "node:path";

/** What became of a program. */
export interface Ended {
	/** null when a signal ended it. */
	readonly code: number | null;
	/** The last lines that it printed. */
	readonly said: readonly string[];
}

/** Lines of the end that are kept. */
const MOST_LINES = 20;

/** Their longest, in characters. */
const MOST_LINE = 500;

/**
 * Starts a program that outlives this one: in a session of its own, so that no Ctrl-C of a terminal reaches it, with its
 * output in a file. Rejects where it cannot be started.
 *
 * @returns resolves with its end, as far as this process is there to see it
 */
export async function runDetached(
	command: readonly [program: string, ...args: string[]],
	place: {
		readonly directory: string;
		readonly env: Readonly<Record<string, string | undefined>>;
		/** Absolute path of the file that gets what it prints. */
		readonly output: string;
	},
): Promise<Ended> {
	mkdirSync(dirname(place.output), { recursive: true });
	const file = openSync(place.output, "w", 0o600);
	const { promise, resolve, reject } = Promise.withResolvers<number | null>();
	try {
		const [program, ...args] = command;
		const child = spawn(program, args, {
			cwd: place.directory,
			env: place.env,
			detached: true,
			stdio: ["ignore", file, file],
		});
		child.once("error", reject);
		child.once("exit", (code) => resolve(code));
		child.unref();
	} finally {
		closeSync(file);
	}
	return { code: await promise, said: lastLines(readFileSync(place.output, "utf8")) };
}

/** The last lines of a text that say something. */
export function lastLines(text: string): readonly string[] {
	return text
		.split("\n")
		.filter((line) => line.trim() !== "")
		.slice(-MOST_LINES)
		.map((line) => line.slice(0, MOST_LINE));
}
