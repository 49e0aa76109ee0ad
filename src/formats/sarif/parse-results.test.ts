import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseReport } from "../parse-report.ts";
import { MAX_REPORT_SIZE } from "../reports/parsed-report.ts";
import type { ResultsReport } from "./reported-result.ts";

const recorded = (name: string) =>
	readFileSync(new URL(`../../../test/fixtures/reports/${name}`, import.meta.url), "utf8");

/** `rule level place:line` of every result, or why the report is invalid. */
function brief(report: ResultsReport): string[] | string {
	if (report.kind === "invalid") return report.reason;
	return report.results.map(
		({ rule, level, location, line, suppressed }) =>
			`${rule} ${level} ${location}:${line}${suppressed ? " suppressed" : ""}`,
	);
}

const sarif = (result: object, run: object = {}) =>
	parseReport(
		"sarif",
		JSON.stringify({
			version: "2.1.0",
			runs: [{ tool: { driver: { name: "lint" } }, results: [result], ...run }],
		}),
	);

const place = (physicalLocation: object) => ({ locations: [{ physicalLocation }] });

describe("recorded output of real tools is read", () => {
	test.each<[string, string[]]>([
		[
			"eslint.sarif",
			[
				"no-var warning file:///checkout/lint/bad.js:2",
				"no-unused-vars warning file:///checkout/lint/bad.js:2",
				"eqeqeq error file:///checkout/lint/bad.js:3",
				"no-debugger error file:///checkout/lint/bad.js:4",
				"no-debugger error file:///checkout/lint/bad.js:7 suppressed",
			],
		],
		[
			"biome.sarif",
			[
				"lint/correctness/noUnusedVariables warning /checkout/lint/bad.js:2",
				"lint/suspicious/noDebugger error /checkout/lint/bad.js:4",
				"lint/suspicious/noDebugger error /checkout/lint/bad.js:7",
			],
		],
		["biome-clean.sarif", []],
		[
			"oxlint.sarif",
			["eslint(no-unused-vars) warning lint/bad.js:2", "eslint(no-debugger) warning lint/bad.js:4"],
		],
	])("%s", (file, results) => {
		expect(brief(parseReport("sarif", recorded(file)))).toEqual(results);
	});

	test("ruff.sarif", () => {
		const report = brief(parseReport("sarif", recorded("ruff.sarif")));
		expect(report).toContain("S307 error file:///checkout/pkg/bad.py:6");
		expect(report).toContain("F401 error file:///checkout/pkg/bad.py:1");
	});

	test("npm audit gives one result per advisory; a package that is only affected gives none", () => {
		const report = parseReport("npm-audit", recorded("npm-audit-found.json.txt"));
		expect(brief(report)).toEqual([
			"GHSA-xvch-5gv4-984h error null:null",
			"GHSA-vh95-rmgr-6w4m warning null:null",
		]);
		expect(report).toMatchObject({
			results: [
				{ message: "minimist <0.2.4: Prototype Pollution in minimist (critical)" },
				{ identity: "minimist" },
			],
		});
		expect(brief(parseReport("npm-audit", recorded("npm-audit-clean.json.txt")))).toEqual([]);
	});

	test("an audit that the registry refused is not a clean one", () => {
		expect(brief(parseReport("npm-audit", recorded("npm-audit-refused.json.txt")))).toMatch(
			/^npm audit failed: 405 Method Not Allowed/,
		);
	});
});

describe("a result of SARIF", () => {
	test("has its rule by id, by reference or by index", () => {
		const tool = { tool: { driver: { name: "lint", rules: [{ id: "r0" }, {}] } } };
		expect(brief(sarif({ ruleId: "a" }, tool))).toEqual(["a warning null:null"]);
		expect(brief(sarif({ rule: { id: "b" } }, tool))).toEqual(["b warning null:null"]);
		expect(brief(sarif({ ruleIndex: 0 }, tool))).toEqual(["r0 warning null:null"]);
		expect(brief(sarif({ rule: { index: 0 } }, tool))).toEqual(["r0 warning null:null"]);
		expect(brief(sarif({ ruleIndex: 1 }, tool))).toEqual(["lint warning null:null"]);
		expect(brief(sarif({ ruleIndex: 9 }, { tool: {} }))).toEqual(["a tool warning null:null"]);
	});

	test("has the level that is stated, that its kind implies, or the rule's default", () => {
		const rules = [{ id: "a", defaultConfiguration: { level: "error" } }, null, { id: "b" }];
		const tool = { tool: { driver: { rules } } };
		expect(brief(sarif({ ruleId: "a" }, tool))).toEqual(["a error null:null"]);
		expect(brief(sarif({ ruleId: "b" }, tool))).toEqual(["b warning null:null"]);
		expect(brief(sarif({ ruleId: "a", level: "note" }, tool))).toEqual(["a note null:null"]);
		expect(brief(sarif({ ruleId: "a", kind: "pass" }, tool))).toEqual(["a none null:null"]);
	});

	test("has its location by URI, by index, and relative to a base", () => {
		const run = {
			artifacts: [{ location: { uri: "b.js" } }],
			originalUriBaseIds: { SRC: { uri: "file:///checkout/src/" } },
		};
		const at = (artifactLocation: object) =>
			brief(sarif({ ruleId: "a", ...place({ artifactLocation, region: { startLine: 0 } }) }, run));
		expect(at({ uri: "a.js" })).toEqual(["a warning a.js:null"]);
		expect(at({ index: 0 })).toEqual(["a warning b.js:null"]);
		expect(at({ index: 5 })).toEqual(["a warning null:null"]);
		expect(at({ uri: "a.js", uriBaseId: "SRC" })).toEqual([
			"a warning file:///checkout/src/a.js:null",
		]);
		expect(at({ uri: "/a.js", uriBaseId: "SRC" })).toEqual(["a warning /a.js:null"]);
		expect(at({ uri: "a.js", uriBaseId: "constructor" })).toEqual(["a warning a.js:null"]);
	});

	test("keeps its snippet and what identifies it", () => {
		const region = { startLine: 3, snippet: { text: "x = 1" } };
		const partialFingerprints = { "b/v1": "2", "a/v1": "1", "c/v1": 3 };
		expect(sarif({ ...place({ region }), partialFingerprints })).toMatchObject({
			results: [{ line: 3, snippet: "x = 1", identity: '{"a/v1":"1","b/v1":"2"}' }],
		});
		expect(sarif({ partialFingerprints: {} })).toMatchObject({ results: [{ identity: null }] });
	});

	test("is left out when the tool calls it absent, and suppressed only when that is accepted", () => {
		const suppressed = (status: string) =>
			brief(sarif({ ruleId: "a", suppressions: [{ kind: "inSource", status }] }));
		expect(brief(sarif({ baselineState: "absent" }))).toEqual([]);
		expect(suppressed("accepted")).toEqual(["a warning null:null suppressed"]);
		expect(suppressed("underReview")).toEqual(["a warning null:null"]);
		expect(brief(sarif({ ruleId: "a", suppressions: [null] }))).toEqual(["a warning null:null"]);
	});
});

describe("a malformed, truncated or unfinished report is invalid, with a reason", () => {
	const audit = (more: object) =>
		JSON.stringify({
			auditReportVersion: 2,
			vulnerabilities: {},
			metadata: { vulnerabilities: { total: 0 } },
			...more,
		});
	const via = (cause: unknown) => audit({ vulnerabilities: { a: { via: [cause] } } });

	test.each<[string, "sarif" | "npm-audit", string, RegExp]>([
		["no JSON", "sarif", "clean", /not a JSON object/],
		["cut", "sarif", recorded("eslint.sarif").slice(0, 2_000), /not a JSON object/],
		["another version", "sarif", '{"version":"1.0.0","runs":[]}', /version is "1.0.0"/],
		["no version", "sarif", '{"runs":[]}', /version is ""/],
		["no run", "sarif", '{"version":"2.1.0","runs":[]}', /no run of a tool/],
		["runs of nothing", "sarif", '{"version":"2.1.0","runs":[null]}', /a run is not an object/],
		["no results", "sarif", '{"version":"2.1.0","runs":[{}]}', /a tool has no list of results/],
		[
			"null results",
			"sarif",
			'{"version":"2.1.0","runs":[{"results":null}]}',
			/no list of results/,
		],
		[
			"a failed run",
			"sarif",
			'{"version":"2.1.0","runs":[{"results":[],"invocations":[{"executionSuccessful":false}]}]}',
			/reports that it failed/,
		],
		["odd results", "sarif", '{"version":"2.1.0","runs":[{"results":[1]}]}', /is not an object/],
		["no JSON", "npm-audit", "found 0 vulnerabilities", /not a JSON object/],
		["an error without words", "npm-audit", '{"error":{}}', /no reason given/],
		["npm 6", "npm-audit", '{"advisories":{}}', /npm 7 or later/],
		["no packages", "npm-audit", '{"auditReportVersion":2}', /npm 7 or later/],
		["no causes", "npm-audit", audit({ vulnerabilities: { a: {} } }), /a has no list "via"/],
		["odd package", "npm-audit", audit({ vulnerabilities: { a: 1 } }), /a has no list "via"/],
		["odd severity", "npm-audit", via({ severity: "constructor" }), /no known severity/],
		["odd cause", "npm-audit", via(7), /no known severity/],
		["no total", "npm-audit", audit({ metadata: {} }), /does not state the number/],
		["no metadata", "npm-audit", audit({ metadata: null }), /does not state the number/],
		[
			"counted and not named",
			"npm-audit",
			audit({ metadata: { vulnerabilities: { total: 3 } } }),
			/counts 3 vulnerabilities/,
		],
	])("%s (%s)", (_, format, text, reason) => {
		expect(brief(parseReport(format, text))).toMatch(reason);
	});

	test.each([-1, 1.5, "7", true, null])("the line %j", (startLine) => {
		const report = brief(sarif(place({ region: { startLine } })));
		expect(report).toEqual(
			startLine === null
				? ["lint warning null:null"]
				: `a result of lint has the line ${JSON.stringify(startLine)}`,
		);
	});

	test("an unknown level", () => {
		expect(brief(sarif({ level: "fine" }))).toBe("a result of lint has an unknown level");
		expect(brief(sarif({ level: 0 }))).toBe("a result of lint has an unknown level");
	});

	test("a text that is too long", () => {
		expect(brief(parseReport("sarif", " ".repeat(MAX_REPORT_SIZE + 1)))).toMatch(/longer than/);
	});

	test("an advisory without url and name is identified by its source and package", () => {
		const report = parseReport("npm-audit", via({ severity: "low", source: 7 }));
		expect(report).toMatchObject({ results: [{ rule: "7", identity: "a", level: "note" }] });
	});
});

test("any JSON gives results or a reason", () => {
	fc.assert(
		fc.property(fc.jsonValue(), fc.constantFrom("sarif", "npm-audit"), (value, format) => {
			const wrapped = { version: "2.1.0", runs: [{ results: [value] }], vulnerabilities: value };
			for (const text of [JSON.stringify(value), JSON.stringify(wrapped)]) {
				expect(["results", "invalid"]).toContain(parseReport(format, text).kind);
			}
		}),
	);
});
