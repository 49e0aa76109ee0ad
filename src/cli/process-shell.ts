import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { bytesOfText } from "../kernel/byte-text.ts";
import type { Workflow } from "../workflow/workflow.ts";
import { type Mask, type MaskedOutput, maskedOutput } from "./masked-output.ts";
import { packageVersion } from "./terminal/command.ts";
import { wrapWords } from "./terminal/cut-words.ts";
import { EXIT } from "./terminal/exit-code.ts";
import { noPaint } from "./terminal/paint.ts";
import type { LiveArea, Outlet, Shell } from "./terminal/shell.ts";

// The built program lies in a folder of the same depth as the source.
const PAGE_DIRECTORY = fileURLToPath(new URL("../../dist/dashboard", import.meta.url));

const PAUSE_MS = 300;

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

export type HostProcess = Pick<
	NodeJS.Process,
	"argv" | "cwd" | "env" | "exit" | "exitCode" | "off" | "on" | "stderr" | "stdin" | "stdout"
>;

const rowsOf = ({ rows }: { readonly rows: number }): number => (rows > 0 ? rows : 24);

function outletOf(to: StandardStream, output: MaskedOutput): Outlet {
	const { stream } = to;
	// Missing at run time where the stream is no terminal, as its size is.
	const isTTY = (): boolean => Boolean(stream.isTTY);
	const write = (text: string, shape: (masked: string) => string): void => {
		output.write(text, (masked) => {
			to.write(bytesOfText(shape(masked)));
		});
	};
	const wrapped = (masked: string): string => wrapWords(masked, columnsOf(stream));
	return {
		get isTTY() {
			return isTTY();
		},
		get columns() {
			return columnsOf(stream);
		},
		get rows() {
			return rowsOf(stream);
		},
		write: (text) => write(text, (masked) => masked),
		// Masked before it is broken, so that no secret is hidden by a line's end.
		print: (text) => write(text, isTTY() ? wrapped : (masked) => masked),
	};
}

async function openLiveArea(stream: NodeJS.WriteStream, output: MaskedOutput): Promise<LiveArea> {
	const mask = await output.ready();
	const { createLogUpdate } = await import("log-update");
	// The cursor stays visible: nothing has to be restored when the process is killed.
	const area = createLogUpdate(stream, { showCursor: true });
	return {
		draw: (text) => {
			area(mask(text));
		},
		persist: (text) => {
			area.persist(wrapWords(mask(text), columnsOf(stream)));
		},
		clear: () => {
			area.clear();
			area.done();
		},
	};
}

function asksForHelp([first, ...more]: readonly string[]): boolean {
	if (first === undefined || ["help", "-V", "--version"].includes(first)) return true;
	return [first, ...more].some((word) => word === "-h" || word === "--help");
}

// No words of an error: these may quote what could not be masked.
function tellUnmasked(host: HostProcess, stderr: StandardStream, error: unknown): void {
	host.exitCode = EXIT.bug;
	const [name, stack] = error instanceof Error ? [error.name, error.stack ?? ""] : ["unknown", ""];
	const places = stack.split("\n").filter((line) => line.startsWith("    at "));
	const told = [`error: some of what was to be printed could not be masked (${name})`, ...places];
	stderr.write(`${told.join("\n")}\nThis is a bug in Sparring: please report it.\n`);
}

async function masks(env: Shell["env"]): Promise<(workflow: Workflow | null) => Mask> {
	const { maskerOf } = await import("../places/secrets.ts");
	const { maskPrinted } = await import("../places/mask-printed.ts");
	return (workflow) => {
		const masker = maskerOf(env, workflow);
		return (text) => maskPrinted(masker, text);
	};
}

async function learner(
	host: HostProcess,
	output: MaskedOutput,
): Promise<(workflow: Workflow) => void> {
	const maskOf = await masks(host.env);
	return (workflow) => output.learn(maskOf(workflow));
}

async function inputUntil(
	stdin: HostProcess["stdin"],
	isWhole: (text: string) => boolean,
): Promise<string> {
	let text = "";
	stdin.setEncoding("utf8");
	for await (const piece of stdin) {
		text += String(piece);
		if (isWhole(text)) break;
	}
	return text;
}

export interface ProcessShell extends Shell {
	flushed(): Promise<void>;
}

export function processShell(host: HostProcess = process): ProcessShell {
	const { stdout, stderr } = standardStreams(host);
	const output = maskedOutput(async () => (await masks(host.env))(null), {
		isOurs: asksForHelp(host.argv.slice(2)),
		onFailure: (error) => tellUnmasked(host, stderr, error),
	});
	const out = outletOf(stdout, output);
	const err = outletOf(stderr, output);
	const onBug = (error: unknown): void => {
		void import("./terminal/render-error.ts").then(({ renderError }) =>
			err.print(renderError(error, noPaint)),
		);
	};
	return {
		flushed: () => output.flushed(),
		directory: host.cwd(),
		env: host.env,
		out,
		err,
		// Missing at run time where the stream is no terminal.
		// Looked at when it is asked for: opening standard input costs each start some milliseconds.
		get isTyped() {
			return Boolean(host.stdin.isTTY);
		},
		showLong: async (text) => {
			const { pagerOf, showInPager } = await import("./pager.ts");
			const pager = out.isTTY ? pagerOf(host.env) : null;
			const mask = await output.ready();
			// Ctrl-C is the pager's own while it is there.
			const ignore = (): void => undefined;
			host.on("SIGINT", ignore);
			const isShown = pager !== null && (await showInPager(mask(text), pager, host.env));
			host.off("SIGINT", ignore);
			if (!isShown) out.write(text);
		},
		openReader: async () => {
			const { openTerminalReader } = await import("./terminal/terminal-reader.ts");
			return await openTerminalReader(host.stdin, stderr.stream, true);
		},
		now: () => Date.now(),
		readInput: (isWhole = () => false) => inputUntil(host.stdin, isWhole),
		open: async ({ readOnly, directory = host.cwd() }) => {
			await output.ready();
			const { openSparring } = await import("../library/open-sparring.ts");
			const onWorkflow = await learner(host, output);
			return await openSparring({ directory, env: host.env, readOnly, onWorkflow });
		},
		openWire: async () => {
			const mask = await output.ready();
			return { stdin: host.stdin, stdout: stdout.stream, mask };
		},
		openMachines: async () => {
			await output.ready();
			const { openMachines } = await import("../machines/open-machines.ts");
			return await openMachines({ directory: host.cwd(), env: host.env });
		},
		serveVerifier: async (options, signal) => {
			await output.ready();
			const { serveVerifier } = await import("../machines/serve-verifier.ts");
			const onWorkflow = await learner(host, output);
			const place = { directory: host.cwd(), env: host.env, onWorkflow, onBug };
			await serveVerifier({ ...options, ...place }, signal);
		},
		openDashboard: async ({ port }) => {
			await output.ready();
			const { openDashboard } = await import("../web/screens/open-dashboard.ts");
			return await openDashboard({
				directory: host.cwd(),
				env: host.env,
				port,
				pageDirectory: PAGE_DIRECTORY,
				version: packageVersion(),
				program: [process.execPath, ...host.argv.slice(1, 2)],
				onBug,
			});
		},
		openBrowser: (url) => openBrowser(url, host.env),
		openLiveArea: () => openLiveArea(stderr.stream, output),
		everySecond: (tick) => {
			const timer = setInterval(tick, 1_000);
			timer.unref();
			return () => {
				clearInterval(timer);
			};
		},
		pause: async (signal) => {
			await delay(PAUSE_MS, undefined, { signal }).catch(() => undefined);
		},
		onInterrupt: (listener) => {
			for (const signal of SIGNALS) host.on(signal, listener);
			return () => {
				for (const signal of SIGNALS) host.off(signal, listener);
			};
		},
		exitNow: (code) => {
			host.exit(code);
		},
	};
}

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, string>>> = {
	darwin: "open",
	linux: "xdg-open",
};

// Keys and tokens of the shell are not among it.
const NEEDED = [
	"PATH",
	"HOME",
	"LANG",
	"USER",
	"BROWSER",
	"DISPLAY",
	"WAYLAND_DISPLAY",
	"XAUTHORITY",
	"DBUS_SESSION_BUS_ADDRESS",
	"XDG_RUNTIME_DIR",
	"XDG_CURRENT_DESKTOP",
	"XDG_DATA_DIRS",
	"XDG_CONFIG_HOME",
] as const;

// Other programs of the user can read the address, which is why it ends with its first use.
function openBrowser(url: string, shellEnv: Readonly<Record<string, string | undefined>>): void {
	const env = Object.fromEntries(NEEDED.map((name) => [name, shellEnv[name]]));
	const opener = OPENERS[process.platform];
	if (opener === undefined) return;
	// Loaded here: every command begins with this file, and few start a program.
	const { spawn } = process.getBuiltinModule("node:child_process");
	const child = spawn(opener, [url], { env, detached: true, stdio: "ignore" });
	child.once("error", () => undefined);
	child.unref();
}

// `spar trace x | head`, a closed terminal.
const READER_GONE = new Set(["EPIPE", "EIO", "ERR_STREAM_DESTROYED"]);

export type Writing = Pick<NodeJS.Process, "exitCode"> &
	Readonly<Record<"stderr" | "stdout", NodeJS.WriteStream>>;

// Once its reader has gone away, or after a failure, what is written is dropped.
export interface StandardStream {
	readonly stream: NodeJS.WriteStream;
	readonly write: (content: string | Buffer) => void;
}

function standardStream(
	stream: NodeJS.WriteStream,
	onFailure: (error: NodeJS.ErrnoException) => void,
): StandardStream {
	let isClosed = false;
	stream.on("error", (error: NodeJS.ErrnoException) => {
		if (!isClosed && !READER_GONE.has(error.code ?? "")) onFailure(error);
		isClosed = true;
	});
	return {
		stream,
		write: (content) => {
			if (!isClosed) stream.write(content);
		},
	};
}

// When a reader goes away the command goes on: a run must still save its state. Any other failure, such as a full
// disk, makes the exit code 2.
export function standardStreams(
	host: Writing,
): Readonly<Record<"stdout" | "stderr", StandardStream>> {
	const fail = (): void => {
		host.exitCode = 2;
	};
	const stderr = standardStream(host.stderr, fail);
	const stdout = standardStream(host.stdout, ({ message }) => {
		fail();
		stderr.write(`error: cannot write to standard output: ${message}\n`);
	});
	return { stdout, stderr };
}

const columnsOf = ({ columns }: { readonly columns: number }): number =>
	columns > 0 ? columns : 80;
