import {
	type Assertion,
	CHECKING,
	type DeclaredTest,
	type Said,
	type Setting,
	type TestShape,
} from "./test-shape.ts";

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
