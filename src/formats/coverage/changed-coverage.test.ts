import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseReport } from "../parse-report.ts";
import type { ChangedFile } from "../reports/changed-lines.ts";
import { changedCoverage } from "./changed-coverage.ts";
import type { CoverageLines, FileNaming } from "./coverage-report.ts";
import { type CoveragePlace, placeCoverage } from "./place-coverage.ts";

type Lines = Readonly<Record<number, boolean>>;

function report(
	files: Readonly<Record<string, Lines>>,
	{ naming = "path", sources = [] }: { naming?: FileNaming; sources?: string[] } = {},
): CoverageLines {
	const entries = Object.entries(files).map(
		([path, lines]) =>
			[path, new Map(Object.entries(lines).map(([line, hit]) => [Number(line), hit]))] as const,
	);
	return { kind: "coverage", naming, sources, files: new Map(entries) };
}

function place(files: readonly string[], more: Partial<CoveragePlace> = {}): CoveragePlace {
	return { roots: ["/checkout"], files: new Set(files), reportPath: "", goModules: [], ...more };
}

function changes(
	files: Readonly<Record<string, readonly number[]>>,
): ReadonlyMap<string, ChangedFile> {
	return new Map(
		Object.entries(files).map(([path, lines]) => [path, { path, lines, written: lines.length }]),
	);
}

describe("a report's files are mapped into the commit", () => {
	const placed = (coverage: CoverageLines, where: CoveragePlace) => [
		...placeCoverage(coverage, where).files.keys(),
	];

	test("by relative and absolute names; files that are outside, untracked or contain .. are left out", () => {
		const coverage = report({
			"src/a.js": {},
			"/checkout/src/b.js": {},
			"dist/a.js": {},
			"/usr/lib/c.js": {},
			"../secret.js": {},
			"/checkout/../x.js": {},
		});
		expect(placed(coverage, place(["src/a.js", "src/b.js"]))).toEqual(["src/a.js", "src/b.js"]);
	});

	test("two names of one file are merged", () => {
		const coverage = report({
			"src/a.js": { 1: true, 2: false },
			"/checkout/src/a.js": { 1: false, 2: true, 3: false },
		});
		const { files } = placeCoverage(coverage, place(["src/a.js"]));
		expect(files.get("src/a.js")).toEqual(
			new Map([
				[1, true],
				[2, true],
				[3, false],
			]),
		);
	});

	test("from the folders above the report, the nearest first", () => {
		const where = place(["packages/a/src/x.js", "src/x.js", "src/y.js"], {
			reportPath: "packages/a/coverage/lcov.info",
		});
		expect(placed(report({ "src/x.js": {}, "src/y.js": {} }), where)).toEqual([
			"packages/a/src/x.js",
			"src/y.js",
		]);
	});

	test("from the sources of Cobertura", () => {
		const coverage = report({ "limiter.py": {} }, { sources: ["/elsewhere", "/checkout/pkg"] });
		expect(placed(coverage, place(["pkg/limiter.py"]))).toEqual(["pkg/limiter.py"]);
		expect(placed(report({ "a.py": {} }, { sources: ["."] }), place(["a.py"]))).toEqual(["a.py"]);
	});

	test("from any source folder for packages, unless the name is ambiguous", () => {
		const names = {
			"org/x/A.java": {},
			"org/x/B.java": {},
			"org/x/C.java": {},
			"E.java": {},
			"../D.java": {},
		};
		const where = place([
			"core/src/main/java/org/x/A.java",
			"core/src/main/java/org/x/B.java",
			"web/src/main/java/org/x/B.java",
			"web/src/main/java/corg/x/C.java",
		]);
		expect(placed(report(names, { naming: "package" }), where)).toEqual([
			"core/src/main/java/org/x/A.java",
		]);
	});

	test("below the folder of the nearest Go module", () => {
		const names = {
			"example.com/app/a.go": {},
			"example.com/app/tool/b.go": {},
			"example.com/dep/c.go": {},
			"/checkout/main.go": {},
			"/usr/go/d.go": {},
			"example.com/app/gone.go": {},
		};
		const goModules = [
			{ name: "example.com/app", folder: "" },
			{ name: "example.com/app/tool", folder: "cmd/tool" },
		];
		const where = place(["a.go", "cmd/tool/b.go", "main.go", "c.go"], { goModules });
		expect(placed(report(names, { naming: "module" }), where)).toEqual([
			"a.go",
			"cmd/tool/b.go",
			"main.go",
		]);
	});
});

describe("the share of changed executable lines that were executed", () => {
	const coverage = (files: Readonly<Record<string, Lines>>, naming: FileNaming = "path") =>
		placeCoverage(report(files, { naming }), place(Object.keys(files)));

	test("three of four give 0.75, beside the total of the report", () => {
		const lines = { 1: true, 2: true, 3: true, 4: false, 5: false, 6: false };
		const measured = changedCoverage(
			coverage({ "src/a.js": lines }),
			changes({ "src/a.js": [1, 2, 3, 4, 40], "README.md": [1, 2] }),
		);
		expect(measured).toEqual({
			kind: "measured",
			covered: 3,
			executable: 4,
			total: 0.5,
			uncovered: [{ path: "src/a.js", lines: [4] }],
			unreported: [],
		});
	});

	test("test files count neither as changed nor in the total", () => {
		const measured = changedCoverage(
			coverage({ "src/a.js": { 1: false }, "test/a.test.js": { 1: true, 2: true } }),
			changes({ "src/a.js": [1], "test/a.test.js": [1, 2] }),
		);
		expect(measured).toMatchObject({ covered: 0, executable: 1, total: 0 });
	});

	test("no changed executable line is absent with the reason, never 1.0", () => {
		const only = coverage({ "src/a.js": { 1: true } });
		expect(changedCoverage(only, changes({ "README.md": [1] }))).toEqual({
			kind: "absent",
			reason: "the report lists no changed line as executable",
			total: 1,
			unreported: [],
			uncovered: [],
		});
		expect(changedCoverage(only, changes({}))).toMatchObject({ kind: "absent" });
	});

	test("a report that lists only other files is absent", () => {
		const other = placeCoverage(report({ "/opt/lib.js": { 1: true } }), place(["src/a.js"]));
		expect(changedCoverage(other, changes({ "src/a.js": [1] }))).toEqual({
			kind: "absent",
			reason: "the report lists no files of the commit",
			total: null,
			unreported: [],
			uncovered: [],
		});
	});

	test("a changed file of the same kind that the report does not list counts as uncovered", () => {
		const measured = changedCoverage(
			coverage({ "src/a.js": { 1: true } }),
			changes({
				"src/a.js": [1],
				"src/never-loaded.js": [1, 2, 3],
				"notes.txt": [1],
				"vitest.config.js": [1],
				"test/b.test.js": [1],
				"src/.hidden.js": [1],
				Makefile: [1],
			}),
		);
		expect(measured).toMatchObject({
			covered: 1,
			executable: 4,
			unreported: ["src/never-loaded.js"],
		});
	});

	test("the reason for an absence names the files that the report does not list", () => {
		const files = Object.fromEntries([1, 2, 3, 4, 5, 6, 7].map((n) => [`src/n${n}.js`, [1]]));
		const absent = changedCoverage(coverage({ "src/a.js": { 1: true } }), changes(files));
		expect(absent).toHaveProperty("reason", expect.stringMatching(/src\/n5\.js and 2 more$/));
		const one = changedCoverage(coverage({ "src/a.js": {} }), changes({ "src/b.js": [1] }));
		expect(one).toHaveProperty("reason", expect.stringMatching(/list src\/b\.js$/));
	});

	test("a Go file without statements in a measured folder does not count", () => {
		const goModules = [{ name: "m", folder: "" }];
		const where = place(["a.go", "types.go", "other/b.go"], { goModules });
		const go = placeCoverage(report({ "m/a.go": { 1: true } }, { naming: "module" }), where);
		const changed = changes({ "a.go": [1], "types.go": [1, 2], "other/b.go": [1] });
		expect(changedCoverage(go, changed)).toMatchObject({
			covered: 1,
			executable: 2,
			unreported: ["other/b.go"],
		});
	});

	test("is between 0 and 1, and covering one more line never lowers it", () => {
		const lines = fc.dictionary(fc.constantFrom("1", "2", "3", "4"), fc.boolean());
		const changed = fc.uniqueArray(fc.integer({ min: 1, max: 5 }));
		fc.assert(
			fc.property(lines, changed, fc.integer({ min: 1, max: 4 }), (hits, numbers, more) => {
				const share = (record: Lines) => {
					const got = changedCoverage(coverage({ "a.js": record }), changes({ "a.js": numbers }));
					return got.kind === "measured" ? got.covered / got.executable : null;
				};
				const before = share(hits);
				if (before === null) return;
				expect(before).toBeGreaterThanOrEqual(0);
				expect(before).toBeLessThanOrEqual(1);
				const better = Object.hasOwn(hits, more) ? { ...hits, [more]: true } : hits;
				expect(share(better)).toBeGreaterThanOrEqual(before);
			}),
		);
	});
});

test("the formats of one run agree on the changed lines", () => {
	const files = ["src/limiter.js", "src/odd name é.js"];
	const changed = changes({ "src/limiter.js": [22, 23, 24, 28], "src/odd name é.js": [3] });
	const shares = (
		[
			["c8.lcov.info", "lcov"],
			["c8.cobertura.xml", "cobertura"],
			["c8.istanbul.json.txt", "istanbul"],
			["node-test.lcov.info", "lcov"],
		] satisfies [string, "lcov" | "cobertura" | "istanbul"][]
	).map(([file, format]) => {
		const url = new URL(`../../../test/fixtures/reports/${file}`, import.meta.url);
		const read = parseReport(format, readFileSync(url, "utf8"));
		if (read.kind === "invalid") return read.reason;
		return changedCoverage(placeCoverage(read, place(files)), changed);
	});
	for (const share of shares) {
		expect(share).toMatchObject({ covered: 1, executable: 5 });
	}
});
