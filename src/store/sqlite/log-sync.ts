import { closeSync, fdatasync, openSync } from "node:fs";

/** Brings the write-ahead log of a database to the disk, beside the main thread. */
export interface LogSync {
	/**
	 * Resolves when all that stood in the log at the call is on the disk. Calls during a sync share the next one.
	 *
	 * @throws the system's error; from then on always, since what a disk has once dropped it does not write later
	 */
	sync(): Promise<void>;
	/** Frees the file once nothing is under way. Idempotent. */
	close(): void;
}

/** The system's calls, which tests replace. */
export interface LogFile {
	open(path: string): number;
	sync(descriptor: number, done: (error: Error | null) => void): void;
	close(descriptor: number): void;
}

const systemFile: LogFile = {
	open: (path) => openSync(path, "r+"),
	sync: fdatasync,
	close: closeSync,
};

class Log implements LogSync {
	readonly #path: string;
	readonly #file: LogFile;
	#descriptor: number | undefined;
	#running: Promise<void> | undefined;
	#next: Promise<void> | undefined;
	#failure: Error | undefined;
	#isClosed = false;

	constructor(path: string, file: LogFile) {
		this.#path = path;
		this.#file = file;
	}

	sync(): Promise<void> {
		// One that runs may have passed what was written since.
		if (this.#running === undefined) return this.#start();
		const again = (): Promise<void> => this.#start();
		this.#next ??= this.#running.then(again, again);
		return this.#next;
	}

	close(): void {
		this.#isClosed = true;
		if (this.#running !== undefined || this.#descriptor === undefined) return;
		this.#file.close(this.#descriptor);
		this.#descriptor = undefined;
	}

	#start(): Promise<void> {
		this.#next = undefined;
		const running = this.#once().finally(() => {
			this.#running = undefined;
			if (this.#isClosed && this.#next === undefined) this.close();
		});
		this.#running = running;
		return running;
	}

	async #once(): Promise<void> {
		if (this.#failure !== undefined) throw this.#failure;
		const descriptor = this.#descriptor ?? this.#file.open(this.#path);
		this.#descriptor = descriptor;
		const error = await new Promise<Error | null>((resolve) => {
			this.#file.sync(descriptor, resolve);
		});
		if (error === null) return;
		this.#failure = error;
		throw error;
	}
}

/**
 * @param path of the log, which stays the same file while a connection to its database is open
 * @param file for tests
 */
export function logSync(path: string, file: LogFile = systemFile): LogSync {
	return new Log(path, file);
}
