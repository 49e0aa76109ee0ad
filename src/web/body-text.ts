/**
 * The text of a request's body; null where it has more than `maxBytes`. The length may not be told in advance, so it is
 * counted while it comes, and what is too long is not read to its end.
 */
export async function bodyText(
	body: ReadableStream<Uint8Array> | null,
	maxBytes: number,
): Promise<string | null> {
	const pieces: Uint8Array[] = [];
	let bytes = 0;
	for await (const piece of body ?? []) {
		bytes += piece.length;
		if (bytes > maxBytes) return null;
		pieces.push(piece);
	}
	return Buffer.concat(pieces).toString("utf8");
}
