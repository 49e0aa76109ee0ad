/**
 * Begins what every run needs: the process that starts its programs, which then begins while this one loads the largest part of
 * the code. Resolves as soon as that process is under way. May be called again.
 */
export async function expectWork(): Promise<void> {
	const { expectChildren } = await import("../../process/starter-client.ts");
	expectChildren();
	// Whoever needs it sees what is wrong.
	import("./drive-run.ts").catch(() => undefined);
}
