/** Begins what every run needs, beside its first questions to git: the process that starts git, and the largest part of the code. */
export function expectWork(): void {
	const begun = [
		import("../../git/starter-client.ts").then(({ expectChildren }) => expectChildren()),
		import("./drive-run.ts"),
	];
	// Whoever needs them sees what is wrong.
	for (const part of begun) part.catch(() => undefined);
}
