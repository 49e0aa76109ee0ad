import type { DeclaredTest, TestShape } from "../language/test-shape.ts";

export interface Extent {
	/** Assertions that are made, whether they can fail or not. */
	readonly assertions: number;
	readonly comparisons: number;
}

/**
 * Amount that a file asserts.
 *
 * @param helpers functions that assert, of all files of the same tree, with the comparisons of one call
 */
export function extentOf(
	{ assertions, calls }: TestShape,
	helpers: ReadonlyMap<string, number>,
): Extent {
	// What a helper compares counts with each of its calls.
	const names = new Set(calls.map(({ name }) => name));
	const made = assertions.filter(
		({ flaw, helper }) =>
			(flaw === null || flaw === "constant") && !(helper !== null && names.has(helper)),
	);
	const direct = made
		.filter(({ through }) => through === null || !helpers.has(through))
		.reduce((sum, { weight }) => sum + weight, 0);
	const called = calls.reduce((sum, { name, times }) => sum + times * (helpers.get(name) ?? 0), 0);
	return { assertions: made.length, comparisons: direct + called };
}

export function helpersOf(shapes: readonly TestShape[]): ReadonlyMap<string, number> {
	return new Map(shapes.flatMap(({ helpers }) => [...helpers]));
}

/** Tests that cannot fail: empty ones, and those of which no assertion can. */
export function harmlessTests(shape: TestShape): readonly DeclaredTest[] {
	const bySubject = Map.groupBy(shape.assertions, ({ test }) => test);
	return shape.tests.filter(({ name, isEmpty }) => {
		const own = bySubject.get(name) ?? [];
		return isEmpty || (own.length > 0 && own.every(({ flaw }) => flaw !== null));
	});
}
