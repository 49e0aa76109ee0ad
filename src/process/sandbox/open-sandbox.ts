import { randomBytes, randomUUID } from "node:crypto";
import { realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { childEnvironment, type EnvironmentSource } from "../environment.ts";
import type { ProcessHost } from "../process.ts";
import { runProcess } from "../run-process.ts";
import { loopbackPorts, proxyHosts } from "./allowed-hosts.ts";
import { confinedHost } from "./confined-host.ts";
import { findExecutable } from "./find-executable.ts";
import { kernelGuards } from "./harden-command.ts";
import { hiddenPlaces, serviceSockets } from "./hidden-places.ts";
import { KeptRuntime } from "./kept-runtime.ts";
import type { RuntimePrograms } from "./runtime-messages.ts";
import { missingPrograms, refusalOf, type SandboxRefusal, unsupported } from "./sandbox-refusal.ts";

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
	 * Whether processes can create and use Unix sockets. Default false. When true, the usual sockets of this machine's
	 * services are hidden; a confined process can use every other socket that the user can.
	 */
	readonly unixSockets?: boolean;
}

/** An open sandbox. Close it when no call is running. */
export interface Sandbox {
	readonly available: true;
	/** What the sandbox confines on this machine, and what it does not; one line. */
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

/** Resolved once, since a request's own search path may have other programs with these names. */
function programsOn(path: string): RuntimePrograms {
	const [bwrapPath, socatPath] = ["bwrap", "socat"].map((name) => findExecutable(name, path));
	if (!isLinux || !bwrapPath || !socatPath) return {};
	return { bwrapPath, socatPath };
}

/** A mark for one process only, since processes with the same mark end together. */
const ownMark = (): string => `spar-sandbox/${randomUUID()}`;

/** Whether `env` can restore an ignored signal: GNU coreutils 8.31 or newer. */
async function canRestoreSignal(cwd: string, env: SandboxOptions["env"]): Promise<boolean> {
	if (!isLinux) return false;
	const command: [string, ...string[]] = ["env", "--default-signal=TERM", "true"];
	const request = { command, cwd, env, timeoutMs: 5_000, mark: ownMark() };
	return (await runProcess(request, new AbortController().signal)).exitCode === 0;
}

const guardsFor = (user: number | undefined): readonly string[] =>
	user === 0 ? kernelGuards() : [];

/** Unique, and short, since the path of a Unix socket must be. */
const shortName = (): string => randomBytes(6).toString("base64url");

const TRIAL = 'if (: >"$0/trial") 2>/dev/null; then exit 9; fi';

/** The filter against Unix sockets also forbids user namespaces; without it bubblewrap must. */
const TRIAL_NESTED = "; if unshare -U true 2>/dev/null; then exit 10; fi; exit 0";

const NESTED =
	"a confined process could make a user namespace; unix_sockets needs bubblewrap 0.8.0 or newer, not setuid";

/** Starts a confined process that attempts what is forbidden. @returns null when it was confined, else the reason */
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
 * Opens a sandbox and starts one confined process to verify it. Takes about half a second.
 *
 * @returns a refusal with reason and fix when this machine has no sandbox
 */
export async function openSandbox(options: SandboxOptions): Promise<Sandbox | SandboxRefusal> {
	const refused = unsupported(process.platform) ?? missingPrograms(process.platform, options.env);
	if (refused !== null) return refused;
	const { env, allowHosts, never, unixSockets = false } = options;
	const programs = programsOn(env["PATH"] ?? "");
	const directory = join(await realpath(tmpdir()), `spar-sandbox-${shortName()}`);
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
		closed: options.closed ?? [],
		shared: options.shared ?? [],
		guards: isLinux ? guardsFor(process.geteuid?.()) : null,
		unixSockets,
		ports: isLinux ? loopbackPorts(allowHosts) : [],
		wrappers: { exist: isLinux, restoreSignal: await canRestoreSignal(directory, env) },
		wrap: (command, rules) => runtime.wrap(command, rules),
		done: () => runtime.done(),
	});
	const problem = await trial(host, options, directory);
	if (problem !== null) {
		await close();
		return refusalOf({ missing: false, message: problem });
	}
	return { available: true, detail: detailOf(started.warnings), host, close };
}

/** Whether this machine has a working sandbox. */
export type SandboxProbe = { readonly available: true; readonly detail: string } | SandboxRefusal;

/**
 * Opens a sandbox with one confined process and closes it, the only reliable test. Takes about half a second.
 *
 * @param unixSockets whether to allow Unix sockets, which has additional requirements
 */
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
