import { beforeAll, expect, test } from "vitest";
import { sampled } from "../support/amount.ts";
import { pair } from "../support/workflow.ts";
import {
	APPROVAL,
	APPROVES,
	CRITERION,
	dataOf,
	type Outcome,
	type Stage,
	stage,
	TESTS,
} from "./stage.ts";

const TEST_FILE = 'test("a", () => { expect(1).toBe(1); });\n';

/** What the player does beside its work, the files that it may not touch, and what the reason speaks of. */
const CRIMES = sampled<{ readonly run: string; readonly told: string }>(
	{
		script: {
			run: 'printf \'{"scripts":{"test":"true"}}\' > package.json',
			told: "package.json",
		},
		check: { run: "echo 'cat results.tap; true' > check.sh", told: "check.sh" },
		guarded: { run: "echo changed > guard/rules.txt", told: "guard/rules.txt" },
		removed: { run: "rm test/a.test.js", told: "test/a.test.js" },
		skipped: { run: "sed -i 's/test(/test.skip(/' test/a.test.js", told: "test/a.test.js" },
		weakened: { run: "echo 'test(\"a\", () => {});' > test/a.test.js", told: "test/a.test.js" },
		workflow: { run: "echo >> sparring.yaml", told: "sparring.yaml" },
		pipeline: {
			run: "mkdir -p .github/workflows && echo 'on: push' > .github/workflows/ci.yml",
			told: ".github/workflows/ci.yml",
		},
		escape: { run: "ln -s ../../../../etc/passwd out.txt", told: "out.txt" },
		nested: {
			run: "mkdir inner && cd inner && git init -q && echo x > x && git add x && git -c user.name=x -c user.email=x@x commit -qm x",
			told: "inner",
		},
		coach: { run: "echo '# mine' >> tools/coach.sh", told: "tools/coach.sh" },
		fewer: { run: "printf 'TAP version 13\\n1..1\\nok 1 - other\\n' > results.tap", told: "works" },
	},
	["script", "skipped", "coach", "fewer"],
);

/** Changes of the apparatus: somebody is asked about them, and the coach answers nothing. */
const ASKED: ReadonlySet<string> = new Set(["script", "check", "pipeline", "weakened"]);

let set: Stage;
let outcome: Outcome;

function taskNamed(run: string | null, name: string): readonly [string, unknown] {
	const coach = name === "coach" || run === null ? "inhouse" : "coach";
	return [
		name,
		{
			agent: "dev",
			description: "Do it.",
			acceptance_criteria: [CRITERION],
			max_turns: 1,
			overlays: pair({ challenger_agent: coach }),
		},
	];
}

beforeAll(async () => {
	const report = JSON.stringify(APPROVAL).replaceAll("'", "");
	set = stage({
		steps: [
			...Object.entries(CRIMES).map(([task, { run }]) => ({
				task,
				role: "player" as const,
				run: `echo work >> work.txt; ${run}`,
			})),
			{ role: "player", run: "echo work >> work.txt; echo fresh > guard/new.txt" },
			{ ...APPROVES, report: { ...APPROVAL, suspicions_status: [] } },
		],
		files: {
			"guard/rules.txt": "rules\n",
			"test/a.test.js": TEST_FILE,
			"package.json": '{"scripts":{"test":"sh check.sh"}}\n',
			"tools/coach.sh": `printf '%s' '${report}' > "$SPAR_REPORT"\n`,
		},
		workflow: {
			// The lint never gets as far as npm, which is slow: that its command names a script is enough.
			protected: ["guard/**"],
			agents: { inhouse: { adapter: "command", run: ["sh", "tools/coach.sh"] } },
			checks: {
				tests: TESTS,
				unit: { kind: "lint", run: "test -f package.json || npm test", report: { format: "exit" } },
			},
			tasks: Object.fromEntries([
				...Object.entries(CRIMES).map(([name, { run }]) => taskNamed(run, name)),
				taskNamed(null, "honest"),
			]),
		},
	});
	outcome = await set.run();
	// Thirteen tasks, each with a replay.
});

test("a skipped test is told with its line, old and new", () => {
	expect(dataOf(set.trace("skipped"), "integrity-checked")).toMatchObject([
		{
			weakened: [
				{
					file: "test/a.test.js",
					line: 1,
					before: [TEST_FILE.trim()],
					after: [TEST_FILE.trim().replace("test(", "test.skip(")],
				},
			],
		},
	]);
});

test.each(Object.entries(CRIMES))(
	"%s: it never merges, and the reason is told",
	(name, { told }) => {
		const task = outcome.report.tasks[name];
		expect(task).toMatchObject({ status: "failed", merged: false, challenger_approved: false });
		const [compared] = dataOf(set.trace(name), "integrity-checked");
		const isAsked = ASKED.has(name);
		expect(compared).toMatchObject({ status: isAsked ? "pass" : "fail" });
		const named = JSON.stringify(compared?.[isAsked ? "suspicions" : "violations"]);
		expect(named).toContain(told);
		const [judged] = dataOf(set.trace(name), "turn-judged");
		expect(judged).toMatchObject({ raw: "approve", effective: "feedback" });
		const reason = isAsked ? "nobody answered it" : "required check integrity failed";
		expect(String(judged?.["reasons"])).toContain(reason);
	},
);

test("a new file in a protected place is allowed and shown", () => {
	expect(outcome.report.tasks["honest"]).toMatchObject({ status: "completed", merged: true });
	const [compared] = dataOf(set.trace("honest"), "integrity-checked");
	expect(compared).toMatchObject({ status: "pass", violations: [] });
	expect(String(compared?.["notes"])).toContain("guard/new.txt");
});
