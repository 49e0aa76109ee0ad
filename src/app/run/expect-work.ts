let loading: Promise<unknown> = Promise.resolve();

/**
 * Begins what every run needs: the process that starts its programs, which then begins while this one loads the largest part of
 * the code. Resolves as soon as that process is under way. May be called again.
 */
export async function expectWork(): Promise<void> {
	const { expectChildren } = await import("../../process/starter-client.ts");
	expectChildren();
	// Whoever needs it sees what is wrong.
	loading = import("./drive-run.ts").catch(() => undefined);
}

/** Resolves when nothing is being loaded any more that `expectWork` began to load. */
export async function workLoaded(): Promise<void> {
	await loading;
}
