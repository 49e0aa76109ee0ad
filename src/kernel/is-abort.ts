/** Tells whether an error is that of an abort: its reason, one caused by it, or an `AbortError`. */
export function isAbort(error: unknown, reason: unknown): boolean {
	return (
		error === reason ||
		(error instanceof Error && (error.cause === reason || error.name === "AbortError"))
	);
}
