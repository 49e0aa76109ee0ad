import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { amount, thorough } from "../../../test/support/amount.ts";
import { parseReport } from "../parse-report.ts";
import { MAX_REPORT_SIZE } from "../reports/parsed-report.ts";
import type { CoverageReport } from "./coverage-report.ts";
import { goModuleName } from "./text-coverage.ts";

const FORMATS = ["lcov", "cobertura", "jacoco", "istanbul", "gocover", "coverage.py"] as const;
type CoverageFormat = (typeof FORMATS)[number];

const recorded = (name: string) =>
	readFileSync(new URL(`../../../test/fixtures/reports/${name}`, import.meta.url), "utf8");

/** `file covered/executable` of every file, or why the report is invalid. */
function brief(report: CoverageReport): string[] | string {
	if (report.kind === "invalid") return report.reason;
	return [...report.files].map(
		([path, lines]) => `${path} ${[...lines.values()].filter(Boolean).length}/${lines.size}`,
	);
}

const c8 = ["src/limiter.js 28/32", "src/odd name é.js 2/4"];
const vitest = ["src/limiter.js 10/16", "src/odd name é.js 0/2"];
const python = ["pkg/__init__.py 0/0", "pkg/limiter.py 9/12"];
const below = (folder: string, files: string[]) => files.map((file) => `${folder}/${file}`);

describe("recorded output of real tools is read", () => {
	test.each<[string, CoverageFormat, string[]]>([
		["c8.lcov.info", "lcov", c8],
		["c8.cobertura.xml", "cobertura", c8],
		["c8.istanbul.json.txt", "istanbul", below("/checkout", c8)],
		["node-test.lcov.info", "lcov", c8],
		["vitest.lcov.info", "lcov", vitest],
		["vitest.cobertura.xml", "cobertura", vitest],
		["vitest.istanbul.json.txt", "istanbul", below("/checkout", vitest)],
		["coverage-py.lcov.info", "lcov", python],
		["coverage-py.json.txt", "coverage.py", python],
		["pytest-cov.cobertura.xml", "cobertura", ["__init__.py 0/0", "limiter.py 9/12"]],
		["jacoco.xml", "jacoco", ["org/example/limiter/Limiter.java 6/9"]],
		[
			"go.coverprofile",
			"gocover",
			["example.com/limiter/inner/half.go 1/1", "example.com/limiter/limiter.go 4/9"],
		],
	])("%s as %s", (file, format, files) => {
		expect(brief(parseReport(format, recorded(file)))).toEqual(files);
		const windows = recorded(file).replaceAll("\n", "\r\n");
		expect(brief(parseReport(format, windows))).toEqual(files);
	});

	test("other output between lcov records is skipped", () => {
		const text = `> a@1.0.0 test\n> node --test\n\n${recorded("node-test.lcov.info")}\nbye\n`;
		expect(brief(parseReport("lcov", text))).toEqual(c8);
	});

	test("a file that is listed twice is merged", () => {
		const text = "SF:a.js\nDA:1,0\nDA:2,1\nend_of_record\nSF:a.js\nDA:1,3\nDA:2,0\nend_of_record\n";
		expect(brief(parseReport("lcov", text))).toEqual(["a.js 2/2"]);
	});

	test("comments, checksums, other keys and line 0 of lcov are ignored", () => {
		const text = "# made\nSF:a.js\n#x\nVER:1\nDA:0,0\nDA:1,1,c2Vj\nBRDA:1,0,0,-\nend_of_record\n";
		expect(brief(parseReport("lcov", text))).toEqual(["a.js 1/1"]);
	});

	test("a line of JaCoCo counts when one of its instructions was executed", () => {
		const text =
			'<report name="a"><package><sourcefile name="A.java"><line nr="1" mi="3" ci="1"/><line nr="2" mi="3" ci="0"/></sourcefile></package></report>';
		expect(brief(parseReport("jacoco", text))).toEqual(["A.java 1/2"]);
	});

	test("references in XML attributes and sources are resolved", () => {
		const text =
			'<coverage><sources><source>/r&amp;d</source></sources><class filename="a&amp;b.js"><lines><line number="1" hits="1"/></lines></class></coverage>';
		const report = parseReport("cobertura", text);
		expect(report).toMatchObject({
			sources: ["/r&d"],
			files: new Map([["a&b.js", expect.anything()]]),
		});
	});

	test("a Go block without statements has no line, and go.mod names its module", () => {
		expect(brief(parseReport("gocover", "mode: set\na/b.go:3.12,3.14 0 0\n"))).toEqual([
			"a/b.go 0/0",
		]);
		expect(goModuleName('// hi\nmodule "example.com/a" // x\n\ngo 1.22\n')).toBe("example.com/a");
		expect(goModuleName("go 1.22\n")).toBeUndefined();
	});
});

const XML_LINE = (attributes: string) =>
	`<coverage><class filename="a.js"><lines><line ${attributes}/></lines></class></coverage>`;

describe("a malformed, truncated or absurd report is invalid, with a reason", () => {
	test.each<[string, CoverageFormat, string, RegExp]>([
		["no record", "lcov", "", /lists no file/],
		["a cut record", "lcov", "SF:a.js\nDA:1,1\n", /ends inside a record/],
		["a record in another", "lcov", "SF:a.js\nSF:b.js\nend_of_record", /inside another/],
		["negative hits", "lcov", "SF:a.js\nDA:1,-1\nend_of_record", /line 2 is not valid lcov/],
		["NaN hits", "lcov", "SF:a.js\nDA:1,NaN\nend_of_record", /line 2 is not valid/],
		[
			"no such line",
			"lcov",
			"SF:a.js\nDA:99999999999,1\nend_of_record",
			/line number 99999999999 is not valid/,
		],
		["prose", "lcov", "SF:a.js\nall is covered\nend_of_record", /line 2 is not valid/],
		["no XML", "cobertura", "covered!", /not well-formed|no coverage element/],
		["another root", "cobertura", "<report/>", /no coverage element/],
		["another root", "jacoco", "<coverage/>", /no report element/],
		["no class", "cobertura", "<coverage/>", /lists no file/],
		["no name", "cobertura", "<coverage><class/></coverage>", /a file has no name/],
		["no name", "jacoco", '<report><package name="a"><sourcefile/></package></report>', /no name/],
		["negative hits", "cobertura", XML_LINE('number="1" hits="-3"'), /hits "-3"/],
		["NaN", "cobertura", XML_LINE('number="NaN" hits="1"'), /number "NaN"/],
		["no hits", "cobertura", XML_LINE('number="1"'), /hits ""/],
		["cut XML", "cobertura", XML_LINE('number="1" hits="1"').slice(0, -12), /not well-formed/],
		["no JSON", "istanbul", "nope", /not a JSON object/],
		["empty", "istanbul", "{}", /lists no file/],
		["no statements", "istanbul", '{"a.js":{"s":{}}}', /a\.js has no statementMap/],
		["no object", "istanbul", '{"a.js":1}', /a\.js has no statementMap/],
		[
			"no line",
			"istanbul",
			'{"a":{"statementMap":{"0":{}},"s":{"0":1}}}',
			/statement 0 of a has no line/,
		],
		["odd statement", "istanbul", '{"a":{"statementMap":{"0":7},"s":{"0":1}}}', /has no line/],
		[
			"no count",
			"istanbul",
			'{"a":{"statementMap":{"constructor":{"start":{"line":1}}},"s":{}}}',
			/has the count undefined/,
		],
		[
			"a negative count",
			"istanbul",
			'{"a":{"statementMap":{"0":{"start":{"line":1}}},"s":{"0":-1}}}',
			/has the count -1/,
		],
		["no files", "coverage.py", '{"meta":{}}', /no object "files"/],
		[
			"no list",
			"coverage.py",
			'{"files":{"a":{"executed_lines":1}}}',
			/executed_lines is not a list/,
		],
		["no object", "coverage.py", '{"files":{"a":[]}}', /a is not an object/],
		[
			"no number",
			"coverage.py",
			'{"files":{"a":{"executed_lines":[],"missing_lines":[null]}}}',
			/missing_lines holds null/,
		],
		["a negative line", "coverage.py", '{"files":{"a":{"executed_lines":[-1]}}}', /holds -1/],
		["no mode", "gocover", "a/b.go:1.1,2.2 1 1\n", /not a mode/],
		["empty", "gocover", "", /not a mode/],
		["no blocks", "gocover", "mode: set\n", /lists no file/],
		["a cut block", "gocover", "mode: set\na/b.go:1.1,2.", /line 2 is not a block/],
		["a block that ends before it begins", "gocover", "mode: set\na:3.1,2.1 1 1\n", /not a block/],
		[
			"blocks of millions",
			"gocover",
			`mode: set\na:1.1,100.1 1 1\na:1.1,19999950.1 1 1\n`,
			/span more/,
		],
	])("%s (%s)", (_, format, text, reason) => {
		expect(brief(parseReport(format, text))).toMatch(reason);
	});

	test.each(FORMATS)("a text of %s that is too long is not read", (format) => {
		expect(brief(parseReport(format, " ".repeat(MAX_REPORT_SIZE + 1)))).toMatch(
			/longer than 64 MiB/,
		);
	});
});

describe("hostile XML declares no entities and exhausts no memory", () => {
	const bomb = `<!DOCTYPE coverage [${'<!ENTITY a "aaaaaaaaaa">'}<!ENTITY b "&a;&a;&a;">]>`;

	test.each([
		["an entity bomb", `${bomb}<coverage>&b;</coverage>`, /declares an entity/],
		["an external entity", '<!DOCTYPE c [<!ENTITY x SYSTEM "file:///etc/passwd">]><c/>', /entity/],
		[
			"declarations without entities",
			"<!DOCTYPE c [<!ELEMENT c ANY>]><coverage/>",
			/contains declarations/,
		],
		["a long comment before it", `<!--${"x".repeat(20_000)}-->${bomb}<coverage/>`, /entity/],
		["nesting without end", "<coverage>".repeat(100_000), /not well-formed|cannot be read/],
		["nesting of thousands", "<a>".repeat(5_000) + "</a>".repeat(5_000), /cannot be read/],
	])("%s", (_, text, reason) => {
		expect(brief(parseReport("cobertura", text))).toMatch(reason);
	});

	test("a document type without declarations is valid", () => {
		expect(recorded("c8.cobertura.xml")).toContain("<!DOCTYPE coverage SYSTEM");
		expect(recorded("jacoco.xml")).toContain("<!DOCTYPE report PUBLIC");
	});

	test("deeply nested JSON is a reason, not a crash", () => {
		const text = `{"a":${"[".repeat(200_000)}`;
		expect(parseReport("istanbul", text)).toMatchObject({ kind: "invalid" });
	});

	test("names of object prototypes are ordinary file names", () => {
		const text = '{"__proto__":{"statementMap":{"0":{"start":{"line":1}}},"s":{"0":1}}}';
		expect(brief(parseReport("istanbul", text))).toEqual(["__proto__ 1/1"]);
	});
});

describe("a million lines are read in seconds", () => {
	const count = amount(1_000_000, 20_000);
	const lines = Array.from({ length: count }, (_, index) => index + 1);
	test.each<[CoverageFormat, () => string]>([
		["lcov", () => `SF:a\n${lines.map((line) => `DA:${line},1`).join("\n")}\nend_of_record\n`],
		["gocover", () => `mode: set\n${lines.map((line) => `a:${line}.1,${line}.2 1 1`).join("\n")}`],
		[
			"cobertura",
			() =>
				`<coverage><class filename="a"><lines>${lines.map((line) => `<line number="${line}" hits="1"/>`).join("")}</lines></class></coverage>`,
		],
	])("%s", { timeout: 60_000 }, (format, write) => {
		expect(brief(parseReport(format, write()))).toEqual([`a ${count}/${count}`]);
	});
});

test("any text gives files or a reason, in every format", () => {
	const pieces = fc.constantFrom(
		"SF:a\n",
		"DA:1,1\n",
		"end_of_record\n",
		"mode: set\n",
		"a:1.1,2.2 1 1\n",
		"<coverage>",
		"</coverage>",
		"<!DOCTYPE",
		"[",
		"{",
		'{"files":',
		"null",
		"}",
		'"',
		"\0",
		"&a;",
		"<line",
	);
	const text = fc.array(fc.oneof(pieces, fc.string()), { maxLength: 12 });
	fc.assert(
		fc.property(text, fc.constantFrom(...FORMATS), (parts, format) => {
			const report = parseReport(format, parts.join(""));
			expect(["coverage", "invalid"]).toContain(report.kind);
		}),
	);
});

thorough("what is written as lcov is read again", () => {
	const hits = fc.dictionary(fc.stringMatching(/^[a-z]{1,5}$/), fc.uniqueArray(fc.nat(50)), {
		minKeys: 1,
	});
	fc.assert(
		fc.property(hits, (files) => {
			const records = Object.entries(files).map(([path, lines]) => {
				const data = lines.map((line) => `DA:${line + 1},${line % 3}`);
				return ["TN:", `SF:${path}`, ...data, "LF:9", "end_of_record", ""].join("\n");
			});
			const report = parseReport("lcov", records.join(""));
			const expected = Object.entries(files).map(
				([path, lines]) => [path, new Map(lines.map((line) => [line + 1, line % 3 > 0]))] as const,
			);
			expect(report).toMatchObject({ kind: "coverage", files: new Map(expected) });
		}),
	);
});
