/** Anything that JSON can hold. */
export type Json =
	| null
	| boolean
	| number
	| string
	| readonly Json[]
	| { readonly [key: string]: Json };

/** JSON with the keys of every object in order, so that equal values give equal text. */
export function canonicalJson(value: unknown): string {
	return JSON.stringify(value, (_key, inner: unknown) =>
		typeof inner === "object" && inner !== null && !Array.isArray(inner)
			? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
			: inner,
	);
}

/** SHA-256 of a text as 64 hexadecimal digits. */
export function sha256(text: string | Uint8Array): string {
	// Loaded when it is first needed: it is the slowest part of a reader's start.
	return process.getBuiltinModule("node:crypto").createHash("sha256").update(text).digest("hex");
}
