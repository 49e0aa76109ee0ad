import { availableParallelism } from "node:os";
import { type Leave, WaitingLine } from "./waiting-line.ts";

/** How long a task keeps its place at most, in ms: one that waits for something that nobody foresaw is in nobody's way. */
const LONGEST_MS = 250;

/**
 * Places for what tasks do between their calls: git, files, records. Many tasks at once whose agents answer together would
 * all share the machine, and all be done at the end. In the order in which they came, the first is done at once, and
 * its next agent works while the others are served.
 */
export class Desks {
	readonly #line: WaitingLine;

	/** @param places by default as many as keep the processors busy while one of them waits */
	constructor(places: number = availableParallelism() + 1) {
		this.#line = new WaitingLine(places);
	}

	/** @param signal of the task: nobody waits for a place once it is aborted */
	desk(signal: AbortSignal): Desk {
		return new Desk(this.#line, signal);
	}
}

/** The place of one task. It is given up wherever the task waits for something else. */
export class Desk {
	readonly #line: WaitingLine;
	readonly #signal: AbortSignal;
	#leave: Leave = () => undefined;
	#timer: NodeJS.Timeout | undefined;
	/** Under way while it stands in the line: at most once, however many of its waits have ended. */
	#sitting: Promise<void> | null = null;
	/** How many waits are under way. */
	#waits = 0;
	#isWorking = false;

	constructor(line: WaitingLine, signal: AbortSignal) {
		this.#line = line;
		this.#signal = signal;
	}

	/**
	 * Takes a place for as long as the work lasts.
	 *
	 * @throws what the work throws; the signal's reason when it is aborted before there is a place
	 */
	async work<T>(act: () => Promise<T>): Promise<T> {
		this.#isWorking = true;
		try {
			await this.#sit();
			return await act();
		} finally {
			this.#isWorking = false;
			this.#rise();
		}
	}

	/**
	 * Waits without a place, and takes one again: the last one in the line. Waits may overlap. Outside of `work` it just waits.
	 *
	 * @throws what is thrown while it waits; the signal's reason when it is aborted before there is a place again
	 */
	async away<T>(wait: () => Promise<T>): Promise<T> {
		this.#waits += 1;
		this.#rise();
		try {
			return await wait();
		} finally {
			this.#waits -= 1;
			if (this.#waits === 0 && this.#isWorking) await this.#sit();
		}
	}

	#sit(): Promise<void> {
		this.#sitting ??= this.#takePlace().finally(() => {
			this.#sitting = null;
		});
		return this.#sitting;
	}

	async #takePlace(): Promise<void> {
		const leave = await this.#line.take(this.#signal);
		this.#rise();
		// It may wait for something else by now, or have ended.
		if (this.#waits > 0 || !this.#isWorking) return leave();
		this.#leave = leave;
		this.#timer = setTimeout(() => this.#rise(), LONGEST_MS).unref();
	}

	#rise(): void {
		clearTimeout(this.#timer);
		this.#leave();
	}
}
