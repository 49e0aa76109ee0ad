import {
	type RuntimeClient,
	type RuntimeOptions,
	type RuntimeRefusal,
	startRuntime,
} from "./runtime-client.ts";
import type { FileRules } from "./runtime-messages.ts";

type Start = typeof startRuntime;
type Started = RuntimeClient | RuntimeRefusal;

const lives = (started: Started): boolean => "alive" in started && started.alive;

/** The helper process of an open sandbox. Starts a new one when it is gone. */
export class KeptRuntime {
	readonly #options: RuntimeOptions;
	readonly #start: Start;
	#current: Promise<Started> | undefined;
	#closed = false;

	/** @param start for tests; one that rejects counts as a refusal, and is tried again */
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
		if (this.#current === asked) this.#current = this.#begin();
		return this.#current ?? this.start();
	}

	/** Never rejects, since later callers share the result. */
	async #begin(): Promise<Started> {
		try {
			return await this.#start(this.#options);
		} catch (error) {
			return { missing: false, message: error instanceof Error ? error.message : String(error) };
		}
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

	/** Call it once for each command from `wrap`, when it has ended or was not started. */
	done(): void {
		void this.#current?.then((current) => {
			if ("alive" in current) current.done();
		});
	}

	/** Ends the process for good. Can be called twice. */
	async close(): Promise<void> {
		this.#closed = true;
		const current = await this.#current;
		if (current !== undefined && "alive" in current) await current.close();
	}
}
