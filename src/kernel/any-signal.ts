/** Aborted as soon as one of these is; those that nobody gave are left out. */
export function anySignal(...signals: readonly (AbortSignal | undefined)[]): AbortSignal {
	return AbortSignal.any(signals.filter((signal) => signal !== undefined));
}
