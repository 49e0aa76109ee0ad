import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { amount } from "../../../test/support/amount.ts";
import { parseReport } from "../parse-report.ts";
import { cleanScore, newResults } from "./new-results.ts";
import { pathsOfResults, placeResults } from "./place-results.ts";
import type { ReportedResult } from "./reported-result.ts";

const ROOTS = ["/checkout"];

function result(more: Partial<ReportedResult> = {}): ReportedResult {
	return {
		rule: "no-var",
		level: "warning",
		location: "src/a.js",
		line: 1,
		snippet: null,
		identity: null,
		message: "Unexpected var.",
		suppressed: false,
		...more,
	};
}

/** Results placed in files of these contents. */
const placed = (results: readonly ReportedResult[], files: Readonly<Record<string, string>> = {}) =>
	placeResults(results, ROOTS, (path) => files[path]).results;

const one = (more: Partial<ReportedResult>, files?: Readonly<Record<string, string>>) =>
	placed([result(more)], files)[0]?.fingerprint;

describe("a fingerprint", () => {
	test("follows a line that moves or is indented, and nothing else", () => {
		const before = one({ line: 1 }, { "src/a.js": "var a = 1;\n" });
		expect(one({ line: 3 }, { "src/a.js": "\n\n\tvar  a = 1;\r\n" })).toBe(before);
		expect(one({ line: 1 }, { "src/a.js": "var b = 1;\n" })).not.toBe(before);
		expect(one({ rule: "other" }, { "src/a.js": "var a = 1;\n" })).not.toBe(before);
		expect(one({ location: "b.js" }, { "b.js": "var a = 1;\n" })).not.toBe(before);
	});

	test("uses the tool's own fingerprint if there is one", () => {
		const before = one({ identity: "x" }, { "src/a.js": "var a;" });
		expect(one({ identity: "x", line: 9 }, { "src/a.js": "var b;" })).toBe(before);
		expect(one({ identity: "y" }, { "src/a.js": "var a;" })).not.toBe(before);
	});

	test("uses the snippet or the message if the line is unknown", () => {
		const files = { "src/a.js": "var a = 1;\n" };
		expect(one({ snippet: " var a = 1; " })).toBe(one({}, files));
		expect(one({ line: 99 }, files)).toBe(one({ message: "Unexpected  var." }));
		expect(one({ line: null }, files)).toBe(one({ line: null }));
		expect(one({ location: null })).not.toBe(one({}));
	});
});

describe("places", () => {
	const where = (location: string | null) => {
		const { results, ignored } = placeResults([result({ location })], ROOTS, () => undefined);
		return results[0] === undefined ? ignored : results[0].path;
	};

	test.each([
		["src/a.js", "src/a.js"],
		["/checkout/src/odd name é.js", "src/odd name é.js"],
		["file:///checkout/src/odd%20name%20%C3%A9.js", "src/odd name é.js"],
		["file://localhost/checkout/a.js", "a.js"],
		["file:/checkout/a.js", "a.js"],
		["100%.js", "100%.js"],
	])("%s is %s", (location, path) => {
		expect(where(location)).toBe(path);
	});

	test("outside of the checkout and with .. are ignored and counted", () => {
		expect(where("/etc/passwd")).toBe(1);
		expect(where("https://example.org/a.js")).toBe(1);
		expect(where("../a.js")).toBe(1);
		expect(where("file:///checkout/%2e%2e/a.js")).toBe(1);
	});

	test("a result without a file is kept", () => {
		expect(where(null)).toBeNull();
	});

	test("only files whose lines are needed are read", () => {
		const results = [
			result(),
			result({ line: 2 }),
			result({ location: "/etc/passwd" }),
			result({ location: "b.js", line: null }),
			result({ location: "c.js", identity: "x" }),
			result({ location: null }),
			result({ location: "d.js" }),
		];
		expect(pathsOfResults(results, ROOTS)).toEqual(["src/a.js", "d.js"]);
	});
});

describe("new results", () => {
	test("are those whose fingerprints are not in the baseline, weighted by level", () => {
		const files = { "src/a.js": "var a;\nvar b;\nvar c;\nvar d;\n" };
		const baseline = placed([result({ line: 1 }), result({ line: 4 })], files);
		const now = placed(
			[
				result({ line: 1 }),
				result({ line: 2, level: "error" }),
				result({ line: 3 }),
				result({ location: null, level: "note" }),
				result({ line: 3, level: "none" }),
			],
			files,
		);
		expect(newResults(now, baseline)).toMatchObject({
			fresh: [{ line: 2 }, { line: 3 }, { level: "note" }],
			known: [{ line: 1 }],
			weight: 1.6,
		});
	});

	test("a second copy of a known bad line is new", () => {
		const files = { "src/a.js": "var a;\nvar a;\n" };
		const now = placed([result({ line: 1 }), result({ line: 2 })], files);
		expect(newResults(now, now.slice(0, 1))).toMatchObject({
			fresh: [{ line: 2 }],
			known: [{ line: 1 }],
		});
		expect(newResults(now, now).fresh).toEqual([]);
	});

	test("one that the change suppressed is shown separately", () => {
		const now = placed([result({ suppressed: true })]);
		expect(newResults(now, [])).toMatchObject({ fresh: [], silenced: [{ line: 1 }], weight: 0 });
		expect(newResults(now, now)).toMatchObject({ silenced: [], known: [{ line: 1 }] });
	});

	test("none when a run is compared with itself, all when compared with nothing", () => {
		const url = new URL("../../../test/fixtures/reports/eslint.sarif", import.meta.url);
		const report = parseReport("sarif", readFileSync(url, "utf8"));
		const now = report.kind === "results" ? placed(report.results) : [];
		expect(newResults(now, now)).toMatchObject({ fresh: [], silenced: [], known: now, weight: 0 });
		expect(newResults(now, [])).toMatchObject({ silenced: [{ line: 7 }], weight: 3 });
	});

	test("a million results are compared in seconds", { timeout: 60_000 }, () => {
		const many = Array.from({ length: amount(1_000_000, 20_000) }, (_, index) =>
			result({ identity: `${index}` }),
		);
		const now = placed(many);
		expect(newResults(now, now.slice(1)).fresh).toHaveLength(1);
	});

	test("new, silenced and known results add up, and no more are known than the baseline has", () => {
		const results = fc
			.array(fc.integer({ min: 0, max: 4 }))
			.map((ids) => placed(ids.map((id) => result({ identity: `${id}` }))));
		fc.assert(
			fc.property(results, results, (now, baseline) => {
				const { fresh, silenced, known } = newResults(now, baseline);
				expect(fresh.length + silenced.length + known.length).toBe(now.length);
				expect(known.length).toBeLessThanOrEqual(baseline.length);
			}),
		);
	});
});

test.each([
	[0, 1],
	[1, 0.5],
	[3, 0.25],
])("new results that weigh %d score %d", (weight, score) => {
	expect(cleanScore({ weight })).toBe(score);
});
