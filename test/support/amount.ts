import { describe, inject, test } from "vitest";

declare module "vitest" {
	interface ProvidedContext {
		/** How much a test tries: a `sample` in `npm test`, the `whole` in `npm run test:kill`. */
		readonly amount: "sample" | "whole";
		/** One scenario in so many of those that are for the whole is tried with the sample too; 0 for none. */
		readonly share: number;
	}
}

/** Runs of a property whose test names no number, by lane. */
export const RUNS: Readonly<Record<"sample" | "whole", number>> = { sample: 50, whole: 200 };

/**
 * How many cases a test tries, or how large its input is: `whole` where there is time for it, else `sample`.
 *
 * @param sample default: 50 cases, or the whole where that is less
 * @example `fc.assert(property, { numRuns: amount(3_000) })` tries 50 cases in `npm test`
 */
export function amount(whole: number, sample: number = Math.min(whole, 50)): number {
	return inject("amount") === "whole" ? whole : sample;
}

/**
 * A scenario of a kind for which another one stands in `npm test`: it is run where there is time for it. CI tries a share
 * of them, which their names choose.
 *
 * Elsewhere it is not registered at all: what is skipped counts as a failure in CI.
 */
export function thorough(
	name: string,
	scenario: () => void | Promise<void>,
	timeoutMs?: number,
): void {
	if (inject("amount") === "whole" || isShared(name)) test(name, scenario, timeoutMs);
}

function isShared(name: string): boolean {
	const share = inject("share");
	return share > 0 && Buffer.from(name).reduce((sum, byte) => sum + byte, 0) % share === 0;
}

/** A group of scenarios that are all {@link thorough}: the test runner refuses a group without any. */
export function thoroughly(name: string, group: () => void): void {
	if (inject("amount") === "whole") describe(name, group);
}

/**
 * Cases by name: all of them where there is time for it, else those that stand for their kinds.
 *
 * @example `sampled({ one: 1, two: 2 }, ["one"])` is `{ one: 1 }` in `npm test`
 */
export function sampled<T>(
	all: Readonly<Record<string, T>>,
	sample: readonly string[],
): Readonly<Record<string, T>> {
	const unknown = sample.filter((name) => !(name in all));
	if (unknown.length > 0) throw new Error(`no case is called ${unknown.join(", ")}`);
	if (inject("amount") === "whole") return all;
	return Object.fromEntries(Object.entries(all).filter(([name]) => sample.includes(name)));
}

/**
 * Cases of a list: all of them where there is time for it, else so many, spread over the list; the first is one.
 *
 * @example `spread(["a", "b", "c", "d"], 2)` is `["a", "c"]` in `npm test`
 */
export function spread<T>(all: readonly T[], sample: number): readonly T[] {
	if (inject("amount") === "whole" || all.length <= sample) return all;
	return Array.from(
		{ length: sample },
		(_, at) => all[Math.floor((at * all.length) / sample)] as T,
	);
}
