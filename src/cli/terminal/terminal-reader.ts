import type { Readable, Writable } from "node:stream";

export interface LineReader {
	/**
	 * Shows the prompt and waits for a line, which is given without its end. What was typed before the prompt is not
	 * heard: the rest of a paste must not answer a question that nobody has read.
	 *
	 * null when no line comes any more: the end of the input, or Ctrl-C; every later call then gives null at once. It
	 * does not reject.
	 */
	readonly readLine: (prompt: string) => Promise<string | null>;
	/** Likewise, for the next line of a text; what was typed before the prompt is heard. */
	readonly readNext: (prompt: string) => Promise<string | null>;
}

export interface TerminalReader extends LineReader {
	// No line may be awaited meanwhile.
	readonly yieldTo: (work: () => Promise<void>) => Promise<void>;
	// May be called twice.
	readonly close: () => void;
}

// Ctrl-C and Ctrl-D end the input; a prompt that is shown then gives null.
export async function openTerminalReader(
	input: Readable,
	output: Writable,
	terminal: boolean,
): Promise<TerminalReader> {
	const { createInterface } = await import("node:readline/promises");
	const lines = createInterface({ input, output, terminal, historySize: 0 });
	const typedAhead: string[] = [];
	let hear: ((line: string | null) => void) | null = null;
	let open = true;
	lines.on("line", (line) => {
		if (hear === null) typedAhead.push(line);
		else hear(line);
		hear = null;
	});
	lines.on("close", () => {
		open = false;
		hear?.(null);
	});
	lines.on("SIGINT", () => {
		lines.close();
	});
	const read = async (prompt: string): Promise<string | null> => {
		if (!open) return null;
		const ready = typedAhead.shift();
		if (ready !== undefined) return ready;
		return await new Promise((resolve) => {
			hear = resolve;
			lines.setPrompt(prompt);
			lines.prompt();
		});
	};
	return {
		readLine: async (prompt) => {
			typedAhead.length = 0;
			return await read(prompt);
		},
		readNext: read,
		yieldTo: async (work) => {
			lines.pause();
			try {
				await work();
			} finally {
				if (open) lines.resume();
			}
		},
		close: () => {
			lines.close();
		},
	};
}
