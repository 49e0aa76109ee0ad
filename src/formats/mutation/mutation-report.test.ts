import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { amount, thorough } from "../../../test/support/amount.ts";
import { parseReport } from "../parse-report.ts";
import { countMutants } from "./mutation-report.ts";

const mutant = (status: string, from: number, to: number = from) => ({
	id: `${status}-${from}`,
	mutatorName: "BooleanLiteral",
	replacement: "true",
	location: { start: { line: from, column: 1 }, end: { line: to, column: 9 } },
	status,
});
const report = (
	mutants: readonly unknown[],
	over: Readonly<Record<string, unknown>> = {},
	name = "src/limiter.js",
): string =>
	JSON.stringify({
		schemaVersion: "2.0",
		thresholds: { high: 80, low: 60 },
		files: { [name]: { language: "javascript", source: "...", mutants } },
		...over,
	});
/** The counts, in short `detected/undetected/pending/outside`; why a report is invalid. */
const counted = (text: string, lines: readonly number[] = [2, 3, 4]): string => {
	const read = parseReport("mutation", text);
	if (read.kind === "invalid") return `invalid: ${read.reason}`;
	const changes = new Map([["src/limiter.js", { lines }]]);
	const { detected, undetected, pending, outside } = countMutants(
		read,
		["/real/checkout", "/checkout"],
		changes,
	);
	return [detected, undetected, pending, outside].join("/");
};

test("killed and timed-out mutants are detected, surviving and uncovered ones not; only on changed lines", () => {
	const text = report([
		mutant("Killed", 2),
		mutant("Timeout", 3),
		mutant("Killed", 4),
		mutant("Survived", 2),
		mutant("NoCoverage", 9),
		mutant("Killed", 1),
	]);
	expect(counted(text)).toBe("3/1/0/0");
});

test("a mutant that no test runs is undetected; one that could not be tried does not count", () => {
	const text = report([
		mutant("NoCoverage", 2),
		mutant("Killed", 2),
		mutant("CompileError", 2),
		mutant("RuntimeError", 2),
		mutant("Ignored", 2),
	]);
	expect(counted(text)).toBe("1/1/0/0");
});

test("a mutant that reaches beyond the changed lines does not count", () => {
	const text = report([mutant("Killed", 1, 3), mutant("Killed", 2, 5), mutant("Survived", 2, 4)]);
	expect(counted(text)).toBe("0/1/0/0");
	expect(counted(text, [2, 4])).toBe("0/0/0/0");
});

test("a pending mutant on a changed line is counted separately", () => {
	expect(counted(report([mutant("Killed", 2), mutant("Pending", 3)]))).toBe("1/0/1/0");
	expect(counted(report([mutant("Killed", 2), mutant("Pending", 9)]))).toBe("1/0/0/0");
});

describe("paths", () => {
	test.each([
		["./src/limiter.js", {}],
		["src\\limiter.js", {}],
		["/checkout/src/limiter.js", {}],
		["/real/checkout/src/limiter.js", {}],
		["limiter.js", { projectRoot: "/checkout/src" }],
		["src/limiter.js", { projectRoot: "/real/checkout" }],
		["/checkout/src/limiter.js", { projectRoot: "/elsewhere" }],
	])("%s is a file of the checkout", (name, over) => {
		expect(counted(report([mutant("Killed", 2)], over, name))).toBe("1/0/0/0");
	});

	test.each([
		["../src/limiter.js", {}],
		["..", {}],
		["src/../src/limiter.js", {}],
		["/elsewhere/src/limiter.js", {}],
		["/checkout-2/src/limiter.js", {}],
		["../../src/limiter.js", { projectRoot: "/checkout" }],
		["src/limiter.js", { projectRoot: "/elsewhere" }],
	])("%s lies outside of it, is ignored and counted", (name, over) => {
		expect(counted(report([mutant("Killed", 2)], over, name))).toBe("0/0/0/1");
	});

	test("a file outside does not take the place of one inside", () => {
		const mutants = [mutant("Killed", 2)];
		const files = { "src/limiter.js": { mutants }, "/etc/passwd": { mutants } };
		expect(counted(report([], { files }))).toBe("1/0/0/1");
	});
});

test.each([
	["no JSON", "<xml/>", "not a JSON object"],
	["a cut report", report([mutant("Killed", 2)]).slice(0, -9), "not a JSON object"],
	["a list", "[]", "not a JSON object"],
	["no version", report([], { schemaVersion: 2 }), "schemaVersion is neither 1 nor 2"],
	["a later version", report([], { schemaVersion: "3.0" }), "schemaVersion is neither 1 nor 2"],
	["no files", report([], { files: [] }), "files is not an object"],
	["no mutants", report([], { files: { a: {} } }), 'files["a"].mutants is not a list'],
	["a file that is a text", report([], { files: { a: "x" } }), 'files["a"].mutants is not a list'],
	["a mutant that is a text", report(["x"]), ".mutants[0] is not an object"],
	["an unknown status", report([mutant("killed", 2)]), ".mutants[0].status is not in the schema"],
	["an inherited status", report([mutant("constructor", 2)]), "status is not in the schema"],
	["no location", report([{ status: "Killed" }]), ".mutants[0].location has no lines"],
	["no end", report([{ status: "Killed", location: { start: { line: 2 } } }]), "has no lines"],
	["line 0", report([mutant("Killed", 0)]), "has no lines"],
	["half a line", report([mutant("Killed", 1.5)]), "has no lines"],
	["an end before the start", report([mutant("Killed", 3, 2)]), "has no lines"],
])("invalid, with the reason: %s", (_name, text, reason) => {
	expect(counted(text)).toContain(reason);
	expect(counted(text)).toMatch(/^invalid: /);
});

thorough("a report over 64 MiB is refused, and one of very many mutants is read", () => {
	const count = amount(900_000, 20_000);
	expect(counted(" ".repeat(64 * 1024 * 1024 + 1))).toContain("longer than 64 MiB");
	const one = '{"status":"Killed","location":{"start":{"line":2},"end":{"line":2}}}';
	const list = `[${`${one},`.repeat(count - 1)}${one}]`;
	const started = performance.now();
	const text = `{"schemaVersion":"1","files":{"src/limiter.js":{"mutants":${list}}}}`;
	expect(counted(text)).toBe(`${count}/0/0/0`);
	expect(performance.now() - started).toBeLessThan(20_000);
});

test("hostile names and nesting do not throw", () => {
	const files = '{"__proto__":{"mutants":[]},"constructor":{"mutants":[]}}';
	expect(counted(`{"schemaVersion":"1","files":${files}}`)).toBe("0/0/0/0");
	expect(counted(`{"schemaVersion":"1","files":${"[".repeat(1e5)}`)).toMatch(/^invalid/);
	fc.assert(
		fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
			expect(counted(text)).toMatch(/^invalid/);
		}),
	);
});

test("a killed mutant adds to the detected ones only, a survivor to the undetected ones only", () => {
	const status = fc.constantFrom(
		"Killed",
		"Survived",
		"NoCoverage",
		"Timeout",
		"CompileError",
		"Ignored",
	);
	const some = fc.array(
		fc.tuple(status, fc.integer({ min: 1, max: 6 })).map(([what, line]) => mutant(what, line)),
		{ maxLength: 8 },
	);
	fc.assert(
		fc.property(some, (mutants) => {
			const [noticed, missed] = counted(report(mutants)).split("/").map(Number);
			const more = (one: unknown) => counted(report([...mutants, one]));
			expect(more(mutant("Killed", 2))).toBe(`${Number(noticed) + 1}/${missed}/0/0`);
			expect(more(mutant("Survived", 2))).toBe(`${noticed}/${Number(missed) + 1}/0/0`);
		}),
	);
});

test("survivors are named with the code that was replaced, over several lines too; at most 50", () => {
	const source = "one\nif (a &&\n\tb) two();\nthree\n";
	const place = (start: object, end: object) => ({
		...mutant("Survived", 2),
		location: { start, end },
	});
	const survivors = (...mutants: readonly unknown[]) => {
		const files = { "src/limiter.js": { language: "javascript", source, mutants } };
		const read = parseReport("mutation", report([], { files }));
		if (read.kind === "invalid") throw new Error(read.reason);
		const changes = new Map([["src/limiter.js", { lines: [2, 3, 9] }]]);
		return countMutants(read, [], changes).survivors?.map(({ line, old }) => `${line}: ${old}`);
	};
	expect(survivors(place({ line: 2, column: 5 }, { line: 3, column: 3 }))).toEqual([
		"2: a &&\n\tb",
	]);
	expect(survivors(place({ line: 3, column: 5 }, { line: 3, column: 8 }))).toEqual(["3: two"]);
	expect(survivors(place({ line: 9, column: 5 }, { line: 9, column: 8 }))).toEqual(["9: "]);
	expect(survivors(place({ line: 2 }, { line: 2 }))).toEqual(["2: "]);
	expect(survivors(...Array.from({ length: 60 }, () => mutant("NoCoverage", 2)))).toHaveLength(50);
});
