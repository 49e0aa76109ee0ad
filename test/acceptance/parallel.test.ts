import { describe, expect, test } from "vitest";
import { thorough } from "../support/amount.ts";
import { USER_HOME } from "../support/user-home.ts";
import { pair } from "../support/workflow.ts";
import { APPROVAL, APPROVES, CRITERION, type Play, stage, TESTS } from "./stage.ts";

const task = (more: Readonly<Record<string, unknown>> = {}) => ({
	agent: "dev",
	description: "Do the work.",
	acceptance_criteria: [CRITERION],
	overlays: pair(),
	...more,
});

/** Of the repository, for agents that reach for it. */
const NAME = "project";

const tasks = (...ids: readonly string[]) => Object.fromEntries(ids.map((id) => [id, task()]));

/** A player that writes a file named after its task. */
const OWN_FILE = { role: "player", run: "echo done > $SPAR_TASK.txt" } as const;

/** Ends once the other task's player has begun; an ordinary sequence of tasks would wait here for good. */
const MEETS = {
	role: "player",
	run: 'touch "$HOME/at.$SPAR_TASK"; while [ "$(ls "$HOME"/at.* | wc -l)" -lt 2 ]; do sleep 0.05; done; echo done > $SPAR_TASK.txt',
} as const;

/** Both tasks write one file; turn 2 takes what the branch holds and adds its own line. */
const SAME_FILE: Play["steps"] = [
	{
		role: "player",
		turn: 1,
		run: 'touch "$HOME/at.$SPAR_TASK"; while [ "$(ls "$HOME"/at.* | wc -l)" -lt 2 ]; do sleep 0.05; done; echo "of $SPAR_TASK" > list.txt',
	},
	{
		role: "player",
		run: 'cat > "$HOME/prompt.$SPAR_TASK"; grep -v "^[<=>]" list.txt > both.txt; mv both.txt list.txt',
	},
	APPROVES,
];

thorough("two tasks work at the same time, each in its own checkout, and both merge", async () => {
	const set = stage({ steps: [MEETS, APPROVES], workflow: { tasks: tasks("a", "b") } });
	const { code, report } = await set.run();
	expect(code).toBe(0);
	for (const id of ["a", "b"]) expect(report.tasks[id]).toMatchObject({ merged: true, turns: 1 });
	const files = set.repo.git("ls-tree", "--name-only", report.branch).split("\n");
	expect(files).toEqual(expect.arrayContaining(["a.txt", "b.txt"]));
	expect(set.repo.git("rev-list", "--count", `main..${report.branch}`)).toBe("2");
});

describe("two tasks that write the same lines", () => {
	test("the second gets the conflicting places and the other task's intent, and both lines land", async () => {
		const set = stage({
			steps: SAME_FILE,
			workflow: {
				tasks: {
					a: task({ description: "Put a into the list.", max_turns: 1 }),
					b: task({ description: "Put b into the list.", max_turns: 1 }),
				},
			},
		});
		const { code, report } = await set.run();
		expect(code).toBe(0);
		const late = report.tasks["a"]?.turns === 2 ? "a" : "b";
		const early = late === "a" ? "b" : "a";
		// The turn that the merge asked for is not one of the task's own.
		expect(report.tasks[late]).toMatchObject({ merged: true, turns: 2 });
		expect(report.tasks[early]).toMatchObject({ merged: true, turns: 1 });
		const prompt = set.kept(`prompt.${late}`);
		expect(prompt).toContain(`of ${early}\n=======\nof ${late}\n>>>>>>>`);
		expect(prompt).toContain(`${early}: Put ${early} into the list.`);
		const lines = set.repo.git("show", `${report.branch}:list.txt`).split("\n");
		expect(lines.toSorted()).toEqual(["of a", "of b"]);
	});
});

thorough("what the checks of one merge leave is not there for the checks of the next", async () => {
	const set = stage({
		files: { ".gitignore": "*.log\n", "src/a.txt": "a\n" },
		steps: [OWN_FILE, APPROVES],
		workflow: {
			max_parallel: 1,
			checks: {
				tests: {
					...TESTS,
					report: { format: "exit" },
					run: `case $PWD in */integration/*)
						test ! -e left.log && test ! -e src/empty || exit 1
						echo >> "${USER_HOME}/merges"; touch left.log; mkdir src/empty;; esac`,
				},
			},
			tasks: tasks("a", "b", "c"),
		},
	});
	const { code, report } = await set.run();
	expect(code).toBe(0);
	for (const id of ["a", "b", "c"]) expect(report.tasks[id]).toMatchObject({ merged: true });
	expect(set.kept("merges")).toBe("\n\n\n");
});

thorough("a failed task blocks its dependants and nobody else", async () => {
	const set = stage({
		steps: [
			{
				role: "coach",
				task: "a",
				report: { ...APPROVAL, feedback_items: [{ issue: "no limit", severity: "major" }] },
			},
			OWN_FILE,
			APPROVES,
		],
		workflow: {
			tasks: { a: task({ max_turns: 1 }), b: task({ depends_on: ["a"] }), c: task() },
		},
	});
	const { code, report } = await set.run();
	expect(code).toBe(1);
	expect(report.tasks["a"]).toMatchObject({ status: "failed" });
	expect(report.tasks["b"]).toMatchObject({ status: "blocked" });
	expect(report.tasks["c"]).toMatchObject({ status: "completed", merged: true });
});

thorough(
	"an error in one task stops that task; the other merges, and a resume finishes the first",
	async () => {
		const set = stage({
			steps: [
				// Somebody puts a branch where this task's own is to be.
				{
					role: "player",
					task: "a",
					turn: 1,
					run: `git -C "$HOME/${NAME}" branch "sparring/$SPAR_RUN/a" HEAD; echo a > a.txt`,
				},
				OWN_FILE,
				{ role: "coach", report: APPROVAL },
			],
			name: NAME,
			workflow: { tasks: tasks("a", "b") },
		});
		const { code, stderr } = await set.spar(["run"]);
		expect(stderr).toMatch(/^a: +stopped: .*sparring.*\. The other tasks go on$/m);
		expect(code).not.toBe(0);
		const status = (await set.json("status")) as { readonly run_id: string };
		expect(status).toMatchObject({ tasks: { b: { merged: true }, a: { merged: false } } });
		set.repo.git("branch", "-D", `sparring/${status.run_id}/a`);
		const { report } = await set.resume();
		expect(report.tasks["a"]).toMatchObject({ merged: true });
	},
);
