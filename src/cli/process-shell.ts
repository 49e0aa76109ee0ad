import { EXIT } from "./exit-code.ts";
import { type MaskedOutput, maskedOutput } from "./masked-output.ts";
import type { LiveArea, Outlet, Shell } from "./shell.ts";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Errors of a stream whose reader has gone away: `spar trace x | head`, a closed terminal. */
const READER_GONE = new Set(["EPIPE", "EIO", "ERR_STREAM_DESTROYED"]);

/**
 * A standard stream as an outlet, without secrets. When its reader goes away later text is dropped and the command goes on:
 * a run must still save its state. Any other failure, such as a full disk, makes the exit code 2.
 */
function outletOf(stream: NodeJS.WriteStream, name: string, output: MaskedOutput): Outlet {
	let open = true;
	stream.on("error", (error: NodeJS.ErrnoException) => {
		if (open && !READER_GONE.has(error.code ?? "")) {
			process.exitCode = 2;
			if (stream !== process.stderr) {
				process.stderr.write(`error: cannot write to ${name}: ${error.message}\n`);
			}
		}
		open = false;
	});
	return {
		// Both are missing at run time where the stream is no terminal.
		isTTY: Boolean(stream.isTTY),
		get columns() {
			return stream.columns > 0 ? stream.columns : 80;
		},
		write: (text) => {
			output.write(text, (masked) => {
				if (open) stream.write(masked);
			});
		},
	};
}

async function openLiveArea(output: MaskedOutput): Promise<LiveArea> {
	const mask = await output.ready();
	const { createLogUpdate } = await import("log-update");
	// The cursor stays visible: nothing has to be restored when the process is killed.
	const area = createLogUpdate(process.stderr, { showCursor: true });
	return {
		draw: (text) => {
			area(mask(text));
		},
		persist: (text) => {
			area.persist(mask(text));
		},
		clear: () => {
			area.clear();
			area.done();
		},
	};
}

/** Whether nothing but help or the version is asked for. */
function asksForHelp([first, ...more]: readonly string[]): boolean {
	const words = ["-h", "--help", "-V", "--version"];
	return (
		first === undefined || first === "help" || [first, ...more].some((word) => words.includes(word))
	);
}

/** Names and places in our own code, but no words of an error: these may quote what could not be masked. */
function tellUnmasked(error: unknown): void {
	process.exitCode = EXIT.bug;
	const [name, stack] = error instanceof Error ? [error.name, error.stack ?? ""] : ["unknown", ""];
	const places = stack.split("\n").filter((line) => line.startsWith("    at "));
	const told = [`error: some of what was to be printed could not be masked (${name})`, ...places];
	process.stderr.write(`${told.join("\n")}\nthis is a bug of Sparring: please report it.\n`);
}

/** The shell of the running process. Heavy modules are imported when a command first needs them. */
export function processShell(): Shell {
	const output = maskedOutput(
		async () => {
			const { maskerOf } = await import("../app/secrets.ts");
			const { maskPrinted } = await import("../app/mask-printed.ts");
			const masker = maskerOf(process.env, null);
			return (text) => maskPrinted(masker, text);
		},
		{ isOurs: asksForHelp(process.argv.slice(2)), onFailure: tellUnmasked },
	);
	return {
		directory: process.cwd(),
		env: process.env,
		out: outletOf(process.stdout, "standard output", output),
		err: outletOf(process.stderr, "standard error", output),
		// Missing at run time where the stream is no terminal.
		isTyped: Boolean(process.stdin.isTTY),
		openReader: async () => {
			const { openTerminalReader } = await import("./terminal-reader.ts");
			return await openTerminalReader(process.stdin, process.stderr, true);
		},
		now: () => Date.now(),
		open: async ({ readOnly }) => {
			await output.ready();
			const { openSparring } = await import("../app/open-sparring.ts");
			const { maskerOf } = await import("../app/secrets.ts");
			const { maskPrinted } = await import("../app/mask-printed.ts");
			return await openSparring({
				...{ directory: process.cwd(), env: process.env, readOnly },
				onWorkflow: (workflow) => {
					const masker = maskerOf(process.env, workflow);
					output.learn((text) => maskPrinted(masker, text));
				},
			});
		},
		drawGraph: async () => {
			const { mermaid } = await import("../app/graph.ts");
			return await mermaid();
		},
		openLiveArea: () => openLiveArea(output),
		everySecond: (tick) => {
			const timer = setInterval(tick, 1_000);
			timer.unref();
			return () => {
				clearInterval(timer);
			};
		},
		onInterrupt: (listener) => {
			for (const signal of SIGNALS) process.on(signal, listener);
			return () => {
				for (const signal of SIGNALS) process.off(signal, listener);
			};
		},
		exitNow: (code) => {
			process.exit(code);
		},
	};
}
