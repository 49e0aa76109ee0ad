import type { Files } from "../support/repository.ts";
import { approval, feedback, type Step } from "../support/scripted-agents.ts";
import { pair } from "../support/workflow.ts";

/** A check with TAP output: `even.txt` and `odd.txt`, where they exist, must hold whole lines. */
const CHECK = `
import { existsSync, readFileSync } from "node:fs";
const whole = (file) => !existsSync(file) || readFileSync(file, "utf8").endsWith("\\n");
const cases = ["even.txt", "odd.txt"].map(whole);
console.log("TAP version 13\\n1.." + cases.length);
cases.forEach((ok, at) => console.log((ok ? "ok " : "not ok ") + (at + 1) + " - file " + at));
process.exitCode = cases.every(Boolean) ? 0 : 1;
`;

export const FILES: Files = {
	"check.mjs": CHECK,
	"setup.mjs": `import { mkdirSync, writeFileSync } from "node:fs";
mkdirSync("cache", { recursive: true });
writeFileSync("cache/ready", "yes");
`,
	".gitignore": "cache/\n",
	"readme.md": "# Numbers\n",
};

const CHECKS = {
	tests: { kind: "acceptance", run: "node check.mjs", report: { format: "tap" } },
	style: { kind: "lint", run: "node -e 0" },
};

const DELAY = { delayMs: 20 } as const;

const EVEN = "lists the even numbers";
const ODD = "lists the odd numbers";

/** The player of the first turn loses its last line end, so that a check is red once. */
const EVEN_STEPS: readonly Step[] = [
	{ turn: 1, role: "player", files: { "even.txt": "2\n4" }, report: { implementation_notes: "a" } },
	{
		turn: 1,
		role: "coach",
		report: feedback({ issues: ["6 is missing", "no words"], unmet: [EVEN] }),
	},
	{
		turn: 2,
		role: "player",
		files: { "even.txt": "2\n4\n6\n", "src/deep/six.js": "export const six = 6;\n" },
		report: {
			implementation_notes: "b",
			disputes: [{ finding: "$ID1", reason: "numbers need none", evidence: "the criterion" }],
		},
	},
	{
		turn: 2,
		role: "coach",
		report: {
			decision: "feedback",
			rationale: "8 is missing too",
			requirements_status: [{ criterion: EVEN, met: false, evidence: "no 8" }],
			findings_status: [
				{ id: "$ID0", status: "fixed" },
				{ id: "$ID1", status: "withdrawn" },
			],
			feedback_items: [{ issue: "8 is missing", severity: "major", file: "even.txt", line: 3 }],
		},
	},
	{
		turn: 3,
		role: "player",
		files: { "even.txt": "2\n4\n6\n8\n", "src/deep/six.js": null },
		report: { implementation_notes: "c" },
	},
	{ turn: 3, role: "coach", report: approved(EVEN, "$ID0", "$ID1") },
];

const ODD_STEPS: readonly Step[] = [
	{
		turn: 1,
		role: "player",
		files: { "odd.txt": "1\n" },
		stdout: '{"implementation_notes":"d"}\n',
	},
	{ turn: 1, role: "coach", report: feedback({ issues: ["3 is missing"], unmet: [ODD] }) },
	{ turn: 2, role: "player", files: { "odd.txt": "1\n3\n" }, report: {} },
	{ turn: 2, role: "coach", report: approved(ODD, "$ID0", "$ID1") },
];

/** Approves, with these findings fixed; a `$ID` beyond the open findings names none and is ignored. */
function approved(criterion: string, ...ids: readonly string[]): unknown {
	const fixed = ids.map((id) => ({ id, status: "fixed" }));
	// An approval is an object of our own making.
	return { ...(approval(criterion) as object), findings_status: fixed };
}

const of = (task: string, steps: readonly Step[]): Step[] =>
	steps.map((step) => ({ ...DELAY, ...step, task }));

/** What a workflow file holds besides the agents, and how they behave. */
export interface Workload {
	readonly steps: readonly Step[];
	readonly workflow: Readonly<Record<string, unknown>>;
}

const task = (description: string, criterion: string, more: object = {}) => ({
	description,
	acceptance_criteria: [criterion],
	overlays: pair(),
	...more,
});

/** Two tasks in dependency order, three turns and two, a red check, a dispute, and a merge each. */
export const TWO_TASKS: Workload = {
	steps: [...of("even", EVEN_STEPS), ...of("odd", ODD_STEPS)],
	workflow: {
		setup: ["node setup.mjs"],
		checks: CHECKS,
		tasks: {
			odd: task("Write odd.txt", ODD, { depends_on: ["even"] }),
			even: task("Write even.txt", EVEN),
		},
	},
};

/** A critical finding stops the task in its first turn; a person sides with the reviewer. */
export const ESCALATION: Workload = {
	steps: of("even", [
		{ turn: 1, role: "player", files: { "even.txt": "2\n" }, report: {} },
		{
			turn: 1,
			role: "coach",
			report: {
				decision: "feedback",
				rationale: "This loses data.",
				requirements_status: [{ criterion: EVEN, met: false, evidence: "none" }],
				feedback_items: [{ issue: "overwrites the user's list", severity: "critical" }],
			},
		},
		{ turn: 2, role: "player", files: { "even.txt": "2\n4\n" }, report: {} },
		{ turn: 2, role: "coach", report: approved(EVEN, "$ID0", "$ID1") },
	]),
	workflow: { checks: CHECKS, tasks: { even: task("Write even.txt", EVEN) } },
};

const DISPUTED = "every number stands on a line of its own";

/** The coach upholds what the player disputes, with its reason. */
const UPHELD = {
	decision: "feedback",
	rationale: "I stand by it.",
	requirements_status: [{ criterion: DISPUTED, met: true, evidence: "read" }],
	findings_status: [{ id: "F1", status: "open", reason: "4 is still missing" }],
};

const disputed = (evidence: string) => ({
	disputes: [{ finding: "F1", reason: "4 is no even number", evidence }],
});

/** A dispute that the tie-breaker decides, and another on which it contradicts itself: a person sides with the coach. */
export const DISPUTE: Workload = {
	steps: of("even", [
		{ turn: 1, role: "player", files: { "even.txt": "2\n" }, report: {} },
		{ turn: 1, role: "coach", report: feedback({ issues: ["4 is missing"], met: [DISPUTED] }) },
		{ turn: 2, role: "player", files: { "odd.txt": "1\n" }, report: disputed("a table") },
		{ turn: 3, role: "player", files: { "odd.txt": "1\n3\n" }, report: disputed("another table") },
		{ turn: 4, role: "player", files: { "even.txt": "2\n4\n" }, report: {} },
		{ turn: 4, role: "coach", report: approved(DISPUTED, "F1") },
		{ role: "coach", report: UPHELD },
		// Told apart by what it is asked, since after a kill the same question comes again.
		{
			turn: 3,
			role: "tie_breaker",
			run: `grep -n "^## Developer\\|^## Reviewer" "$SPAR_PROMPT" | head -1 | grep -q Developer && V=PASS || V=FAIL
printf '{"verdict":"%s","rationale":"as they stand"}' $V > "$SPAR_REPORT"`,
		},
		{ role: "tie_breaker", report: { verdict: "FAIL", rationale: "4 is even" } },
	]),
	workflow: {
		tie_breaker: "arbiter",
		checks: CHECKS,
		tasks: { even: task("Write even.txt", DISPUTED) },
	},
};

/** A verifier's test as a script: one case, which holds when a line of the file does. */
const testOf = (line: string) =>
	`echo 'TAP version 13'; echo 1..1; grep -q ${line} even.txt && echo 'ok 1 - has ${line}' || { echo 'not ok 1 - has ${line}'; exit 1; }`;

/** A verifier whose first tests are vacuous; its second ones fail in one turn and pass in the next, and land. */
export const VERIFIED: Workload = {
	steps: of("even", [
		{ turn: 1, role: "player", files: { "even.txt": "2\n" }, report: {} },
		{
			role: "verifier",
			// Told apart by what it is told, since after a kill the same question comes again.
			run: `mkdir -p test/integration
if grep -q "could not be used" "$SPAR_PROMPT"; then cat > test/integration/even.sh <<'END'
${testOf("4")}
END
else echo "echo 'TAP version 13'; echo 1..1; echo 'ok 1 - is there'" > test/integration/even.sh; fi`,
			report: { run: "sh test/integration/even.sh" },
		},
		{ turn: 2, role: "player", files: { "even.txt": "2\n4\n" }, report: {} },
		{ role: "coach", report: approval(EVEN) },
	]),
	workflow: {
		verifier: "coach",
		verification: { paths: ["test/**"] },
		checks: CHECKS,
		tasks: { even: task("Write even.txt", EVEN, { requires_verification: true }) },
	},
};
