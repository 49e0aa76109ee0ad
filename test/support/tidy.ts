const later: (() => void)[] = [];

/** Does this after the tests of the file; `tidy-files.ts` sees to it. A hook would be for the file that loads the module first. */
export function tidyLater(work: () => void): void {
	later.push(work);
}

/** Does all that was left for later. */
export function tidyNow(): void {
	for (const work of later.splice(0)) work();
}
