/** What a look gives, and another value where it fails: for what may be gone, unreadable or of no sense, whatever the cause. */
export function attempt<T, Otherwise = T>(look: () => T, otherwise: Otherwise): T | Otherwise {
	try {
		return look();
	} catch {
		return otherwise;
	}
}
