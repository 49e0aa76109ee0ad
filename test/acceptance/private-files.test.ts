import { expect, test } from "vitest";
import { thorough } from "../support/amount.ts";
import {
	APPROVAL,
	APPROVES,
	answersSuspicions,
	dataOf,
	type Outcome,
	type Play,
	type Stage,
	stage,
	textLike,
} from "./stage.ts";

const PRIVATE = { ".env": "DB_PASSWORD=hunter2\n", ".DS_Store": "x", ".idea/w.xml": "<a/>" };
const LEAVES = {
	role: "player",
	files: { ...PRIVATE, "secrets.json": "{}", "work.txt": "w" },
} as const;

/** A user with ignore rules of their own, in the home and in the repository. */
function userWith(play: Play, rules = ".env\n.DS_Store\n.idea/\n"): Stage {
	const at = stage(play);
	at.repo.write({ "../.gitignore-mine": rules });
	at.repo.git("config", "core.excludesFile", "~/.gitignore-mine");
	at.repo.write({ ".git/info/exclude": "secrets.json\n" });
	return at;
}

const filesOn = ({ repo }: Stage, { report }: Outcome) =>
	repo.git("ls-tree", "-r", "--name-only", report.branch).split("\n");

thorough(
	"what the user's own rules ignore is neither committed nor landed, and is named once",
	async () => {
		const at = userWith({ steps: [LEAVES, APPROVES] });
		const outcome = await at.run();
		expect(outcome.task).toMatchObject({ success: true, merged: true });
		expect(filesOn(at, outcome)).toEqual(["check.sh", "results.tap", "sparring.yaml", "work.txt"]);
		const note =
			"4 new files are not committed, since the user's own ignore rules (core.excludesFile, info/exclude) exclude them: .DS_Store, .env, .idea/, secrets.json";
		expect(dataOf(at.trace(), "integrity-checked")).toMatchObject([
			{ notes: [note], status: "pass" },
		]);
		expect(outcome.stderr).toContain(note);
	},
);

thorough(
	"the rules of the run's start count, whatever the configuration says at a resume",
	async () => {
		const at = userWith({
			steps: [
				{ role: "player", turn: 1, files: { "first.txt": "1" } },
				{ ...LEAVES, turn: 2 },
				{
					role: "coach",
					turn: 1,
					report: {
						...APPROVAL,
						decision: "feedback",
						feedback_items: [{ issue: "more", severity: "minor" }],
					},
				},
				APPROVES,
			],
			task: { max_turns: 1 },
		});
		expect((await at.run()).task).toMatchObject({ success: false, turns: 1 });
		at.repo.git("config", "core.excludesFile", "/dev/null");
		at.repo.write({ ".git/info/exclude": "" });
		const outcome = await at.resume("--max-turns", "3");
		expect(filesOn(at, outcome)).not.toContain(".env");
		expect(filesOn(at, outcome)).toContain("work.txt");
	},
);

thorough(
	"a player that un-ignores what the user ignores is blocked; a tracked file that matches stays",
	async () => {
		const at = userWith(
			{
				steps: [
					{ role: "player", files: { ".gitignore": "!.env\n", ".env": "s", "old.log": "changed" } },
					APPROVES,
				],
				files: { "old.log": "old" },
				task: { max_turns: 1 },
			},
			".env\n*.log\n",
		);
		const { task } = await at.run();
		expect(task).toMatchObject({ success: false, merged: false });
		const [checked] = dataOf(at.trace(), "integrity-checked");
		expect(checked).toMatchObject({
			violations: [".env: ignore rules that held at the start exclude this file; remove it"],
		});
	},
);

test("rules that are too many to keep stop the run before anything happens", async () => {
	const at = userWith({ steps: [LEAVES, APPROVES] }, "a\n".repeat(600_000));
	const { code, stderr } = await at.spar(["run"]);
	expect(code).toBe(2);
	expect(stderr).toContain("more than the 1 MiB allowed");
	expect(at.agents.calls()).toEqual([]);
});

const KEY = {
	role: "player",
	files: { "keys/id_ed25519": "k", ".env.local": "A=1", ".env.example": "A=" },
} as const;
const UNVERIFIED = { max_turns: 1, requires_verification: false };
const ALONE = { ...UNVERIFIED, overlays: {} };

thorough("a new file with a secret's name merges only once somebody has answered", async () => {
	const silent = stage({ steps: [KEY, APPROVES], task: UNVERIFIED });
	expect((await silent.run()).task).toMatchObject({ success: false, merged: false });
	const [{ suspicions = [] } = {}] = dataOf(silent.trace(), "integrity-checked");
	expect(suspicions).toMatchObject([
		{ rule: "secret_file", file: ".env.local" },
		{ rule: "secret_file", file: "keys/id_ed25519" },
	]);
	const answers = { role: "coach", run: answersSuspicions(true) } as const;
	const answered = stage({ steps: [KEY, answers], task: UNVERIFIED });
	expect((await answered.run()).task).toMatchObject({ success: true, merged: true });
});

thorough(
	"without a coach it asks a person, and fails with people off; unless the task names and allows it",
	async () => {
		const off = await stage({ steps: [KEY], task: ALONE }).run();
		expect(off.task).toMatchObject({ merged: false, flags: ["suspicion"] });
		expect(off.task.failure_reason).toEqual(textLike(".env.local"));
		const named = stage({
			steps: [KEY],
			task: {
				...ALONE,
				description: "Write .env.local, and a key to ./keys/id_ed25519.",
				// It is apparatus, too.
				allow: [".env.local", "keys/**"].map((path) => ({
					path,
					change: "edit",
					reason: "asked for",
				})),
			},
		});
		expect((await named.run()).task).toMatchObject({ success: true, merged: true });
	},
);
