import { expect, test } from "vitest";
import { APPROVES, dataOf, type Play, stage } from "../acceptance/stage.ts";
import { thorough } from "../support/amount.ts";
import { USER_HOME } from "../support/user-home.ts";
import { pair } from "../support/workflow.ts";

const BEFORE = "export function clamp(x, lo, hi) {\n\tif (x < lo) return lo;\n\treturn x;\n}\n";
/** The work: a line that no test of the project looks at. */
const AFTER = BEFORE.replace("\treturn x;", "\tif (x > hi) return hi;\n\treturn x;");

/** A test program that prints TAP: a case for each expectation. */
const program = (from: string, ...cases: readonly string[]): string =>
	[
		`import { clamp } from "${from}";`,
		`const cases = [${cases.join(", ")}];`,
		`console.log("TAP version 13\\n1.." + cases.length);`,
		`cases.forEach((ok, i) => console.log((ok ? "ok " : "not ok ") + (i + 1) + " - case " + (i + 1)));`,
		"process.exitCode = cases.every(Boolean) ? 0 : 1;\n",
	].join("\n");

const FILES = {
	"src/clamp.mjs": BEFORE,
	"test/clamp.mjs": program("../src/clamp.mjs", "clamp(0, 1, 3) === 1", "clamp(2, 1, 3) === 2"),
};
const TESTS = { kind: "acceptance", run: "node test/clamp.mjs", timeout: "20s" };
const PATH = "test/integration/upper.mjs";
const UPPER = program("../../src/clamp.mjs", "clamp(9, 1, 3) === 3");

const works = (text: string) => ({
	role: "player" as const,
	run: `cat > src/clamp.mjs <<'END'\n${text}END`,
});
const WORKS = works(AFTER);
const SEE = 'cat "$SPAR_PROMPT" "$SPAR_CONTEXT" > "$HOME/seen-$SPAR_ROLE-$SPAR_TURN"';
const VERIFIER = {
	role: "verifier" as const,
	run: SEE,
	files: { [PATH]: UPPER },
	report: { run: `node ${PATH}`, tests_written: [PATH] },
};

const clamped = (play: Partial<Play> = {}) =>
	stage({
		...play,
		steps: play.steps ?? [WORKS, VERIFIER, { ...APPROVES, run: SEE }],
		files: { ...FILES, ...play.files },
		workflow: { checks: { tests: TESTS }, ...play.workflow },
	});

/** A workflow with a verifier, whose tasks require it. */
const VERIFIED = {
	task: { requires_verification: true },
	workflow: { checks: { tests: TESTS }, verifier: "coach", verification: { paths: ["test/**"] } },
};

const SURVIVORS = [
	{ file: "src/clamp.mjs", line: 3, operator: "boundary", old: "x > hi", new: "x >= hi" },
	{
		file: "src/clamp.mjs",
		line: 3,
		operator: "return",
		old: "return hi;",
		new: "return undefined;",
	},
];

test("where a verifier sits, the tests are tried on mutants of the changed lines, and verifier and coach see what survives", async () => {
	const { run, kept, trace, json, spar } = clamped(VERIFIED);
	const { code, task } = await run();
	expect(task).toMatchObject({
		status: "completed",
		verification: "passed",
		mutation: {
			check: "mutation:built-in",
			status: "pass",
			reason: null,
			detected: 1,
			undetected: 2,
			pending: 0,
			survivors: expect.arrayContaining(SURVIVORS) as unknown,
		},
	});
	expect(code).toBe(0);
	for (const role of ["verifier", "coach"]) {
		const seen = kept(`seen-${role}-1`);
		expect(seen).toContain("src/clamp.mjs:3 (boundary): x > hi -> x >= hi");
		expect(seen).toContain('"operator": "return"');
	}
	const [ran] = dataOf(trace(), "check-ran").filter(({ kind }) => kind === "mutation");
	expect(ran).toMatchObject({ mutants: { detected: 1, undetected: 2 } });
	expect(await json("gate", "one")).toMatchObject({ verdict: "PASS" });
	const { stdout } = await spar(["status"]);
	expect(stdout).toContain("1 of 3 mutants of the changed lines detected, 2 survived");
	expect((await spar(["trace", "one"])).stdout).toContain("x > hi -> x >= hi");
});

thorough(
	"with `when: always` they are run without a verifier, and the player is not told of them, nor that none could be made",
	async () => {
		const { run, kept } = clamped({
			steps: [
				{ role: "player", turn: 1, run: "echo notes > notes.txt" },
				{ ...WORKS, run: `${SEE}; ${WORKS.run}` },
				{
					role: "coach",
					turn: 1,
					report: { decision: "feedback", feedback_items: [{ issue: "x" }] },
				},
				APPROVES,
			],
			workflow: { checks: { tests: TESTS }, mutation: { when: "always" } },
		});
		expect((await run()).task).toMatchObject({ turns: 2, mutation: { undetected: 2 } });
		expect(kept("seen-player-2")).not.toContain("mutation");
	},
);

/** One of three, as scores are rounded. */
const SHARE: unknown = expect.closeTo(1 / 3, 9);

thorough(
	"a task that is scored by its mutants has a score without a tool, and conditions can ask for it",
	async () => {
		const loop = { enabled: true, metrics: [{ type: "mutation_score" }], threshold: 0.3 };
		const { run, json } = clamped({
			task: { overlays: { ...pair(), confidence_loop: loop } },
			workflow: { checks: { tests: TESTS } },
		});
		expect((await run()).task).toMatchObject({ status: "completed", confidence_score: SHARE });
		expect(await json("gate", "one")).toMatchObject({
			metrics: [{ type: "mutation_score", score: SHARE }],
		});
		expect(await json("validate")).toMatchObject({ warnings: [] });
	},
);

/** A program in place of Stryker: it keeps what it was asked for, and reports a survivor and a killed mutant. */
const STRYKER = `#!/bin/sh
echo "$@" > "${USER_HOME}/asked"
mkdir -p reports/mutation
cat > reports/mutation/mutation.json <<'END'
${JSON.stringify({
	schemaVersion: "2",
	files: {
		"src/clamp.mjs": {
			language: "javascript",
			source: AFTER,
			mutants: ["Killed", "Survived"].map((status, id) => ({
				id: String(id),
				mutatorName: "EqualityOperator",
				replacement: "x >= hi",
				status,
				location: { start: { line: 3, column: 6 }, end: { line: 3, column: 12 } },
			})),
		},
	},
})}
END
`;

thorough(
	"Stryker is run on the changed lines where the repository has it, and its report is read",
	async () => {
		const { run, kept } = clamped({
			files: { ".gitignore": "node_modules\n", "stryker.sh": STRYKER },
			workflow: {
				checks: { tests: TESTS },
				mutation: { when: "always" },
				setup: [
					"mkdir -p node_modules/.bin",
					"cp stryker.sh node_modules/.bin/stryker",
					"chmod +x node_modules/.bin/stryker",
				],
			},
		});
		expect((await run()).task).toMatchObject({
			mutation: {
				check: "mutation:stryker",
				status: "pass",
				detected: 1,
				undetected: 1,
				survivors: [{ ...SURVIVORS[0], operator: "EqualityOperator" }],
			},
		});
		expect(kept("asked").trim()).toBe(
			"run --mutate src/clamp.mjs:3-3 --reporters json --logLevel error",
		);
	},
);
