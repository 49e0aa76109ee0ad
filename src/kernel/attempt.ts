/** Gives what a look finds, or another value if it fails, whatever the cause: for what may be gone or unreadable. */
export function attempt<T, Otherwise = T>(look: () => T, otherwise: Otherwise): T | Otherwise {
	try {
		return look();
	} catch {
		return otherwise;
	}
}
