export type Every = (ms: number, tick: () => void) => () => void;

const LOOK_MS = 100;

// For what is written nowhere, such as the end of a process: 2 s.
const SLOW_LOOKS = 20;

export const everyByTimer: Every = (ms, tick) => {
	const timer = setInterval(tick, ms);
	// An open stream keeps the process alive by its socket.
	timer.unref();
	return () => clearInterval(timer);
};

export interface Look {
	// At once where something was written since the last call; `slow` where only time passed; `over` once the signal
	// aborted. Never rejects.
	next(signal: AbortSignal): Promise<"written" | "slow" | "over">;
	end(): void;
}

interface Watcher {
	readonly slowLooks: number;
	looks: number;
	news: "written" | "slow" | null;
	wake: () => void;
}

// Not at all while nobody looks.
export class Looking {
	readonly #pulse: () => Promise<string>;
	readonly #every: Every;
	readonly #watchers = new Set<Watcher>();
	#stop: (() => void) | null = null;
	// From the first pulse on a later one is news.
	#begun: Promise<void> = Promise.resolve();
	#last = "";
	#isAsking = false;

	// `pulse` differs whenever something was written; it must not reject.
	constructor(pulse: () => Promise<string>, every: Every = everyByTimer) {
		this.#pulse = pulse;
		this.#every = every;
	}

	async start(slowLooks: number = SLOW_LOOKS): Promise<Look> {
		const watcher: Watcher = { slowLooks, looks: 0, news: null, wake: () => undefined };
		this.#watchers.add(watcher);
		if (this.#stop === null) {
			this.#stop = this.#every(LOOK_MS, () => this.#tick());
			this.#begun = this.#ask();
		}
		await this.#begun;
		return {
			next: (signal) => nextOf(watcher, signal),
			end: () => {
				this.#watchers.delete(watcher);
				if (this.#watchers.size > 0) return;
				this.#stop?.();
				this.#stop = null;
			},
		};
	}

	#tick(): void {
		for (const watcher of this.#watchers) watcher.looks += 1;
		// A database that is slow to answer is not asked again before it did.
		if (!this.#isAsking) void this.#look();
	}

	async #look(): Promise<void> {
		const before = this.#last;
		await this.#ask();
		for (const watcher of this.#watchers) tellOf(watcher, this.#last !== before);
	}

	async #ask(): Promise<void> {
		this.#isAsking = true;
		try {
			this.#last = await this.#pulse();
		} finally {
			this.#isAsking = false;
		}
	}
}

function tellOf(watcher: Watcher, isWritten: boolean): void {
	const isSlow = watcher.looks >= watcher.slowLooks;
	if (isSlow) watcher.looks = 0;
	if (isWritten) watcher.news = "written";
	else if (isSlow) watcher.news ??= "slow";
	if (watcher.news !== null) watcher.wake();
}

async function nextOf(watcher: Watcher, signal: AbortSignal): Promise<"written" | "slow" | "over"> {
	if (watcher.news === null && !signal.aborted) {
		const { promise, resolve } = Promise.withResolvers<void>();
		watcher.wake = resolve;
		signal.addEventListener("abort", () => resolve(), { once: true });
		await promise;
	}
	if (signal.aborted) return "over";
	const { news } = watcher;
	watcher.news = null;
	return news ?? "slow";
}
