import { type CallTraces, type ProcessTable, readProcTables } from "./process-table.ts";

interface Asked {
	readonly call: CallTraces;
	readonly resolve: (table: ProcessTable) => void;
	readonly reject: (error: unknown) => void;
}

/**
 * Reads the processes of Linux for calls that end: once for all that ask at the same time, and after each of them has asked.
 * A hundred calls that end together would otherwise stop everything else for as many readings.
 */
export class ProcessReads {
	readonly #read: typeof readProcTables;
	#asked: Asked[] = [];

	/** @param read for tests */
	constructor(read: typeof readProcTables = readProcTables) {
		this.#read = read;
	}

	/** The processes as they are after this moment, for one call. */
	table(call: CallTraces): Promise<ProcessTable> {
		return new Promise((resolve, reject) => {
			this.#asked.push({ call, resolve, reject });
			if (this.#asked.length === 1) setImmediate(() => this.#answer());
		});
	}

	#answer(): void {
		const asked = this.#asked;
		this.#asked = [];
		try {
			const tableFor = this.#read();
			for (const { call, resolve } of asked) resolve(tableFor(call));
		} catch (error) {
			for (const { reject } of asked) reject(error);
		}
	}
}
