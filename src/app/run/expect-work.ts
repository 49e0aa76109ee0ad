/** Begins what every run needs, beside its first questions to git: the process that starts git, and the largest part of the code. */
export function expectWork(): void {
	// Whoever needs them sees what is wrong.
	begin().catch(() => undefined);
}

/** To load the code takes this thread a while, in which the other process can begin. */
async function begin(): Promise<void> {
	const { expectChildren } = await import("../../process/starter-client.ts");
	expectChildren();
	await import("./drive-run.ts");
}
