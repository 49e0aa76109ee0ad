import { type BlobEntry, type Blobs, soundKey } from "./blobs.ts";

/** Files of runs that are kept in memory, for tests in which no file matters; `texts` shows them. */
export function blobsInMemory(): Blobs & { readonly texts: ReadonlyMap<string, string> } {
	const texts = new Map<string, string>();
	const textAt = (key: string): string | undefined => texts.get(soundKey(key));
	const entryOf = (key: string): BlobEntry | undefined => {
		const text = textAt(key);
		return text === undefined ? undefined : { key, bytes: Buffer.byteLength(text), changedMs: 0 };
	};
	const below = (folder: string): string[] =>
		[...texts.keys()].filter((key) => key.startsWith(`${soundKey(folder)}/`));
	return {
		texts,
		put: async (key, text) => {
			texts.set(soundKey(key), text);
		},
		append: async (key, text) => {
			texts.set(key, `${textAt(key) ?? ""}${text}`);
		},
		read: async (key, from = 0) => {
			const text = textAt(key);
			return text === undefined ? undefined : Buffer.from(text).subarray(from).toString("utf8");
		},
		readBytes: async (key, from, most) => {
			const text = textAt(key);
			if (text === undefined) return undefined;
			const whole = Buffer.from(text);
			return { bytes: whole.subarray(from, from + most), size: whole.length };
		},
		entry: async (key) => entryOf(key),
		list: async (folder) => [...below(soundKey(folder))].flatMap((key) => entryOf(key) ?? []),
		has: async (key) => textAt(key) !== undefined || below(key).length > 0,
		remove: async (key) => {
			for (const each of [soundKey(key), ...below(key)]) texts.delete(each);
		},
	};
}
