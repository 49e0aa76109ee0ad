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

/** One helper process for as long as a sandbox is open: another one is started when it is gone. */
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
		if (this.#closed) throw new Error("it is closed");
		if (current !== undefined && lives(current)) return current;
		// Of several calls that find it gone the first starts another.
		if (this.#current === asked) this.#current = this.#begin();
		return this.#current ?? this.start();
	}

	/** Never rejects: what it gives is kept, and looked at by everybody who comes later. */
	async #begin(): Promise<Started> {
		try {
			return await this.#start(this.#options);
		} catch (error) {
			return { missing: false, message: error instanceof Error ? error.message : String(error) };
		}
	}

	/** As `RuntimeClient.wrap`; a process that is lost on the way is replaced once. */
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

	/** To be called once for each command that `wrap` gave, when it has ended or was not started. */
	done(): void {
		void this.#current?.then((current) => {
			if ("alive" in current) current.done();
		});
	}

	/** Ends it for good. May be called twice. */
	async close(): Promise<void> {
		this.#closed = true;
		const current = await this.#current;
		if (current !== undefined && "alive" in current) await current.close();
	}
}
