import { randomBytes, randomUUID } from "node:crypto";
import { realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ProcessHost } from "../process.ts";
import { runProcess } from "../run-process.ts";
import { loopbackPorts, proxyHosts } from "./allowed-hosts.ts";
import { confinedHost } from "./confined-host.ts";
import { findExecutable } from "./find-executable.ts";
import { hiddenPlaces } from "./hidden-places.ts";
import { KeptRuntime } from "./kept-runtime.ts";
import type { RuntimePrograms } from "./runtime-messages.ts";
import { missingPrograms, refusalOf, type SandboxRefusal, unsupported } from "./sandbox-refusal.ts";
import { serviceSockets } from "./service-sockets.ts";

export interface SandboxOptions {
	/**
	 * Allow-listed environment. Programs are found on its `PATH`, connections go through its proxies, and of its `HOME`
	 * the stores of credentials are hidden.
	 */
	readonly env: Readonly<Record<string, string>>;
	/**
	 * Hosts that processes may reach: `api.example.com`, `*.example.com`, with `:PORT` for one port only. Of our own
	 * machine's loopback only `localhost:PORT` and `127.0.0.1:PORT`, which are then found on the loopback inside.
	 */
	readonly allowHosts: readonly string[];
	/** Absolute paths, with all below them, that are not writable whatever a request says: repository, state. */
	readonly never: readonly string[];
	/** Further absolute paths that cannot be read, unless a request may write there. Default none. */
	readonly hidden?: readonly string[];
	/**
	 * Whether processes may make and use Unix sockets. Default false: none at all. When true, the usual sockets of this
	 * machine's services are hidden, and every other one that the user may use can be used by a confined process too.
	 */
	readonly unixSockets?: boolean;
}

/** An open sandbox; to be closed when no call is under way any more. */
export interface Sandbox {
	readonly available: true;
	/** What confines, and what it does not do here; one line. */
	readonly detail: string;
	readonly host: ProcessHost;
	/** Ends proxies and relays. May be called twice. */
	close(): Promise<void>;
}

const isLinux = process.platform === "linux";

function detailOf(warnings: readonly string[]): string {
	const what = isLinux
		? "bubblewrap: files, network by host, and a process namespace"
		: "Seatbelt: files and network by host; the loopback of this machine stays open";
	return [what, ...warnings].join("; ");
}

/** Found once: a request may bring a search path of its own, on which something else has these names. */
function programsOn(path: string): RuntimePrograms {
	const [bwrapPath, socatPath] = ["bwrap", "socat"].map((name) => findExecutable(name, path));
	if (!isLinux || !bwrapPath || !socatPath) return {};
	return { bwrapPath, socatPath };
}

/** Of one process alone: whoever bears the same mark ends with it. */
const ownMark = (): string => `spar-sandbox/${randomUUID()}`;

/** Whether `env` can undo that a signal is ignored: GNU coreutils 8.31 or newer. */
async function canRestoreSignal(cwd: string, env: SandboxOptions["env"]): Promise<boolean> {
	if (!isLinux) return false;
	const command: [string, ...string[]] = ["env", "--default-signal=TERM", "true"];
	const request = { command, cwd, env, timeoutMs: 5_000, mark: ownMark() };
	return (await runProcess(request, new AbortController().signal)).exitCode === 0;
}

/** That nobody else has; short, since the path of a Unix socket has to be. */
const shortName = (): string => randomBytes(6).toString("base64url");

const TRIAL = 'if (: >"$0/trial") 2>/dev/null; then exit 9; fi';

/** The filter that forbids Unix sockets also refuses user namespaces; without it bubblewrap has to. */
const TRIAL_NESTED = "; if unshare -U true 2>/dev/null; then exit 10; fi; exit 0";

const NESTED =
	"a confined process could make a user namespace; unix_sockets needs bubblewrap 0.8.0 or newer, not setuid";

/** Starts a confined process that tries what it must not. @returns null when it was confined */
async function trial(
	host: ProcessHost,
	options: SandboxOptions,
	cwd: string,
): Promise<string | null> {
	const result = await host.run(
		{
			// The directory of the sandbox itself is writable for nobody.
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
	if (result.exitCode === 9) return "a confined process could write where it must not";
	if (result.exitCode === 10) return NESTED;
	if (!result.started) return result.startError ?? "it did not start";
	if (result.timedOut) return "a confined process did not end within 20 s";
	return (
		result.stderr.trim() || `a confined process ended with ${result.signal ?? result.exitCode}`
	);
}

/**
 * Opens a sandbox, and starts one confined process to see that it confines. About half a second.
 *
 * @returns why there is none, and what to do, where this machine has none
 */
export async function openSandbox(options: SandboxOptions): Promise<Sandbox | SandboxRefusal> {
	const refused = unsupported(process.platform) ?? missingPrograms(process.platform, options.env);
	if (refused !== null) return refused;
	const { env, allowHosts, never, unixSockets = false } = options;
	const programs = programsOn(env["PATH"] ?? "");
	const directory = join(await realpath(tmpdir()), `spar-sandbox-${shortName()}`);
	// Beside it, since it is itself never writable.
	const scratch = `${directory}.tmp`;
	const runtime = new KeptRuntime({
		...{ directory, scratch, env, programs },
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
		...{ directory, scratch, never },
		hidden: [
			...hiddenPlaces(env["HOME"]),
			...(unixSockets ? serviceSockets(env, process.getuid?.()) : []),
			...(options.hidden ?? []),
		],
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
