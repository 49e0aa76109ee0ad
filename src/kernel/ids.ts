const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";

/** `length` random characters that are safe in refs, paths and shells: digits and lower case without i, l, o, u. */
export function randomId(length: number): string {
	// Not of `node:crypto`, which takes as long to load as a database to open.
	return [...crypto.getRandomValues(new Uint8Array(length))]
		.map((byte) => ALPHABET[byte % ALPHABET.length])
		.join("");
}

/** Id of a run, sorted by time: `runIdAt(Date.UTC(2026, 10, 21, 22, 5, 9), "k3f9")` is `"20261121-220509-k3f9"`. */
export function runIdAt(ms: number, suffix: string = randomId(4)): string {
	const digits = new Date(ms).toISOString().replaceAll(/[-:]/g, "");
	return `${digits.slice(0, 8)}-${digits.slice(9, 15)}-${suffix}`;
}
