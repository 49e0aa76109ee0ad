import { constants, lstatSync, mkdirSync, type Stats } from "node:fs";
import { appendFile, type FileHandle, open, readdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { attempt } from "../../kernel/attempt.ts";
import { type BlobEntry, type Blobs, soundKey } from "../../kernel/blobs.ts";
import { asStateFault } from "../../kernel/state-fault.ts";

/**
 * The files of runs in a folder, each at the path that its key is. A symbolic link in the place of a file does not
 * count as one: whoever put it there might point to a file of the user's.
 *
 * @param directory absolute; made when the first file is written
 */
export function folderBlobs(directory: string): Blobs {
	const pathOf = (key: string): string => join(directory, soundKey(key));
	const entryOf = (key: string): BlobEntry | undefined => {
		const found = standsAt(pathOf(key));
		return found?.isFile() === true
			? { key, changedMs: found.mtimeMs, bytes: found.size }
			: undefined;
	};
	return {
		put: async (key, content) => {
			const path = pathOf(key);
			// What only reads, such as `spar status`, does without.
			const { replaceFile } = await import("./replace-file.ts");
			await asStateFault(path, () => replaceFile(path, content));
		},
		append: async (key, content) => {
			const path = pathOf(key);
			await asStateFault(path, async () => {
				mkdirSync(dirname(path), { recursive: true });
				await appendFile(path, content);
			});
		},
		read: async (key, from = 0) =>
			await withFile(pathOf(key), (file) =>
				text(file.createReadStream({ start: from, autoClose: false, encoding: "utf8" })),
			),
		readBytes: async (key, from, most) =>
			await withFile(pathOf(key), async (file) => {
				const { size } = await file.stat();
				const room = Buffer.alloc(Math.max(0, Math.min(most, size - from)));
				const { bytesRead } = await file.read(room, 0, room.length, from);
				return { bytes: room.subarray(0, bytesRead), size };
			}),
		entry: async (key) => entryOf(key),
		list: async (folder) => {
			const files = await readdir(pathOf(folder), { recursive: true }).catch(() => []);
			return files.flatMap((file) => entryOf(`${folder}/${file}`) ?? []);
		},
		has: async (key) => standsAt(pathOf(key)) !== undefined,
		remove: async (key) => {
			await rm(pathOf(key), { recursive: true, force: true });
		},
	};
}

const standsAt = (path: string): Stats | undefined =>
	attempt(() => lstatSync(path, { throwIfNoEntry: false }), undefined);

async function withFile<T>(
	path: string,
	work: (file: FileHandle) => Promise<T>,
): Promise<T | undefined> {
	await using file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW).catch(() => null);
	return file !== null && (await file.stat()).isFile() ? await work(file) : undefined;
}
