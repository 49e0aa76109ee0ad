import { realpathSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import type { SandboxManager, SandboxRuntimeConfig } from "@anthropic-ai/sandbox-runtime";
import type {
	FileRules,
	RuntimeAnswer,
	RuntimeReply,
	RuntimeRequest,
	RuntimeSettings,
} from "./runtime-client.ts";

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

async function answer(request: Exclude<RuntimeRequest, { kind: "close" }>): Promise<RuntimeAnswer> {
	try {
		if (request.kind === "open") {
			opening = open(request.settings);
			return { warnings: await opening };
		}
		if (manager === undefined) throw new Error("the sandbox is not open");
		return await wrap(manager, request.command, request.rules);
	} catch (error) {
		// What is thrown here comes from the runtime and from Node, which throw errors only.
		const { code, message } = error as NodeJS.ErrnoException;
		return { missing: code === "ERR_MODULE_NOT_FOUND", message };
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

// Everything of this sandbox, including this process, after its owner was killed: whose watchdog ends the calls, which
// may write until then.
async function vanish(): Promise<void> {
	try {
		await quiet();
		for (const path of [directory, scratch])
			rmSync(path, { recursive: true, force: true, maxRetries: 20 });
	} finally {
		// The whole group: the guard, and relays of an unfinished opening.
		process.kill(0, "SIGKILL");
	}
}

process.on("message", (request: RuntimeRequest) => {
	if (request.kind === "close") void quiet().finally(() => process.exit());
	else
		void answer(request).then((said) => {
			const reply: RuntimeReply = { id: request.id, answer: said };
			if (process.connected) process.send?.(reply, undefined, undefined, () => undefined);
		});
});

process.on("disconnect", () => void vanish());

// Started by the guard, after the helper was killed as well.
if (!process.connected) void vanish();
