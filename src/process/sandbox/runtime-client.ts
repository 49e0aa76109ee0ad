import { type ChildProcess, spawn } from "node:child_process";
import { dirname, extname } from "node:path";
import { fileURLToPath } from "node:url";
import { attempt } from "../../kernel/attempt.ts";

export interface FileRules {
	readonly writable: readonly string[];
	// Not writable, even below a writable path.
	readonly readOnly: readonly string[];
	// Directories look empty, files cannot be read.
	readonly hidden: readonly string[];
	// Directories that look empty, except for what is visible in them.
	readonly closed?: readonly string[];
	// In closed directories.
	readonly visible?: readonly string[];
}

export interface RuntimePrograms {
	readonly bwrapPath?: string;
	readonly socatPath?: string;
}

export interface RuntimeSettings {
	// Such as `api.example.com`, `*.example.com` or `127.0.0.1:11434`.
	readonly allowHosts: readonly string[];
	readonly unixSockets: boolean;
	readonly programs: RuntimePrograms;
}

// `open` comes first. Each of both gets one reply with its id.
export type RuntimeQuestion =
	| { readonly kind: "open"; readonly settings: RuntimeSettings }
	| { readonly kind: "wrap"; readonly command: string; readonly rules: FileRules };

// After `close` the helper ends and keeps its directories; when it loses Sparring without one, it removes them.
export type RuntimeRequest =
	| (RuntimeQuestion & { readonly id: number })
	| { readonly kind: "close" };

// A refusal, the warnings of what was opened, or a simple command for `sh -c`, which may follow `exec`.
export type RuntimeAnswer = RuntimeRefusal | { readonly warnings: readonly string[] } | string;

export interface RuntimeReply {
	readonly id: number;
	readonly answer: RuntimeAnswer;
}

export interface RuntimeClient {
	// Restrictions that the runtime could not fully apply, one sentence each.
	readonly warnings: readonly string[];
	readonly alive: boolean;
	// Turns a command for `sh -c` into a confined one; rejects when the runtime refuses, or when the process has ended.
	wrap(command: string, rules: FileRules): Promise<string>;
	// Can be called twice.
	close(): Promise<void>;
}

export interface RuntimeOptions extends RuntimeSettings {
	// The sandbox's own, a real path. Like `scratch` it is made if missing, and removed if this process ends without
	// closing the helper.
	readonly directory: string;
	readonly scratch: string;
	readonly env: Readonly<Record<string, string>>;
}

export interface RuntimeRefusal {
	// The optional package is not installed.
	readonly missing: boolean;
	readonly message: string;
}

const CLOSE_MS = 5_000;

const program = fileURLToPath(
	new URL(`./runtime-process${extname(import.meta.url)}`, import.meta.url),
);

// A process between Sparring and the helper. It cleans up even if both are killed at the same time: its standard input
// ends only when Sparring ends, since a living Sparring ends it as soon as the helper is gone. It creates the
// directories itself, so that they do not stay if Sparring is killed before it starts.
const GUARD = `command -p mkdir -m 700 "$1" "$2" 2>/dev/null
cd "$1" || exit 73
shift
"$2" "$3" "$1" &
exec 3>&-
wait $!
while read -r line; do :; done
unset NODE_CHANNEL_FD NODE_CHANNEL_SERIALIZATION_MODE
"$2" "$3" "$1"`;

const NO_DIRECTORY = 73;

class Client implements RuntimeClient {
	readonly #child: ChildProcess;
	readonly #waiting = new Map<number, PromiseWithResolvers<RuntimeAnswer>>();
	readonly #ended: Promise<void>;
	#next = 1;
	alive = true;
	warnings: readonly string[] = [];

	constructor({ directory, scratch, env }: RuntimeOptions) {
		const guarded = [directory, scratch, process.execPath, program];
		this.#child = spawn("/bin/sh", ["-c", GUARD, "sh", ...guarded], {
			cwd: dirname(directory),
			// The runtime opens folders of the home directory to every call: here there are none.
			env: { ...env, TMPDIR: directory, HOME: directory },
			// A group of its own: a Ctrl-C is meant for us, who end the calls first.
			detached: true,
			stdio: ["pipe", "ignore", "ignore", "ipc"],
		});
		this.#ended = new Promise((resolve) => {
			const gone = (reason: string): void => {
				this.#lost(reason);
				resolve();
			};
			this.#child.once("error", (error) => gone(error.message));
			this.#child.once("exit", (code, signal) =>
				gone(
					code === NO_DIRECTORY
						? `${directory} cannot be created`
						: `it ended with ${signal ?? code}`,
				),
			);
		});
		// The guard stays until it is ended; its exit rejects all waiting requests.
		this.#child.once("disconnect", () => {
			this.alive = false;
			this.#endGroup();
		});
		this.#child.on("message", (reply: RuntimeReply) => this.#settle(reply));
		// Nothing is written there.
		this.#child.stdin?.on("error", () => undefined);
		this.#child.unref();
		this.#child.channel?.unref();
	}

	#lost(reason: string): void {
		this.alive = false;
		const error = new Error(`the helper process of the sandbox is gone: ${reason}`);
		for (const { reject } of this.#waiting.values()) reject(error);
		this.#waiting.clear();
		this.#endGroup();
	}

	#endGroup(): void {
		const { pid, exitCode, signalCode, connected } = this.#child;
		// After guard and helper have both ended, the number may be reused.
		const isEnded = !connected && (exitCode !== null || signalCode !== null);
		if (pid === undefined || isEnded) return;
		// Nobody may be left in the group.
		attempt(() => process.kill(-pid, "SIGKILL"), false);
	}

	#settle({ id, answer }: RuntimeReply): void {
		this.#waiting.get(id)?.resolve(answer);
		this.#waiting.delete(id);
		if (this.#waiting.size === 0) this.#child.channel?.unref();
	}

	async #ask(question: RuntimeQuestion): Promise<RuntimeAnswer> {
		if (!this.alive) throw new Error("the helper process of the sandbox has ended");
		const id = this.#next++;
		const answer = Promise.withResolvers<RuntimeAnswer>();
		this.#waiting.set(id, answer);
		// Only an open request keeps this process alive.
		this.#child.channel?.ref();
		this.#send({ ...question, id });
		return answer.promise;
	}

	async open(settings: RuntimeSettings): Promise<RuntimeRefusal | null> {
		const answer = await this.#ask({ kind: "open", settings });
		if (typeof answer !== "string" && "message" in answer) return answer;
		if (typeof answer !== "string") this.warnings = answer.warnings;
		return null;
	}

	async wrap(command: string, rules: FileRules): Promise<string> {
		const answer = await this.#ask({ kind: "wrap", command, rules });
		if (typeof answer === "string") return answer;
		throw new Error("message" in answer ? answer.message : "no answer");
	}

	#send(request: RuntimeRequest): void {
		// An error means that the process is gone, which the exit event reports too.
		this.#child.send(request, () => undefined);
	}

	async close(): Promise<void> {
		this.#child.ref();
		const timer = setTimeout(() => this.#endGroup(), CLOSE_MS);
		if (this.#child.connected) this.#send({ kind: "close" });
		await this.#ended;
		clearTimeout(timer);
	}
}

/**
 * Starts the helper process and its proxies. Takes about 0.3 s.
 *
 * The helper ends when this process ends for any reason, and then removes the directories. It keeps this process alive
 * only while a request is open. Never rejects.
 */
export async function startRuntime(
	options: RuntimeOptions,
): Promise<RuntimeClient | RuntimeRefusal> {
	const { allowHosts, unixSockets, programs } = options;
	try {
		const client = new Client(options);
		const refusal = await client.open({ allowHosts, unixSockets, programs });
		if (refusal === null) return client;
		await client.close();
		return refusal;
	} catch (error) {
		// Node and the client throw errors only.
		return { missing: false, message: (error as Error).message };
	}
}
