import { XMLParser, XMLValidator } from "fast-xml-parser";
import { expect, test } from "vitest";
import { aReportedFinding, aResult, aRunView, aTask } from "../../view/run-view.fixture.ts";
import type { RunView } from "../../view/run-view.ts";
import { REPORT_FORMATS } from "./formats.ts";
import { markdownOf } from "./markdown.ts";

const render = (format: string, result: RunView): string =>
	REPORT_FORMATS[format]?.(result) ?? "no such format";

const SAID = { turn: 2, evidence: null, timestamp: "2026-11-22T10:00:30.000Z" } as const;

const DISPUTED = aReportedFinding({
	id: "F2",
	state: "overruled",
	blocking: false,
	ruling: {
		by: "tie_breaker",
		decision: "PASS",
		rationale: "the criterion counts tokens",
		turn: 2,
	},
	history: [
		{ ...SAID, state: "open", by: "coach", text: null },
		{ ...SAID, state: "disputed", by: "player", text: "one was refilled", evidence: "test burst" },
		{ ...SAID, state: "upheld", by: "coach", text: "the criterion counts calls" },
		{ ...SAID, state: "conflict_settled", by: "tie_breaker", text: "the criterion counts tokens" },
		{ ...SAID, state: "overruled", by: "tie_breaker", text: "the criterion counts tokens" },
	],
});

/** Texts that try to get out of where they stand. */
const HOSTILE = `</td></details><script>alert(1)</script> | x | ]]> @octocat fixes #12 https://evil.example \u001b[2J\u0000`;

const hostile = aRunView([
	aTask({
		title: HOSTILE,
		description: HOSTILE,
		criteria: [{ criterion: HOSTILE, status: "unmet", evidence: HOSTILE, tests: [HOSTILE] }],
		evidence: [aResult({ status: "fail", reason: HOSTILE, details: [HOSTILE, "line\nline"] })],
		findings: [
			aReportedFinding({
				issue: HOSTILE,
				file: "a`b|c.js",
				suggestion: HOSTILE,
				history: [{ ...SAID, state: "disputed", by: "player", text: HOSTILE, evidence: HOSTILE }],
			}),
		],
		decisions: [
			{ trigger: "conflict", choice: "directive", finding: "F1", words: HOSTILE, answered_at: "" },
		],
	}),
]);

test("a report for people tells criteria, evidence, findings with both sides, and what a person decided", () => {
	const task = aTask({
		findings: [aReportedFinding({ state: "fixed", blocking: false }), DISPUTED],
		decisions: [
			{ trigger: "sign_off", choice: "continue", finding: null, words: "fine", answered_at: "" },
		],
	});
	const text = render("markdown", aRunView([task]));
	expect(text).toContain("## rate-limiter: completed");
	expect(text).toContain("Run `r1` on `main`, 4 agent calls (\\$0.42), 1m 5s.");
	expect(text).toContain("| `limiter` | completed | 2 | T0 PASS | yes | 0 |");
	expect(text).toContain("| refuses the 11th | met | seen; burst |");
	expect(text).toContain("#### Evidence on the merged tree");
	expect(text).toContain("| tests | acceptance | pass | 8 of 8 passed |");
	expect(text).toContain("| F2 | major | overruled by the tie-breaker | `src/limiter.js:12` |");
	expect(text).toContain("- turn 2: disputed by the player: one was refilled Evidence: test burst");
	expect(text).toContain("- turn 2: upheld by the coach: the criterion counts calls");
	expect(text.split("the criterion counts tokens")).toHaveLength(2);
	expect(text).toContain("- sign-off: yes: fine");
});

test("the notes of a task tell the gate, suspicions, mutants, claims and independent tests", () => {
	const survivor = { file: "a.js", line: 3, operator: "number", old: "n < 10", new: "n < 11" };
	const checks = { status: "PASS", details: "" } as const;
	const task = aTask(
		{
			gate: {
				run_id: "r1",
				task_id: "limiter",
				risk_tier: "T1",
				verdict: "FAIL",
				rule: "lint is required",
				evidence_checks: {
					acceptance_evidence: checks,
					verification: checks,
					operational_readiness: checks,
					requirement_coverage: checks,
				},
				confidence_score: null,
				confidence_advisory: null,
				metrics: [],
				warnings: [],
				checklist: [],
				hil_required: false,
				evaluated_at: "",
				tree: "7ree",
				allowed: [{ path: "test/old.js", change: "delete", reason: "gone" }],
				suspicions: [
					{
						id: "s",
						kind: "ends_process",
						file: "b.js",
						line: 4,
						ok: false,
						reason: "no",
						by: "coach",
					},
				],
			},
		},
		{
			verification_result: {
				verdict: "failed",
				required: true,
				reasons: ["1 test failed"],
				tests: [{ path: "t.js", name: "bursts", status: "failed" }],
				run: null,
				output_path: null,
				commit: null,
				attempts: 1,
			},
			mutation: {
				check: "mutation:built-in",
				status: "pass",
				reason: null,
				pending: 0,
				detected: 3,
				undetected: 1,
				survivors: [survivor],
			},
			false_claims: ["it says tests passed"],
			concerns: ["the clock"],
		},
	);
	const text = render("markdown", aRunView([task]));
	for (const note of [
		"independent verification: failed: 1 test failed",
		"gate T1: FAIL: lint is required",
		"allowed: delete of test/old.js: gone",
		"suspicion s at b.js:4 (ends_process): not accepted by the coach: no",
		"3 noticed by a test, 1 by none",
		"unnoticed: a.js:3: n &lt; 10 -&gt; n &lt; 11",
		"false claim: it says tests passed",
		"the player is unsure: the clock",
	])
		expect(text).toContain(
			`- ${note.startsWith("3 ") ? "mutants of the changed lines: " : ""}${note}`,
		);
	const xml = render("junit", aRunView([task]));
	expect(xml).toContain(`name="independent verification: bursts (t.js)"`);
	expect(xml).toContain(`name="gate T1"`);
});

test.each([
	["running", null, "the run is still running (no process works on it)"],
	["running", "host:1", "the run is still running (host:1 works on it)"],
	["paused_for_user_escalation", null, "the run waits for a person: `spar questions H1`"],
] as const)("a report of a run that is %s says that it is not the end", (status, holder, said) => {
	const waits = { status: "paused_for_human", merged: false, human_item: "H1" } as const;
	const task = aTask({ ended_at: null }, status === "running" ? { status: "running" } : waits);
	const result = { ...aRunView([task], { status, holder }), ended_at: null };
	expect(render("markdown", result)).toContain(`**Not the end:** ${said}`);
	expect(render("html", result)).toContain("Not the end:");
	expect(JSON.parse(render("ctrf", result))).toMatchObject({
		results: { summary: { pending: 1 } },
	});
});

test("a report of a run that has its answers asks nobody, and calls a trigger by its words", () => {
	const waits = { status: "paused_for_human", merged: false, human_item: "H1" } as const;
	const decision = {
		trigger: "loop_exhausted",
		choice: "directive",
		finding: null,
		words: "Cap it.",
		answered_at: "2026-11-21T22:05:09.000Z",
	};
	const task = aTask(
		{ ended_at: null, decisions: [decision] },
		{ ...waits, human_item_answered: true },
	);
	const status = "paused_for_user_escalation";
	const text = render("markdown", { ...aRunView([task], { status }), ended_at: null });
	expect(text).toContain("**Not the end:** the run has its answers and goes on with `spar resume");
	const onMachines = aRunView([task], { status, shared: true });
	expect(render("markdown", { ...onMachines, ended_at: null })).toContain(
		"and a worker goes on with it; if none runs: `spar resume",
	);
	expect(text).not.toContain("waiting for a person");
	expect(text).not.toContain("spar questions");
	expect(text).toContain("- turn limit: a directive: Cap it.");
});

test("hostile texts stay texts in Markdown", () => {
	const text = render("markdown", hostile);
	expect(text).not.toMatch(/<script|@octocat|#12\b(?!4;)|https:\/\/evil|\p{Cf}/u);
	expect(text.match(/<\/details>/g)).toHaveLength(1);
	const rows = text.split("\n").filter((line) => line.startsWith("| "));
	expect(new Set(rows.map((row) => row.split("|").length - 2))).toEqual(new Set([3, 4, 5, 6]));
});

test("hostile texts stay texts in HTML, which loads and runs nothing", () => {
	const page = render("html", hostile);
	expect(page).not.toMatch(/<script|<img|<link|<a | on\w+=/);
	expect(page.match(/<\/details>/g)).toHaveLength(1);
	expect(page).toContain("default-src 'none'");
	expect(page).toContain("&lt;script&gt;");
});

test("JUnit is valid XML with a suite a task, whatever the texts hold", () => {
	const xml = render("junit", hostile);
	expect(XMLValidator.validate(xml)).toBe(true);
	const parser = new XMLParser({ ignoreAttributes: false, attributeNamePrefix: "" });
	const parsed: unknown = parser.parse(xml);
	const message: unknown = expect.stringContaining("<script>");
	expect(parsed).toMatchObject({
		testsuites: {
			name: "rate-limiter",
			tests: "3",
			failures: "2",
			testsuite: {
				name: "limiter",
				testcase: [
					{ name: "the task completes" },
					{ classname: "limiter", failure: { message } },
					{ name: "acceptance tests on the merged tree", time: "1.250" },
				],
			},
		},
	});
});

test.each([
	["completed", true, "absent", "skipped"],
	["failed", false, "absent", "error"],
	["failed", false, "error", "error"],
	["completed", true, "pass", "passed"],
] as const)(
	"of a task that %s (merged: %s) a check that is %s is %s",
	(status, merged, found, told) => {
		const evidence = [
			aResult({ status: found, reason: "why" }),
			aResult({ kind: "checklist", status: "fail" }),
		];
		const report = { status, merged, failure_reason: status === "failed" ? "at its limit" : null };
		const tests: unknown = JSON.parse(
			render("ctrf", aRunView([aTask({ evidence, criteria: [] }, report)])),
		);
		expect(tests).toMatchObject({
			results: {
				tests: [
					{ name: "the task completes", status: status === "failed" ? "failed" : "passed" },
					{
						name: "acceptance tests on the merged tree",
						rawStatus: told,
						suite: ["rate-limiter", "limiter"],
					},
				],
				summary: { tests: 2 },
			},
		});
	},
);

/** The results of a report for code scanning. */
function scanned(
	findings: Parameters<typeof aReportedFinding>[0][],
	file: string | null = "sparring.yaml",
) {
	const task = aTask({ findings: findings.map((each) => aReportedFinding(each)) });
	const result = { ...aRunView([task]), workflow_file: file };
	const parsed = JSON.parse(render("sarif", result)) as {
		runs: {
			results: { locations: unknown[]; partialFingerprints: { primaryLocationLineHash: string } }[];
		}[];
	};
	return parsed.runs[0]?.results ?? [];
}

const located = (uri: string, startLine: number): unknown => [
	{
		physicalLocation: {
			artifactLocation: { uri, uriBaseId: "%SRCROOT%" },
			region: { startLine },
		},
	},
];

test("a finding makes no link in SARIF", () => {
	const issue = "see [here](https://evil.example) and [x] [y](1)";
	expect(scanned([{ issue }])).toMatchObject([
		{ message: { text: `limiter F1: see \\[here\\](https://evil.example) and [x] \\[y\\](1)` } },
	]);
});

test("SARIF has the open findings with their places, and none that is closed", () => {
	const found = scanned([
		{ file: "src/a b.js" },
		{ state: "fixed" },
		{ state: "overruled", id: "F3" },
	]);
	expect(found).toMatchObject([
		{
			ruleId: "major-finding",
			ruleIndex: 1,
			level: "error",
			message: { text: "limiter F1: the 11th call is not refused" },
			locations: located("src/a%20b.js", 12),
			properties: { blocking: true },
		},
	]);
});

test.each(["/etc/passwd", "../x", "a/../../x", "http://evil.example", "a\\b", "", "a//b", null])(
	"a finding at %j stands at the workflow file, since GitHub refuses one without a place",
	(file) => {
		expect(scanned([{ file }])[0]?.locations).toEqual(located("sparring.yaml", 1));
		expect(scanned([{ file }], null)[0]?.locations).toEqual([]);
	},
);

test("the same finding has the same fingerprint in another run, also on another line", () => {
	const [one, two, other] = scanned([
		{ line: 3 },
		{ id: "F9", line: 40, issue: "The 11th  call is not refused" },
		{ issue: "something else" },
	]).map(({ partialFingerprints }) => partialFingerprints.primaryLocationLineHash);
	expect(one).toBe(two);
	expect(other).not.toBe(one);
});

test("a report that is too long loses its details first, and says where the rest is", () => {
	const result = aRunView([aTask({ findings: [DISPUTED] })]);
	const whole = markdownOf(result);
	const shorter = markdownOf(result, Buffer.byteLength(whole) - 1);
	expect(shorter).not.toContain("<details>");
	expect(shorter).toContain("overruled by the tie-breaker");
	expect(shorter).toContain("`spar report r1` prints all of it");
	const shortest = markdownOf(result, 400);
	expect(Buffer.byteLength(shortest)).toBeLessThanOrEqual(400);
	expect(shortest).toContain("## rate-limiter");
});

test("CTRF ends no run before it began, though another machine's clock may say so", () => {
	const result = { ...aRunView([aTask()]), ended_at: "2000-01-01T00:00:00.000Z" };
	const { results } = JSON.parse(render("ctrf", result)) as {
		readonly results: { readonly summary: { readonly start: number; readonly stop: number } };
	};
	expect(results.summary.stop).toBe(results.summary.start);
	expect(results.summary.start).toBe(Date.parse(result.created_at));
});
