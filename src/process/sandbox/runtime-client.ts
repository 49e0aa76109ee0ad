import { type ChildProcess, fork } from "node:child_process";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import type {
	FileRules,
	RuntimePrograms,
	RuntimeReply,
	RuntimeRequest,
} from "./runtime-messages.ts";

/** The helper process that holds the sandbox runtime. */
export interface RuntimeClient {
	/** What the runtime could not do fully, one sentence each. */
	readonly warnings: readonly string[];
	/** False once the process has ended, for whatever reason. */
	readonly alive: boolean;
	/**
	 * Turns a command for `sh -c` into a confined one. To be followed by `done` when that has ended or never started.
	 *
	 * @throws Error when the runtime refuses, or when the process has ended
	 */
	wrap(command: string, rules: FileRules): Promise<string>;
	done(): void;
	/** Ends the process with its proxies. May be called twice. */
	close(): Promise<void>;
}

export interface RuntimeOptions {
	/** An empty directory of this process alone. */
	readonly directory: string;
	/** The whole environment of the process; its proxies are those that connections go through. */
	readonly env: Readonly<Record<string, string>>;
	readonly allowHosts: readonly string[];
	/** Whether processes may make and use Unix sockets. */
	readonly unixSockets: boolean;
	readonly programs: RuntimePrograms;
}

/** Why there is no runtime. */
export interface RuntimeRefusal {
	readonly missing: boolean;
	readonly message: string;
}

/** How long the process may take to close its proxies, in ms. */
const CLOSE_MS = 5_000;

const program = fileURLToPath(
	new URL(`./runtime-process${extname(import.meta.url)}`, import.meta.url),
);

/** Without the part that each variant has by itself. */
type Question =
	| {
			readonly kind: "open";
			readonly allowHosts: readonly string[];
			readonly unixSockets: boolean;
			readonly programs: RuntimePrograms;
	  }
	| { readonly kind: "wrap"; readonly command: string; readonly rules: FileRules };

class Client {
	readonly #child: ChildProcess;
	readonly #waiting = new Map<number, PromiseWithResolvers<RuntimeReply>>();
	readonly #ended: Promise<void>;
	#next = 1;
	alive = true;

	constructor({ directory, env }: RuntimeOptions) {
		this.#child = fork(program, [], {
			cwd: directory,
			// The runtime opens folders of the home directory to every call: here there are none.
			env: { ...env, TMPDIR: directory, HOME: directory },
			execArgv: [],
			// A group of its own: a Ctrl-C is meant for us, who end the calls first.
			detached: true,
			stdio: ["ignore", "ignore", "ignore", "ipc"],
		});
		this.#ended = new Promise((resolve) => {
			const gone = (reason: string): void => {
				this.#lost(reason);
				resolve();
			};
			this.#child.once("error", (error) => gone(error.message));
			this.#child.once("exit", (code, signal) => gone(`it ended with ${signal ?? code}`));
		});
		this.#child.on("message", (reply: RuntimeReply) => this.#settle(reply));
		this.#child.unref();
		this.#child.channel?.unref();
	}

	#lost(reason: string): void {
		this.alive = false;
		const error = new Error(`the helper process of the sandbox is gone: ${reason}`);
		for (const { reject } of this.#waiting.values()) reject(error);
		this.#waiting.clear();
		const { pid } = this.#child;
		if (pid === undefined) return;
		try {
			// The relays that it started are in its group.
			process.kill(-pid, "SIGKILL");
		} catch {
			// Nobody is left in the group.
		}
	}

	#settle(reply: RuntimeReply): void {
		this.#waiting.get(reply.id)?.resolve(reply);
		this.#waiting.delete(reply.id);
		if (this.#waiting.size === 0) this.#child.channel?.unref();
	}

	async ask(question: Question): Promise<RuntimeReply> {
		if (!this.alive) throw new Error("the helper process of the sandbox has ended");
		const id = this.#next++;
		const answer = Promise.withResolvers<RuntimeReply>();
		this.#waiting.set(id, answer);
		// Only an open question keeps our process alive.
		this.#child.channel?.ref();
		this.#send({ ...question, id });
		return answer.promise;
	}

	#send(request: RuntimeRequest): void {
		// A failure means that the process is gone, which its end tells as well.
		this.#child.send(request, () => undefined);
	}

	done(): void {
		if (this.alive && this.#child.connected) this.#send({ kind: "done" });
	}

	async close(): Promise<void> {
		if (!this.alive) return;
		this.#child.ref();
		const timer = setTimeout(() => this.#child.kill("SIGKILL"), CLOSE_MS);
		if (this.#child.connected) this.#child.disconnect();
		await this.#ended;
		clearTimeout(timer);
	}
}

/**
 * Starts the helper process and its proxies, about 0.3 s.
 *
 * It ends by itself when our process ends, however that happens, and keeps our process alive only while a question is
 * open.
 */
export async function startRuntime(
	options: RuntimeOptions,
): Promise<RuntimeClient | RuntimeRefusal> {
	const { allowHosts, unixSockets, programs } = options;
	const client = new Client(options);
	let reply: RuntimeReply;
	try {
		reply = await client.ask({ kind: "open", allowHosts, unixSockets, programs });
	} catch (error) {
		// `ask` rejects with errors only.
		return { missing: false, message: (error as Error).message };
	}
	if (reply.kind !== "opened") {
		await client.close();
		const unclear = { missing: false, message: "the helper process gave no answer" };
		return reply.kind === "failed" ? reply : unclear;
	}
	return {
		warnings: reply.warnings,
		get alive() {
			return client.alive;
		},
		wrap: async (command, rules) => {
			const wrapped = await client.ask({ kind: "wrap", command, rules });
			if (wrapped.kind === "wrapped") return wrapped.command;
			throw new Error(wrapped.kind === "failed" ? wrapped.message : "no answer");
		},
		done: () => client.done(),
		close: () => client.close(),
	};
}
