import { resolve } from "node:path";
import type { Readable, Writable } from "node:stream";
import { Fault } from "../../kernel/fault.ts";
import type { Sparring } from "../../library/sparring.ts";
import type { OnMachines } from "../../machines/open-machines.ts";
import type { ServeVerifierOptions } from "../../machines/serve-verifier.ts";
import type { Served } from "../../web/serve.ts";
import { UNLIMITED } from "./table.ts";
import type { TerminalReader } from "./terminal-reader.ts";

// Writing never fails: a reader that has gone away is no error.
export interface Outlet {
	readonly isTTY: boolean;
	readonly columns: number;
	readonly rows: number;
	write(text: string): void;
	// On a terminal, a line that is too long is broken between words.
	print(text: string): void;
}

export const lineWidth = ({ isTTY, columns }: Outlet): number => (isTTY ? columns : UNLIMITED);

export interface LiveArea {
	draw(text: string): void;
	persist(text: string): void;
	clear(): void;
}

export interface Shell {
	readonly directory: string;
	readonly env: Readonly<Record<string, string | undefined>>;
	readonly out: Outlet;
	readonly err: Outlet;
	readonly isTyped: boolean;
	// In the user's pager where standard output is a terminal, else written to it.
	showLong(text: string): Promise<void>;
	openReader(): Promise<TerminalReader>;
	now(): number;
	// Standard input up to its end, or up to where the text is whole.
	readInput(isWhole?: (text: string) => boolean): Promise<string>;
	// On the repository of the directory, else on that of the process.
	open(options: {
		readonly readOnly: boolean;
		readonly directory?: string | undefined;
	}): Promise<Sparring>;
	// Standard input and output for a protocol, whose messages stay whole: what they hold is masked by whoever writes it.
	openWire(): Promise<{
		readonly stdin: Readable;
		readonly stdout: Writable;
		readonly mask: (text: string) => string;
	}>;
	openDashboard(options: { readonly port: number }): Promise<Served>;
	openMachines(): Promise<OnMachines>;
	serveVerifier(
		options: Pick<ServeVerifierOptions, "source" | "slots" | "onNews">,
		signal: AbortSignal,
	): Promise<void>;
	// Never fails.
	readonly openBrowser: (url: string) => void;
	openLiveArea(): Promise<LiveArea>;
	// Keeps no process alive.
	everySecond(tick: () => void): () => void;
	// At most until the signal aborts; keeps the process alive. Never rejects.
	pause(signal: AbortSignal): Promise<void>;
	onInterrupt(listener: (signal: NodeJS.Signals) => void): () => void;
	exitNow(code: number): void;
}

export async function withSparring<T>(
	shell: Shell,
	access: "read" | "write",
	work: (sparring: Sparring) => Promise<T>,
	directory?: string,
): Promise<T> {
	const sparring = await shell.open({ readOnly: access === "read", directory });
	try {
		return await work(sparring);
	} finally {
		sparring.close();
	}
}

export function printJson(shell: Pick<Shell, "out">, value: unknown): void {
	shell.out.write(`${JSON.stringify(value, null, 2)}\n`);
}

/** @throws Fault `usage` for a file that cannot be written */
export async function saveReport(shell: Shell, file: string, text: string): Promise<void> {
	try {
		const { writeFile } = await import("node:fs/promises");
		await writeFile(resolve(shell.directory, file), text);
	} catch (cause) {
		const why = cause instanceof Error ? cause.message : "unknown reason";
		throw new Fault(`the report cannot be written to ${file}: ${why}`, {
			code: "usage",
			hint: "Name a file that you can write, in a directory that exists.",
			cause,
		});
	}
	shell.err.print(`wrote ${file}\n`);
}
