import { rmSync } from "node:fs";
import type { SandboxManager, SandboxRuntimeConfig } from "@anthropic-ai/sandbox-runtime";
import type { FileRules, RuntimeReply, RuntimeRequest } from "./runtime-messages.ts";

// The program of the helper process: the only place that names the sandbox runtime. It holds the proxies, and turns
// commands into confined ones; it starts none of them itself. The runtime keeps one state for each process, reads the
// working directory and the environment of its process and installs signal handlers: none of that may be ours.

/** The directory of this sandbox alone. */
const directory = process.cwd();

let manager: typeof SandboxManager | undefined;

const literally = (paths: readonly string[]): { path: string; literal: true }[] =>
	paths.map((path) => ({ path, literal: true }));

function filesystemOf(rules: FileRules): SandboxRuntimeConfig["filesystem"] {
	return {
		allowWrite: literally(rules.writable),
		denyWrite: literally(rules.readOnly),
		denyRead: literally(rules.hidden),
	};
}

type OpenRequest = Extract<RuntimeRequest, { kind: "open" }>;

async function open({
	allowHosts,
	unixSockets,
	programs,
}: OpenRequest): Promise<readonly string[]> {
	const runtime = await import("@anthropic-ai/sandbox-runtime");
	const ripgrep = {
		// It would look for repositories below the working directory, which is empty here.
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

/** It asks `which` for the shell each time and waits a second at most, which a busy machine may need twice. */
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

async function answer(request: Exclude<RuntimeRequest, { kind: "done" }>): Promise<RuntimeReply> {
	const { id } = request;
	try {
		if (request.kind === "open") {
			return { kind: "opened", id, warnings: await open(request) };
		}
		if (manager === undefined) throw new Error("the sandbox is not open");
		return { kind: "wrapped", id, command: await wrap(manager, request.command, request.rules) };
	} catch (error) {
		// What is thrown here comes from the runtime and from Node, which throw errors only.
		const { code, message } = error as NodeJS.ErrnoException;
		return { kind: "failed", id, missing: code === "ERR_MODULE_NOT_FOUND", message };
	}
}

process.on("message", (request: RuntimeRequest) => {
	if (request.kind === "done") manager?.cleanupAfterCommand();
	else void answer(request).then((reply) => process.send?.(reply));
});

// Also when the process that asked was killed: nothing of the sandbox outlives it.
process.on("disconnect", () => {
	void Promise.resolve(manager?.reset()).finally(() => {
		rmSync(directory, { recursive: true, force: true });
		process.exit();
	});
});
