import type { Sparring } from "../library/sparring.ts";
import type { OnMachines } from "../machines/open-machines.ts";
import type { ServeVerifierOptions } from "../machines/serve-verifier.ts";
import type { Dashboard } from "../web/screens/open-dashboard.ts";
import { UNLIMITED } from "./table.ts";
import type { TerminalReader } from "./terminal-reader.ts";

/** One of the two standard streams. Writing never fails: a reader that has gone away is no error. */
export interface Outlet {
	readonly isTTY: boolean;
	/** Width of the terminal in characters; 80 when it is none. */
	readonly columns: number;
	readonly rows: number;
	write(text: string): void;
	/** Writes lines for a person: on a terminal, one that is too long is broken between words. */
	print(text: string): void;
}

/** The width that lines for a person may have: the terminal's; none where it is no terminal. */
export const lineWidth = ({ isTTY, columns }: Outlet): number => (isTTY ? columns : UNLIMITED);

export interface LiveArea {
	draw(text: string): void;
	persist(text: string): void;
	clear(): void;
}

/** Everything outside of a command: streams, environment, signals and Sparring itself. Tests give their own. */
export interface Shell {
	readonly directory: string;
	readonly env: Readonly<Record<string, string | undefined>>;
	readonly out: Outlet;
	readonly err: Outlet;
	/** Whether standard input is a terminal, so that somebody can type. */
	readonly isTyped: boolean;
	/** Shows a long text, masked: in the user's pager where standard output is a terminal, else written to it. */
	showLong(text: string): Promise<void>;
	openReader(): Promise<TerminalReader>;
	/** Milliseconds since the epoch. */
	now(): number;
	open(options: { readonly readOnly: boolean }): Promise<Sparring>;
	openDashboard(options: { readonly port: number }): Promise<Dashboard>;
	openMachines(): Promise<OnMachines>;
	/** Verifies the work of runs in other processes until the signal aborts. A bug that a request meets is printed. */
	serveVerifier(
		options: Pick<ServeVerifierOptions, "source" | "slots" | "onNews">,
		signal: AbortSignal,
	): Promise<void>;
	/** Opens an address in the user's browser, where there is one. Never fails. */
	readonly openBrowser: (url: string) => void;
	drawGraph(): Promise<string>;
	openLiveArea(): Promise<LiveArea>;
	/** Calls back every second until the returned function is called; keeps no process alive. */
	everySecond(tick: () => void): () => void;
	/** Waits a moment, at most until the signal aborts; keeps the process alive. Never rejects. */
	pause(signal: AbortSignal): Promise<void>;
	/** Calls back on each SIGINT, SIGTERM and SIGHUP until the returned function is called. */
	onInterrupt(listener: () => void): () => void;
	/** Ends the process at once. */
	exitNow(code: number): void;
}

export async function withSparring<T>(
	shell: Shell,
	access: "read" | "write",
	work: (sparring: Sparring) => Promise<T>,
): Promise<T> {
	const sparring = await shell.open({ readOnly: access === "read" });
	try {
		return await work(sparring);
	} finally {
		sparring.close();
	}
}

export function printJson(shell: Shell, value: unknown): void {
	shell.out.write(`${JSON.stringify(value, null, 2)}\n`);
}
