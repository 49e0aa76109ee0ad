import type { TestCase } from "../evidence.ts";
import { isTestFile } from "../integrity/test-files.ts";

const CODE = /\.[cm]?[jt]sx?$/;

/** Lines of the spec reporter and of TAP for what passed at the top level. */
const PASSED = /^(?:✔ (.+) \(\d+(?:\.\d+)?ms\)|ok \d+ - (.+))$/gm;

/**
 * Whether a case of `node --test` is named like a file: the runner reports a file in which no test
 * was declared as one test that passed, named by the file's path.
 *
 * `"test/a.test.js"` is, `"loads a.js"` is not.
 */
export function isNamedAsFile(name: string): boolean {
	return CODE.test(name) && (!/\s/.test(name) || isTestFile(name));
}

/** Cases of `node --test` without the files that passed although they have no test. */
export function withoutEmptyFiles(cases: readonly TestCase[]): TestCase[] {
	return cases.filter(({ id, status }) => status !== "passed" || !isNamedAsFile(id));
}

/** How many files without a test the output of `node --test` lists as passed. */
export function countEmptyFiles(text: string): number {
	const names = [...text.matchAll(PASSED)].map(([, spec, tap]) => spec ?? tap ?? "");
	return names.filter(isNamedAsFile).length;
}
