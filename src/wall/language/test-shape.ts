export type Flaw =
	/** Something before it returns or throws in any case. */
	| "unreached"
	/** It stands under a condition that is never true, or in a function that nobody calls. */
	| "never"
	/** Its failure is caught, and nothing is done about it. */
	| "swallowed"
	/** The test ends before it is made. */
	| "unawaited"
	/** It is about values that are written down, or about what is always so. */
	| "constant";

export interface Assertion {
	/** Name of the test that it stands in; null outside of tests, as in a helper. */
	readonly test: string | null;
	/** The function with a name that is no test. */
	readonly helper: string | null;
	/** The project's own function that it calls, which compares what nobody sees here; null for one of a library. */
	readonly through: string | null;
	readonly line: number;
	/** Number of comparisons: elements of a list, rows of a table. At least 1. */
	readonly weight: number;
	readonly flaw: Flaw | null;
}

export type Said = Omit<Assertion, "test" | "helper" | "line">;

export const throughHelper = (through: string): Said => {
	return { weight: 1, flaw: null, through };
};

export interface Setting {
	readonly test: string | null;
	/** The function with a name that is no test. */
	readonly helper: string | null;
	/** Number of runs: rows of the tables around it. */
	readonly times: number;
	readonly flaw: Flaw | null;
}

export interface DeclaredTest {
	readonly name: string;
	readonly line: number;
	readonly isEmpty: boolean;
}

export interface TestShape {
	readonly tests: readonly DeclaredTest[];
	readonly assertions: readonly Assertion[];
	readonly helpers: ReadonlyMap<string, number>;
	/** Calls of functions by name, with how often each is made; elements of a table that it is given count each. */
	readonly calls: readonly { readonly name: string; readonly times: number }[];
	/** Lines that replace an assertion of a library by something else. */
	readonly shadowed: readonly number[];
}

export const ASSERTING = /^(?:assert|expect|refute|verify|should)(?:[A-Z_0-9]\w*)?$/;

export const CHECKING = /assert|expect|check|same|equal|ensure|verify|refuse|must|should|fail/i;

/** Names of functions that a runner calls around tests. */
export const HOOK = /^(?:before|after)(?:Each|All)?$|^(?:setup|teardown|setUp|tearDown)/;

/** A text without the spaces that a formatter may change. */
export function unspaced(text: string): string {
	return text.replaceAll(/\s+/g, "").replaceAll(/,(?=[)\]}])/g, "");
}

export class ShapeBuilder {
	readonly #tests: DeclaredTest[] = [];
	readonly #assertions: Assertion[] = [];
	readonly #helpers = new Map<string, number>();
	readonly #calls: TestShape["calls"][number][] = [];

	test(declared: DeclaredTest): void {
		this.#tests.push(declared);
	}

	assertion(said: Said, { test, helper, times, flaw }: Setting, line: number): void {
		const weight = said.weight * times;
		const one = { ...said, test, helper, line, weight, flaw: flaw ?? said.flaw };
		this.#assertions.push(one);
		if (helper === null || one.flaw !== null) return;
		this.#helpers.set(helper, (this.#helpers.get(helper) ?? 0) + one.weight);
	}

	thrown(setting: Setting, line: number): void {
		const { helper } = setting;
		if (helper !== null && CHECKING.test(helper)) this.assertion(THROWN, setting, line);
	}

	call(name: string, { flaw, times }: Setting, rows: number): void {
		if (flaw === null && name !== "") this.#calls.push({ name, times: times * rows });
	}

	built(shadowed: readonly number[]): TestShape {
		return {
			shadowed,
			tests: this.#tests,
			assertions: this.#assertions,
			helpers: this.#helpers,
			calls: this.#calls,
		};
	}
}

const THROWN: Said = { weight: 1, flaw: null, through: null };
