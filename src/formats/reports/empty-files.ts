import type { TestCase } from "../../evidence/evidence.ts";
import { isTestFile } from "../../evidence/test-files.ts";

const CODE = /\.[cm]?[jt]sx?$/;

const PASSED = /^(?:✔ (.+) \(\d+(?:\.\d+)?ms\)|ok \d+ - (.+))$/gm;

/**
 * True for a case of `node --test` that is named like a file: the runner reports a file without tests as one passing
 * test with its path as its name. `"test/a.test.js"` is, `"loads a.js"` is not.
 */
export function isNamedAsFile(name: string): boolean {
	return CODE.test(name) && (!/\s/.test(name) || isTestFile(name));
}

/** Tells whether a case is the failure of a whole file, suite or package, as runners report one that does not load. */
export function isWholeFile({ id, status, message }: TestCase): boolean {
	if (status !== "failed") return false;
	const name = id.split(" > ").at(-1) ?? id;
	return (
		/^\((?:file|suite|package)\)$/.test(name) ||
		isNamedAsFile(name) ||
		isTestFile(name) ||
		message?.startsWith("collection failure") === true
	);
}

export function withoutEmptyFiles(cases: readonly TestCase[]): TestCase[] {
	return cases.filter(({ id, status }) => status !== "passed" || !isNamedAsFile(id));
}

export function countEmptyFiles(text: string): number {
	const names = [...text.matchAll(PASSED)].map(([, spec, tap]) => spec ?? tap ?? "");
	return names.filter(isNamedAsFile).length;
}
