import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { spread, thorough } from "../../test/support/amount.ts";
import type { Evidence } from "../evidence/evidence.ts";
import { commitView } from "../formats/commit-view.ts";
import {
	commitAll,
	type Files,
	git,
	scene,
	scratchDirectory,
	writeFiles,
} from "../git/scratch.fixture.ts";
import { blobsInMemory } from "../kernel/blobs.fixture.ts";
import { maskerFor, noMasker } from "../masking/masking.ts";
import type { CheckDefinition } from "../workflow/workflow.ts";
import { metricInputs } from "./metric-inputs.ts";
import { type CheckRequest, runCheck } from "./run-check.ts";

type Place = Pick<CheckRequest, "checkout" | "tree" | "view" | "purpose">;

/** A start commit and a turn's commit, each to be checked in the same checkout. */
async function turn(
	before: Files,
	after: Files,
): Promise<Record<"start" | "turn", () => Promise<Place>>> {
	const { user, vault, checkout, dir, base } = await scene(before);
	writeFiles(user, after);
	const commit = commitAll(user);
	const at = async (id: string, purpose: Place["purpose"]): Promise<Place> => {
		await checkout.forceTo(id);
		const tree = git(user, "rev-parse", `${id}^{tree}`);
		return { checkout: dir, tree, view: commitView(vault, base, id), purpose };
	};
	return { start: () => at(base, "baseline"), turn: () => at(commit, "turn") };
}

function take(
	check: Partial<CheckDefinition> & Pick<CheckDefinition, "kind" | "run">,
	place: Place,
	more: Partial<CheckRequest> = {},
): Promise<Evidence> {
	const state = scratchDirectory();
	return runCheck(
		{
			check: { name: "scan", timeoutMs: 20_000, baseline: "new", ...check },
			...place,
			definition: "d",
			baseline: undefined,
			env: { PATH: process.execPath.replace(/\/[^/]*$/, ":/usr/bin:/bin") },
			mark: `report-test-${process.pid}`,
			work: join(state, "tmp"),
			confines: false,
			masker: noMasker,
			blobs: blobsInMemory(),
			outputPath: "out.log",
			...more,
		},
		new AbortController().signal,
	);
}

/** A linter that complains of each line with `var`, in SARIF with absolute names, and exits with 1 when it does. */
const LINTER = `
import { readdirSync, readFileSync } from "node:fs";
const results = readdirSync("src").flatMap((name) =>
	readFileSync("src/" + name, "utf8").split("\\n").flatMap((line, index) => line.startsWith("var") ? [{
		ruleId: "no-var", level: "error", message: { text: "No var: " + line },
		locations: [{ physicalLocation: {
			artifactLocation: { uri: "file://" + process.cwd() + "/src/" + name },
			region: { startLine: index + 1 },
		} }],
	}] : []));
console.log(JSON.stringify({ version: "2.1.0", runs: [{ tool: { driver: { name: "lint" } }, results }] }));
process.exitCode = results.length > 0 ? 1 : 0;
`;
const files = (source: string): Files => ({ "lint.mjs": LINTER, "src/a.js": source });
const lint = { kind: "lint", run: "node lint.mjs", report: { format: "sarif" } } as const;

describe("problems in SARIF", () => {
	thorough("known ones are shown and pass even if their lines moved; a new one fails", async () => {
		const at = await turn(files("var old;\n"), files("let x;\n\nvar  old;\n"));
		const baseline = await take(lint, await at.start());
		expect(baseline).toMatchObject({ status: "fail", reason: "1 problem", exitCode: 1 });
		const known = await take(lint, await at.turn(), { baseline });
		expect(known).toMatchObject({
			status: "pass",
			reason: null,
			exitCode: 1,
			results: { fresh: 0 },
		});
		expect(known.details).toEqual(["known: src/a.js:3 error no-var: No var: var  old;"]);
		const worse = await turn(files("var old;\n"), files("var old;\nvar fresh;\n"));
		const found = await take(lint, await worse.turn(), { baseline });
		expect(found).toMatchObject({ status: "fail", reason: "1 new problem" });
		expect(found.details[0]).toBe("src/a.js:2 error no-var: No var: var fresh;");
		expect(metricInputs([found]).newResults.get("scan")).toMatchObject({ fresh: 1, weight: 1 });
	});

	thorough("strict: a known one fails too", async () => {
		const at = await turn(files("var old;\n"), files("var old;\nlet x;\n"));
		const strict = { ...lint, baseline: "strict" } as const;
		const baseline = await take(strict, await at.start());
		expect(await take(strict, await at.turn(), { baseline })).toMatchObject({
			status: "fail",
			reason: "1 problem",
		});
	});

	thorough("are read from a file as well, and masked", async () => {
		const at = await turn(files(""), files("var hunter2hunter2;\n"));
		const masker = maskerFor([{ value: "hunter2hunter2", rule: "env" }]);
		const toFile = {
			kind: "security",
			run: "mkdir out; node lint.mjs > out/found.sarif",
			report: { format: "sarif", path: "out/found.sarif" },
		} as const;
		const found = await take(toFile, await at.turn(), { masker });
		expect(found).toMatchObject({ status: "fail", reason: "1 problem" });
		expect(JSON.stringify(found)).not.toContain("hunter2");
		const none = { ...toFile, run: "true" };
		expect(await take(none, await at.turn())).toMatchObject({ status: "absent" });
	});

	test.each(
		spread(
			[
				["cut", `node lint.mjs | head -c 90`, "not a JSON object"],
				[
					"of a linter that did not look",
					`echo '{"version":"2.1.0","runs":[{"tool":{}}]}'`,
					"no list of results",
				],
				["empty", "true", "not a JSON object"],
				[
					"of files elsewhere alone",
					"node lint.mjs | sed 's,file:.*/src,file:///elsewhere,'",
					"outside",
				],
				["of too many", "node many.mjs", "more than 50000 problems"],
			] as const,
			2,
		),
	)("%s: an error with the reason, never a pass", async (_, run, reason) => {
		const many = `console.log(JSON.stringify({ version: "2.1.0", runs: [{ results: Array(50001).fill({ message: {} }) }] }))`;
		const at = await turn(files(""), { ...files("var x;\n"), "many.mjs": many });
		const found = await take({ ...lint, run }, await at.turn());
		expect(found.status).toBe("error");
		expect(found.reason).toContain(reason);
		expect(found.results?.fresh ?? 0).toBe(0);
	});

	test("whose paths contain .. or name a pipe do no harm", async () => {
		const locations = ["../../etc/passwd", "src/pipe", "src/link", ".git/config"].map((uri) => ({
			physicalLocation: { artifactLocation: { uri }, region: { startLine: 1 } },
		}));
		const results = locations.map((location) => ({
			message: { text: "m" },
			locations: [location],
		}));
		const sarif = JSON.stringify({ version: "2.1.0", runs: [{ results }] });
		const at = await turn({ "a.js": "" }, { "found.sarif": sarif });
		const run = "mkdir src; mkfifo src/pipe; ln -s /etc/passwd src/link; cat found.sarif";
		const found = await take({ ...lint, run }, await at.turn());
		expect(found).toMatchObject({ status: "fail", reason: "2 problems" });
		expect(found.details.at(-1)).toBe("2 outside of the checkout were ignored");
	});
});

thorough(
	"advisories of npm audit: known ones pass, an audit that was refused is an error",
	async () => {
		const recorded = (name: string) =>
			readFileSync(
				new URL(`../../test/fixtures/reports/npm-audit-${name}.json.txt`, import.meta.url),
			);
		const at = await turn(
			{ "audit.json": recorded("found") },
			{ "clean.json": recorded("clean"), "refused.json": recorded("refused") },
		);
		const audit = (run: string) =>
			({ kind: "security", run, report: { format: "npm-audit" } }) as const;
		const red = audit("cat audit.json; exit 1");
		const baseline = await take(red, await at.start());
		expect(baseline).toMatchObject({ status: "fail" });
		expect(baseline.details[0]).toContain("minimist");
		expect(await take(red, await at.turn(), { baseline })).toMatchObject({ status: "pass" });
		const place = await at.turn();
		expect(await take(audit("cat clean.json"), place)).toMatchObject({
			status: "pass",
			details: [],
		});
		const refused = await take(audit("cat refused.json; exit 1"), place, { baseline });
		expect(refused.status).toBe("error");
		expect(refused.reason).toContain("npm audit failed");
	},
);

const lcov = (lines: Readonly<Record<number, number>>, file = "src/a.js") =>
	["TN:", `SF:${file}`, ...Object.entries(lines).map(([line, hits]) => `DA:${line},${hits}`)]
		.concat("end_of_record", "")
		.join("\n");
const coverage = {
	kind: "coverage",
	run: "mkdir -p out && cp lcov.txt out/lcov.info",
	report: { format: "lcov", path: "./out/lcov.info" },
} as const;

describe("coverage", () => {
	test("is the share of the changed lines, whatever the total is", async () => {
		const report = lcov({ 1: 1, 2: 0, 3: 5, 4: 0, 5: 0, 6: 1 });
		const at = await turn(
			{ "src/a.js": "one();\ntwo();\n" },
			{ "src/a.js": "one();\ntwo();\nthree();\nfour();\nfive();\nsix();\n", "lcov.txt": report },
		);
		const found = await take(coverage, await at.turn());
		expect(found).toMatchObject({ status: "pass", reason: null });
		expect(found.coverage).toEqual({
			kind: "measured",
			covered: 2,
			executable: 4,
			total: 0.5,
			unreported: [],
		});
		expect(found.details).toEqual([
			"2 of 4 changed lines are covered",
			"not covered: src/a.js:4-5",
		]);
		expect(metricInputs([found]).coverage).toEqual(found.coverage);
	});

	test("is kept when the run fails, and the check fails", async () => {
		const at = await turn(
			{ "src/a.js": "" },
			{ "src/a.js": "one();\n", "src/b.js": "two();\n", "lcov.txt": lcov({ 1: 1 }) },
		);
		const red = { ...coverage, run: `${coverage.run}; exit 3` };
		const found = await take(red, await at.turn());
		expect(found).toMatchObject({ status: "fail", reason: "exit code 3" });
		expect(found.coverage).toMatchObject({ covered: 1, executable: 2, unreported: ["src/b.js"] });
		expect(found.details).toContain("not in the report: src/b.js");
	});

	thorough("is absent without changed lines, and at the baseline", async () => {
		const at = await turn(
			{ "src/a.js": "one();\n", "lcov.txt": lcov({ 1: 1 }) },
			{ "README.md": "Read.\n" },
		);
		expect((await take(coverage, await at.start())).details).toEqual([]);
		const found = await take(coverage, await at.turn());
		expect(found).toMatchObject({ status: "pass", coverage: { kind: "absent", total: 1 } });
	});

	test.each([
		["that is cut", "SF:src/a.js\nDA:1"],
		["that lists no file", "TN:\n"],
		["with impossible lines", "SF:src/a.js\nDA:-4,1\nend_of_record\n"],
	])("%s: an error, never a pass", async (_, report) => {
		const at = await turn({ "src/a.js": "" }, { "src/a.js": "one();\n", "lcov.txt": report });
		const found = await take(coverage, await at.turn());
		expect(found).toMatchObject({ status: "error" });
		expect(found.coverage).toBeUndefined();
		expect(metricInputs([found]).coverage).toMatchObject({ kind: "absent" });
	});

	test("of Go uses the module's path", async () => {
		const at = await turn(
			{ "svc/go.mod": "module example.org/svc\n", "svc/a.go": "package svc\n" },
			{
				"svc/a.go": "package svc\nfunc A() {\n}\n",
				"cover.out": "mode: set\nexample.org/svc/a.go:2.12,3.2 1 1\n",
			},
		);
		const go = { kind: "coverage", run: "cat cover.out", report: { format: "gocover" } } as const;
		expect((await take(go, await at.turn())).coverage).toMatchObject({ covered: 2, executable: 2 });
	});

	test("without a commit to compare with has no figures", async () => {
		const at = await turn({ "src/a.js": "" }, { "src/a.js": "x();\n", "lcov.txt": lcov({ 1: 1 }) });
		const found = await take(coverage, { ...(await at.turn()), view: undefined });
		expect(found).toMatchObject({ status: "pass", details: [] });
		expect(found.coverage).toBeUndefined();
	});
});

thorough("mutants on changed lines are counted; a truncated report is an error", async () => {
	const mutant = (status: string, line: number) => ({
		status,
		mutatorName: "CallExpression",
		replacement: "",
		location: { start: { line, column: 1 }, end: { line, column: 6 } },
	});
	const mutants = [mutant("Killed", 2), mutant("Survived", 2), mutant("Survived", 1)];
	const report = JSON.stringify({
		schemaVersion: "2",
		files: { "src/a.js": { source: "one();\ntwo();\n", mutants } },
	});
	const at = await turn(
		{ "src/a.js": "one();\n" },
		{ "src/a.js": "one();\ntwo();\n", "mutation.json": report },
	);
	const check = (run: string) =>
		({ kind: "coverage", run, report: { format: "mutation" } }) as const;
	const found = await take(check("cat mutation.json"), await at.turn());
	expect(found).toMatchObject({
		status: "pass",
		details: [
			"1 of 2 mutants on changed lines were detected",
			"survived: src/a.js:2 (CallExpression): two() -> ",
		],
		mutation: {
			kind: "counted",
			detected: 1,
			undetected: 1,
			pending: 0,
			survivors: [
				{ file: "src/a.js", line: 2, operator: "CallExpression", old: "two()", fresh: "" },
			],
		},
	});
	const masker = maskerFor([{ value: "CallExpression", rule: "env" }]);
	const masked = await take(check("cat mutation.json"), await at.turn(), { masker });
	expect(JSON.stringify(masked)).not.toContain("CallExpression");
	const cut = await take(check("head -c 40 mutation.json"), await at.turn());
	expect(cut).toMatchObject({ status: "error" });
	expect(cut.mutation).toBeUndefined();
});

test("without a readable diff, coverage and mutants have no value", async () => {
	const at = await turn({ "src/a.js": "" }, { "src/a.js": "x();\n", "lcov.txt": lcov({ 1: 1 }) });
	const place = await at.turn();
	const changes = () => Promise.resolve({ kind: "invalid", reason: "it is too long" } as const);
	const view = {
		files: () => Promise.resolve(new Set<string>()),
		texts: () => Promise.resolve(new Map<string, string>()),
		changes,
	};
	const found = await take(coverage, { ...place, view });
	expect(found).toMatchObject({ status: "pass", details: ["it is too long"] });
	expect(found.coverage).toMatchObject({ kind: "absent", reason: "it is too long", total: null });
	const mutation = { kind: "coverage", report: { format: "mutation" } } as const;
	const none = `echo '{"schemaVersion":"2","files":{}}'`;
	expect((await take({ ...mutation, run: none }, { ...place, view })).mutation).toEqual({
		kind: "absent",
		reason: "it is too long",
	});
});
