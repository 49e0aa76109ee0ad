/** One file of a run, as a listing tells it. */
export interface BlobEntry {
	readonly key: string;
	/** Last change, in milliseconds since the epoch. */
	readonly changedMs: number;
	readonly bytes: number;
}

export interface BlobPart {
	readonly bytes: Uint8Array;
	/** Of the whole file, in bytes. */
	readonly size: number;
}

/**
 * The files of runs: transcripts, what checks print, patches, traces, and what stands for other tools to read. A folder
 * today; another store may keep them elsewhere.
 *
 * A key is a relative path such as `runs/20261121-220509-k3f9/evidence/limiter/turn-1/turn-tests.log`: parts between
 * `/`, none of them empty, `.` or `..`. Another key is a bug and throws. Texts are UTF-8, without secrets already.
 *
 * @throws Fault `disk-full` or `state-unwritable` where a text can't be written
 */
export interface Blobs {
	/** Replaces the whole text: a reader sees the old one or the new one, never a half. */
	put(key: string, text: string): Promise<void>;
	/** Adds to the end; makes the file where there is none. A writer waits for one piece before it adds the next. */
	append(key: string, text: string): Promise<void>;
	/** The text from a byte on, `""` beyond its end; undefined where there is no such file. */
	read(key: string, from?: number): Promise<string | undefined>;
	/**
	 * At most `most` bytes from one on, none beyond the end, with the size of the whole; undefined where there is no such
	 * file.
	 */
	readBytes(key: string, from: number, most: number): Promise<BlobPart | undefined>;
	/** The size of one file; undefined where there is none. */
	entry(key: string): Promise<BlobEntry | undefined>;
	/** All files below a folder, in no order; one that goes meanwhile is left out. */
	list(folder: string): Promise<readonly BlobEntry[]>;
	/** Tells whether there is such a file, or any file below such a folder. */
	has(key: string): Promise<boolean>;
	/** Removes a file, or a folder with all that is below it. Harmless when repeated. */
	remove(key: string): Promise<void>;
}

/** Tells whether a text is a key, see `Blobs`: `"runs/../../x"` is none. */
export const isSoundKey = (text: string): boolean =>
	!text.includes("\0") &&
	text.split("/").every((part) => part !== "" && part !== "." && part !== "..");

/** The key as it is. @throws Error for what is no key, see `Blobs`: that is a bug of whoever made it */
export function soundKey(key: string): string {
	if (!isSoundKey(key)) throw new Error(`${JSON.stringify(key)} is no key of a file`);
	return key;
}
