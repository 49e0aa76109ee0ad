import { randomBytes, randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { childEnvironment, type EnvironmentSource } from "../environment.ts";
import { findProgram } from "../find-program.ts";
import { hiddenPlaces, serviceSockets } from "../hidden-places.ts";
import type { ProcessHost } from "../process.ts";
import { runProcess } from "../run-process.ts";
import { privateParent } from "../temporary.ts";
import { confinedHost } from "./confined-host.ts";
import { kernelGuards } from "./harden-command.ts";
import {
	type FileRules,
	type RuntimeClient,
	type RuntimeOptions,
	type RuntimePrograms,
	type RuntimeRefusal,
	startRuntime,
} from "./runtime-client.ts";

interface SandboxRefusal {
	readonly available: false;
	readonly reason: string;
	readonly fix: string;
}

const PACKAGE = "@anthropic-ai/sandbox-runtime@0.0.83";

const refusal = (reason: string, fix: string): SandboxRefusal => ({
	available: false,
	reason,
	fix,
});

/** @param platform as in `process.platform` @returns null where there is a sandbox */
export function unsupported(platform: string): SandboxRefusal | null {
	if (platform === "linux" || platform === "darwin") return null;
	return refusal(
		`there is no sandbox for ${platform}`,
		"Run Sparring on Linux or macOS, or in a container or virtual machine of its own.",
	);
}

/** Checks for the programs that the sandbox needs. @returns null when all are on the `PATH` */
export function missingPrograms(
	platform: string,
	env: Readonly<Record<string, string>>,
): SandboxRefusal | null {
	const needed =
		platform === "linux"
			? [
					["bwrap", "bubblewrap (bwrap)"],
					["socat", "socat"],
					["which", "which"],
				]
			: [["sandbox-exec", "sandbox-exec"]];
	const missing = needed.filter(
		([program]) => findProgram(program ?? "", env["PATH"] ?? "", "/") === undefined,
	);
	if (missing.length === 0) return null;
	const names = missing.map(([, name]) => name).join(" and ");
	return refusal(
		`${names} ${missing.length === 1 ? "is" : "are"} not installed`,
		platform === "linux"
			? "Install bubblewrap, socat and which, for example with `apt-get install bubblewrap socat`, `dnf install bubblewrap socat which` or `pacman -S bubblewrap socat which`."
			: "Add /usr/bin to the PATH; macOS has sandbox-exec there.",
	);
}

const FORBIDDEN =
	/operation not permitted|permission denied|no permissions to create|creating new namespace|uid map|CAP_SETFCAP|no space left on device/i;

/** Explains a message of the runtime or of the trial. */
export function refusalOf({ missing, message }: RuntimeRefusal): SandboxRefusal {
	if (missing) {
		return refusal(
			"the package @anthropic-ai/sandbox-runtime is not installed",
			`Install it beside Sparring: npm install ${PACKAGE}`,
		);
	}
	const reason = message.replaceAll(/\s+/g, " ").slice(0, 400);
	if (FORBIDDEN.test(message)) {
		return refusal(
			`this system forbids the namespaces that the sandbox needs (${reason})`,
			"Allow unprivileged user namespaces (on Ubuntu 24.04 and newer: `sysctl -w kernel.apparmor_restrict_unprivileged_userns=0`). In a container, allow it to create user namespaces.",
		);
	}
	return refusal(reason, "See docs/architecture/sandbox.md for what the sandbox needs.");
}

type Start = typeof startRuntime;
type Started = RuntimeClient | RuntimeRefusal;

const lives = (started: Started): boolean => "alive" in started && started.alive;

/** The helper process of an open sandbox. Starts a new one when it is gone. */
export class KeptRuntime {
	readonly #options: RuntimeOptions;
	readonly #start: Start;
	#current: Promise<Started> | undefined;
	#closed = false;

	/** @param start for tests; like `startRuntime` it never rejects */
	constructor(options: RuntimeOptions, start: Start = startRuntime) {
		this.#options = options;
		this.#start = start;
	}

	/** The process that lives, started when there is none. @throws Error when it was closed */
	async start(): Promise<Started> {
		const asked = this.#current;
		const current = await asked;
		if (this.#closed) throw new Error("the sandbox is closed");
		if (current !== undefined && lives(current)) return current;
		// Of several calls that find it gone, the first starts a new one.
		if (this.#current === asked) this.#current = this.#start(this.#options);
		return this.#current ?? this.start();
	}

	/** Like `RuntimeClient.wrap`, but replaces a lost process once. */
	async wrap(command: string, rules: FileRules): Promise<string> {
		for (let attempt = 1; ; attempt += 1) {
			const runtime = await this.start();
			if (!("alive" in runtime)) throw new Error(runtime.message);
			try {
				return await runtime.wrap(command, rules);
			} catch (error) {
				if (runtime.alive || attempt > 1) throw error;
			}
		}
	}

	/** Ends the process for good. Can be called twice. */
	async close(): Promise<void> {
		this.#closed = true;
		const current = await this.#current;
		if (current !== undefined && "alive" in current) await current.close();
	}
}

const LOOPBACK = /^(?:localhost|127\.0\.0\.1):(\d{1,5})$/;

const LARGEST_PORT = 65_535;

/** @example `loopbackPorts(["api.example.com", "localhost:11434"])` is `[11434]` */
export function loopbackPorts(hosts: readonly string[]): readonly number[] {
	const ports = hosts.map((host) => Number(LOOPBACK.exec(host.toLowerCase())?.[1]));
	return [...new Set(ports.filter((port) => port > 0 && port <= LARGEST_PORT))];
}

// Loopback ports use the address, since the proxy refuses names that resolve to the loopback.
export function proxyHosts(hosts: readonly string[]): readonly string[] {
	const ports = loopbackPorts(hosts);
	const others = hosts.filter((host) => !LOOPBACK.test(host.toLowerCase()));
	return [...others, ...ports.map((port) => `127.0.0.1:${port}`)];
}

export interface SandboxOptions {
	/**
	 * Allow-listed environment. Programs are found on its `PATH`, connections go through its proxies, and credentials in
	 * its `HOME` are hidden.
	 */
	readonly env: Readonly<Record<string, string>>;
	/**
	 * Hosts that processes can reach: `api.example.com`, `*.example.com`, with `:PORT` for one port only. On this
	 * machine's loopback only `localhost:PORT` and `127.0.0.1:PORT`, which are relayed to the sandbox's loopback.
	 */
	readonly allowHosts: readonly string[];
	/** Absolute paths that are never writable, with everything below: repository, state. */
	readonly never: readonly string[];
	/** Additional absolute paths that cannot be read, unless a request may write there. Default none. */
	readonly hidden?: readonly string[];
	/**
	 * Absolute paths of directories that look empty to a call, except for its own checkout and places, the programs that
	 * it starts, and `shared`. Default none.
	 */
	readonly closed?: readonly string[];
	/** Paths in closed directories that every call can read. Default none. */
	readonly shared?: readonly string[];
	/**
	 * True: processes can create and use Unix sockets. The usual sockets of this machine's services are hidden then; a
	 * confined process can use every other socket that the user can. Default false.
	 */
	readonly unixSockets?: boolean;
}

/** An open sandbox. Close it when no call is running. */
export interface Sandbox {
	readonly available: true;
	/** One line about what the sandbox confines on this machine, and what it does not. */
	readonly detail: string;
	readonly host: ProcessHost;
	/** Ends proxies and relays. Can be called twice. */
	close(): Promise<void>;
}

const isLinux = process.platform === "linux";

function detailOf(warnings: readonly string[]): string {
	const what = isLinux
		? "bubblewrap: files, network by host, and a process namespace"
		: "Seatbelt: files and network by host; the loopback of this machine stays open";
	return [what, ...warnings].join("; ");
}

// Resolved once, since a request's own search path may have other programs with these names.
function programsOn(path: string): RuntimePrograms {
	const [bwrapPath, socatPath] = ["bwrap", "socat"].map((name) => findProgram(name, path, "/"));
	if (!isLinux || !bwrapPath || !socatPath) return {};
	return { bwrapPath, socatPath };
}

// For one process only, since processes with the same mark end together.
const ownMark = (): string => `spar-sandbox/${randomUUID()}`;

async function canRestoreSignal(cwd: string, env: SandboxOptions["env"]): Promise<boolean> {
	if (!isLinux) return false;
	const command: [string, ...string[]] = ["env", "--default-signal=TERM", "true"];
	const request = { command, cwd, env, timeoutMs: 5_000, mark: ownMark() };
	return (await runProcess(request, new AbortController().signal)).exitCode === 0;
}

const guardsFor = (user: number | undefined): readonly string[] =>
	user === 0 ? kernelGuards() : [];

// The path of a Unix socket must be short.
const shortName = (): string => randomBytes(6).toString("base64url");

const TRIAL = 'if (: >"$0/trial") 2>/dev/null; then exit 9; fi';

// The filter against Unix sockets also forbids user namespaces; without it bubblewrap must.
const TRIAL_NESTED = "; if unshare -U true 2>/dev/null; then exit 10; fi; exit 0";

const NESTED =
	"a confined process could make a user namespace; unix_sockets needs bubblewrap 0.8.0 or newer, not setuid";

// Attempts what is forbidden; null when the process was confined.
async function trial(
	host: ProcessHost,
	options: SandboxOptions,
	cwd: string,
): Promise<string | null> {
	const result = await host.run(
		{
			// No process can write to the sandbox's own directory.
			command: ["sh", "-c", `${TRIAL}${options.unixSockets === true ? TRIAL_NESTED : ""}`, cwd],
			cwd,
			env: options.env,
			writable: [],
			timeoutMs: 20_000,
			mark: ownMark(),
		},
		new AbortController().signal,
	);
	if (result.exitCode === 0) return null;
	if (result.exitCode === 9) return "a confined process could write to a protected directory";
	if (result.exitCode === 10) return NESTED;
	if (!result.started) return result.startError ?? "it did not start";
	if (result.timedOut) return "a confined process did not end within 20 s";
	return (
		result.stderr.trim() || `a confined process ended with ${result.signal ?? result.exitCode}`
	);
}

/**
 * Opens a sandbox and starts one confined process to verify it, or refuses with reason and fix. Takes about half a
 * second.
 */
export async function openSandbox(options: SandboxOptions): Promise<Sandbox | SandboxRefusal> {
	const refused = unsupported(process.platform) ?? missingPrograms(process.platform, options.env);
	if (refused !== null) return refused;
	const { env, allowHosts, never, unixSockets = false } = options;
	const programs = programsOn(env["PATH"] ?? "");
	const parent = await privateParent();
	const directory = join(parent, `box-${shortName()}`);
	// Next to it, since the directory itself is never writable.
	const scratch = `${directory}.tmp`;
	const runtime = new KeptRuntime({
		directory,
		scratch,
		env,
		programs,
		allowHosts: proxyHosts(allowHosts),
		unixSockets,
	});
	const close = async (): Promise<void> => {
		await runtime.close();
		for (const path of [directory, scratch]) await rm(path, { recursive: true, force: true });
	};
	const started = await runtime.start();
	if (!("warnings" in started)) {
		await close();
		return refusalOf(started);
	}
	const host = confinedHost({
		directory,
		scratch,
		never,
		hidden: [
			...hiddenPlaces(env["HOME"]),
			...(unixSockets ? serviceSockets(env, process.getuid?.()) : []),
			...(options.hidden ?? []),
		],
		// With the files of calls of other sandboxes, which hold what those are given.
		closed: [...(options.closed ?? []), parent],
		shared: options.shared ?? [],
		guards: isLinux ? guardsFor(process.geteuid?.()) : null,
		unixSockets,
		ports: isLinux ? loopbackPorts(allowHosts) : [],
		wrappers: { exist: isLinux, restoreSignal: await canRestoreSignal(directory, env) },
		wrap: (command, rules) => runtime.wrap(command, rules),
	});
	const problem = await trial(host, options, directory);
	if (problem !== null) {
		await close();
		return refusalOf({ missing: false, message: problem });
	}
	return { available: true, detail: detailOf(started.warnings), host, close };
}

/** Answer to whether this machine has a working sandbox. */
export type SandboxProbe = { readonly available: true; readonly detail: string } | SandboxRefusal;

/** Opens a sandbox with one confined process and closes it, the only reliable test. Takes about half a second. */
export async function probeSandbox(
	env: EnvironmentSource,
	unixSockets = false,
): Promise<SandboxProbe> {
	const opened = await openSandbox({
		env: childEnvironment(env),
		allowHosts: [],
		never: [],
		unixSockets,
	});
	if (!opened.available) return opened;
	await opened.close();
	return { available: true, detail: opened.detail };
}
