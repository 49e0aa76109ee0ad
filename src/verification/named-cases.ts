import type { TestCase } from "../evidence/evidence.ts";
import { plainText } from "../evidence/reports/parsed-report.ts";

/** Most cases that are read from a text. */
const MAX_CASES = 2_000;
/** Longest message of a case, in UTF-16 code units. */
const MAX_MESSAGE = 2_000;

/** How a runner names a case in the text that it prints for people; the first group is the name. */
const FAILED: readonly RegExp[] = [
	// node --test: the list below "failing tests", each with its message.
	/^test at \S+\n✖ (.+) \(\d+(?:\.\d+)?ms\)$/gm,
	// vitest
	/^ *FAIL {1,2}(\S+\.[cm]?[jt]sx? > .+)$/gm,
	// jest
	/^ {2}● (.+)$/gm,
	// pytest
	/^(?:FAILED|ERROR) (\S+\.py(?:::\S+)?)/gm,
	// go test
	/^ *--- FAIL: (\S+) \(\d+\.\d+s\)$/gm,
	// unittest
	/^(?:FAIL|ERROR): (\w+ \([\w.]+\))$/gm,
];

const PASSED: readonly RegExp[] = [
	/^ *✔ (.+) \(\d+(?:\.\d+)?ms\)$/gm,
	/^ *✓ (.+?)(?: \(?\d+ ?ms\)?)?$/gm,
	/^(\S+\.py::\S+) PASSED\b/gm,
	/^ *--- PASS: (\S+) \(\d+\.\d+s\)$/gm,
	/^(\w+ \([\w.]+\)) \.\.\. ok$/gm,
];

/** What follows a name up to a line that begins the next case: the message of a failure. */
function messageAfter(text: string, at: number): string {
	const rest = text.slice(at, at + 4 * MAX_MESSAGE).replace(/^[^\n]*\n?(?:[-=]{5,}\n)?/, "");
	const end =
		/^(?:test at |✖ | *FAIL {1,2}\S| {2}● |(?:FAILED|ERROR) \S|(?:FAIL|ERROR): |=+|_+ |-{20,}| *--- )/m.exec(
			rest,
		);
	return rest
		.slice(0, end?.index ?? rest.length)
		.trim()
		.slice(0, MAX_MESSAGE);
}

/** On the line of the name itself, as pytest prints it: `FAILED a.py::test_b - assert 1 == 2`. */
const messageBeside = (text: string, end: number): string =>
	/^ - (.+)$/m.exec(text.slice(end, end + MAX_MESSAGE).split("\n", 1)[0] ?? "")?.[1] ?? "";

function failedCases(text: string): TestCase[] {
	return FAILED.flatMap((pattern) =>
		Array.from(text.matchAll(pattern), (match): TestCase => {
			const id = match[1]?.trim() ?? "";
			const end = match.index + match[0].length;
			const message = messageBeside(text, end) || messageAfter(text, end);
			return message === "" ? { id, status: "failed" } : { id, status: "failed", message };
		}),
	);
}

/** vitest ticks whole files as well, and cases below a file that failed by their titles alone. */
const VITEST = /^ *Test Files {2}\d/m;

function passedCases(text: string): TestCase[] {
	const names = PASSED.flatMap((pattern) =>
		Array.from(text.matchAll(pattern), ([, name = ""]) => name.trim()),
	);
	const whole = VITEST.test(text) ? names.filter((name) => name.includes(" > ")) : names;
	return whole.map((id) => ({ id, status: "passed" }));
}

/**
 * The cases that a runner names in the text that it prints for people, failed ones first, each name once. Many runners
 * name only what failed. A program under test can print such lines as well: names decide nothing by themselves.
 *
 * @example `✖ adds (1.2ms)` below `failing tests:` gives one failed case, `adds`
 */
export function namedCases(output: string): TestCase[] {
	const text = plainText(output);
	const cases = new Map<string, TestCase>();
	for (const found of [...failedCases(text), ...passedCases(text)]) {
		if (cases.size >= MAX_CASES) break;
		if (!cases.has(found.id)) cases.set(found.id, found);
	}
	return [...cases.values()];
}
