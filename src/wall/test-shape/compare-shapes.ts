import type { Assertion, DeclaredTest, Flaw, TestShape } from "./test-shape.ts";

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

/** A way in which a test cannot fail. */
export type Disarmed = Flaw | "empty" | "shadowed";

export function disarmedIn(
	{ assertions, tests, shadowed }: TestShape,
	isKnown: (test: string) => boolean,
): ReadonlyMap<Disarmed, number> {
	const found = new Map<Disarmed, number>();
	const add = (way: Disarmed, count: number): void => {
		if (count > 0) found.set(way, (found.get(way) ?? 0) + count);
	};
	for (const { flaw, test } of assertions)
		if (flaw !== null && (test === null || isKnown(test))) add(flaw, 1);
	add("empty", tests.filter(({ isEmpty, name }) => isEmpty && isKnown(name)).length);
	add("shadowed", shadowed.length);
	return found;
}

/** An assertion that says less about the same thing than before. */
export interface Vaguer {
	readonly test: string;
	readonly line: number;
	readonly by: "matcher" | "tolerance";
}

/**
 * Assertions of a test that say less than those of the test of the same name did about the same subject.
 *
 * @example `toBe(5)` that became `toBeDefined()`, or a delta that grew
 */
export function vaguerThan(base: readonly TestShape[], head: TestShape): Vaguer[] {
	const before = Map.groupBy(base.flatMap(({ assertions }) => assertions).filter(isNamed), keyOf);
	const after = Map.groupBy(head.assertions.filter(isNamed), keyOf);
	return [...after].flatMap(([key, now]): Vaguer[] => {
		const was = before.get(key) ?? [];
		const [first] = now;
		if (was.length === 0 || first?.test == null) return [];
		const { test, line } = first;
		if (strongest(now) < strongest(was)) return [{ test, line, by: "matcher" }];
		return widest(now) > widest(was) ? [{ test, line, by: "tolerance" }] : [];
	});
}

const isNamed = ({ test, subject, strength }: Assertion): boolean =>
	test !== null && subject !== "" && strength !== null;

const keyOf = ({ test, subject }: Assertion): string => `${test}\n${subject}`;

const strongest = (all: readonly Assertion[]): number =>
	Math.max(...all.map(({ strength, flaw }) => (flaw === null ? (strength ?? 0) : 0)));

/** The tightest tolerance decides: 0 where values have to be the same. */
const widest = (all: readonly Assertion[]): number =>
	Math.min(...all.map(({ tolerance }) => tolerance ?? 0));

/** Names of numbers that now allow more difference than before. */
export function widerTolerances(base: TestShape, head: TestShape): string[] {
	return [...head.tolerances].flatMap(([name, value]) =>
		value > (base.tolerances.get(name) ?? value) ? [name] : [],
	);
}

/** Tests that cannot fail: empty ones, and those of which no assertion can. */
export function harmlessTests(shape: TestShape): readonly DeclaredTest[] {
	const bySubject = Map.groupBy(shape.assertions, ({ test }) => test);
	return shape.tests.filter(({ name, isEmpty }) => {
		const own = bySubject.get(name) ?? [];
		return isEmpty || (own.length > 0 && own.every(({ flaw }) => flaw !== null));
	});
}
