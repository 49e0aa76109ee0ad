import { readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { SandboxManager, SandboxRuntimeConfig } from "@anthropic-ai/sandbox-runtime";
import type { FileRules, RuntimeReply, RuntimeRequest, RuntimeSettings } from "./runtime-client.ts";

const ROUNDS = 100;
const PAUSE_MS = 5;

function namingOf(text: string): readonly number[] {
	if (process.platform !== "linux") return [];
	const pids = readdirSync("/proc").map(Number).filter(Number.isInteger);
	return pids.filter((pid) => {
		try {
			return pid !== process.pid && readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(text);
		} catch {
			// It has ended in between.
			return false;
		}
	});
}

/**
 * Ends every confined process of a sandbox whose owner was killed: `bwrap --die-with-parent` has no effect if the
 * parent dies before the request reaches the kernel, and a namespace with relays never ends by itself.
 *
 * It finds the wrappers by the sandbox's script in their command line; killing one ends its whole process namespace.
 * Takes at most about half a second. Linux only.
 */
export async function endConfined(directory: string): Promise<void> {
	for (let round = 1; round <= ROUNDS; round += 1) {
		const pids = namingOf(`${directory}/call-`);
		if (pids.length === 0) return;
		for (const pid of pids) {
			try {
				process.kill(pid, "SIGKILL");
			} catch {
				// It has ended in between.
			}
		}
		await delay(PAUSE_MS);
	}
}

// The helper process, the only file that imports the sandbox runtime. It runs the proxies and turns commands into
// confined ones, but does not start them. It is a separate process because the runtime has global state, reads the
// working directory and the environment, and installs signal handlers.

const directory = process.cwd();
const scratch = process.argv[2] ?? "";

const QUIET_MS = 4_000;

let opening: Promise<readonly string[]> | undefined;
let manager: typeof SandboxManager | undefined;
let ownPackage: readonly string[] = [];

const literally = (paths: readonly string[]): { path: string; literal: true }[] =>
	paths.map((path) => ({ path, literal: true }));

function filesystemOf({
	closed = [],
	visible = [],
	...rules
}: FileRules): SandboxRuntimeConfig["filesystem"] {
	return {
		allowWrite: literally(rules.writable),
		denyWrite: literally(rules.readOnly),
		denyRead: literally([...rules.hidden, ...closed]),
		// Its own programs too: it may be installed in the user's repository.
		allowRead: literally([...visible, ...ownPackage]),
	};
}

async function open({
	allowHosts,
	unixSockets,
	programs,
}: RuntimeSettings): Promise<readonly string[]> {
	const runtime = await import("@anthropic-ai/sandbox-runtime");
	const entry = realpathSync(
		createRequire(import.meta.url).resolve("@anthropic-ai/sandbox-runtime"),
	);
	ownPackage = [dirname(dirname(entry))];
	const ripgrep = {
		// It would search for repositories in the working directory, which is empty.
		command: "true",
	};
	const { errors, warnings } = runtime.SandboxManager.checkDependencies(ripgrep);
	if (errors.length > 0) throw new Error(errors.join("; "));
	await runtime.SandboxManager.initialize({
		network: {
			allowedDomains: [...allowHosts],
			deniedDomains: [],
			allowLocalBinding: true,
			allowAllUnixSockets: unixSockets,
		},
		filesystem: { allowWrite: [], denyWrite: [], denyRead: [] },
		ripgrep,
		...programs,
	});
	manager = runtime.SandboxManager;
	return warnings;
}

// Twice: the runtime asks `which` for the shell each time, and its limit of 1 s can be too short.
async function wrap(
	runtime: typeof SandboxManager,
	command: string,
	rules: FileRules,
): Promise<string> {
	const custom = { filesystem: filesystemOf(rules) };
	try {
		return await runtime.wrapWithSandbox(command, "/bin/sh", custom);
	} catch {
		return runtime.wrapWithSandbox(command, "/bin/sh", custom);
	}
}

async function answer(
	request: Exclude<RuntimeRequest, { kind: "done" | "close" }>,
): Promise<RuntimeReply> {
	const { id } = request;
	try {
		if (request.kind === "open") {
			opening = open(request.settings);
			return { kind: "opened", id, warnings: await opening };
		}
		if (manager === undefined) throw new Error("the sandbox is not open");
		return { kind: "wrapped", id, command: await wrap(manager, request.command, request.rules) };
	} catch (error) {
		// What is thrown here comes from the runtime and from Node, which throw errors only.
		const { code, message } = error as NodeJS.ErrnoException;
		return { kind: "failed", id, missing: code === "ERR_MODULE_NOT_FOUND", message };
	}
}

// Ends even an unfinished opening, since relays start early.
async function quiet(): Promise<void> {
	const limit = new Promise((resolve) => {
		setTimeout(resolve, QUIET_MS);
	});
	const ended = opening?.then(
		() => manager?.reset(),
		() => undefined,
	);
	await Promise.race([ended?.catch(() => undefined), limit]);
}

// Everything of this sandbox, including this process, after its owner was killed.
async function vanish(): Promise<void> {
	try {
		await quiet();
		await endConfined(directory);
		for (const path of [directory, scratch]) rmSync(path, { recursive: true, force: true });
	} finally {
		// The whole group: the guard, and relays of an unfinished opening.
		process.kill(0, "SIGKILL");
	}
}

function reply(said: RuntimeReply): void {
	if (process.connected) process.send?.(said, undefined, undefined, () => undefined);
}

process.on("message", (request: RuntimeRequest) => {
	if (request.kind === "done") manager?.cleanupAfterCommand();
	else if (request.kind === "close") void quiet().finally(() => process.exit());
	else void answer(request).then(reply);
});

process.on("disconnect", () => void vanish());

// Started by the guard, after the helper was killed as well.
if (!process.connected) void vanish();
