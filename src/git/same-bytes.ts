import { lstat, open } from "node:fs/promises";

/** Bytes that are compared at once: 1 MiB. */
const CHUNK = 1_048_576;

/** Whether two paths are files of the same bytes; false when one of them is missing or is not a file. */
export async function sameBytes(one: string | Buffer, other: string | Buffer): Promise<boolean> {
	const [first, second] = await Promise.all([sizeOf(one), sizeOf(other)]);
	if (first === null || first !== second) return false;
	const left = await open(one);
	try {
		const right = await open(other);
		try {
			const [a, b] = [Buffer.alloc(CHUNK), Buffer.alloc(CHUNK)];
			for (let at = 0; at < first; at += CHUNK) {
				const length = Math.min(CHUNK, first - at);
				const [readA, readB] = await Promise.all([
					left.read(a, 0, length, at),
					right.read(b, 0, length, at),
				]);
				const whole = readA.bytesRead === length && readB.bytesRead === length;
				if (!whole || a.compare(b, 0, length, 0, length) !== 0) return false;
			}
			return true;
		} finally {
			await right.close();
		}
	} finally {
		await left.close();
	}
}

async function sizeOf(path: string | Buffer): Promise<number | null> {
	try {
		const stats = await lstat(path);
		return stats.isFile() ? stats.size : null;
	} catch {
		return null;
	}
}
