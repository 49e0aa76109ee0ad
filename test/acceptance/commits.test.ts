import { chmodSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { thorough, thoroughly } from "../support/amount.ts";
import { refTrap } from "../support/git-trap.ts";
import { startSpar } from "../support/spar.ts";
import { runIds, stateRows } from "../support/state-rows.ts";
import { pair } from "../support/workflow.ts";
import {
	APPROVAL,
	APPROVES,
	CRITERION,
	dataOf,
	type Play,
	type Stage,
	sendsBack,
	stage,
	WORKS,
} from "./stage.ts";

const TWO_TURNS: Play["steps"] = [
	WORKS,
	{ role: "coach", turn: 1, report: sendsBack({ issue: "more is needed", severity: "major" }) },
	{ role: "coach", report: { ...APPROVAL, findings_status: [{ id: "F1", status: "fixed" }] } },
];

const own = (set: Stage, ...args: readonly string[]): string[] =>
	set.repo
		.git("log", "--reverse", ...args)
		.split("\n")
		.filter((line) => line !== "");

thorough(
	"a task is one commit of the user's, with the tree that was tested, and all turns are kept beside it",
	async () => {
		const description = `Add a limiter.\n\nA token bucket.\nSparring-Run: forged\n# no comment`;
		const set = stage({ steps: TWO_TURNS, task: { description } });
		const { code, report, task } = await set.run();
		expect(code).toBe(0);
		const { run_id: run, branch } = report;
		expect(own(set, "--format=%H %P", `main..${branch}`)).toEqual([
			`${String(task["merged_commit"])} ${set.repo.git("rev-parse", "main")}`,
		]);
		expect(set.repo.git("diff", String(task.commit), branch)).toBe("");
		const who = "Test <test@example.invalid>";
		expect(set.repo.git("log", "-1", "--format=%an <%ae>|%cn <%ce>", branch)).toBe(`${who}|${who}`);
		expect(set.repo.git("log", "-1", "--format=%B", branch)).toBe(
			`Add a limiter.

A token bucket.
 Sparring-Run: forged
 # no comment

- ${CRITERION}

Sparring-Run: ${run}
Sparring-Task: one
Sparring-Turn: 2
Sparring-Agents: dev (player), coach (coach)
Sparring-Evidence: tests pass, integrity pass, replay:tests pass, gate T0 PASS
`,
		);
		const kept = `refs/sparring/${run}/one`;
		expect(set.repo.git("for-each-ref", "--format=%(refname)", kept).split("\n")).toEqual([
			`${kept}/merge-2`,
			`${kept}/replay-2`,
			`${kept}/turn-1-1`,
			`${kept}/turn-2-1`,
		]);
		expect(set.repo.git("log", "-1", "--format=%an %s", `${kept}/turn-1-1`)).toBe(
			"Sparring one: turn 1 by dev",
		);
		expect(await set.json("land")).toMatchObject({
			outcome: "landed",
			commit: task["merged_commit"],
		});
	},
);

thorough("history keeps the turns that changed something, and a merge of the user's", async () => {
	const steps = [
		{ role: "player", turn: 2, run: "true" },
		WORKS,
		{ role: "coach", turn: 2, report: sendsBack() },
		...TWO_TURNS.slice(1),
	] as const;
	const set = stage({
		steps,
		workflow: { merge: { style: "history", message: "feat({task}): {title}" } },
	});
	const { report, task } = await set.run();
	expect(task).toMatchObject({ status: "completed", turns: 3 });
	expect(own(set, "--format=%an: %s", "--topo-order", `main..${report.branch}`)).toEqual([
		"Sparring: one: turn 1 by dev",
		"Sparring: one: turn 3 by dev",
		"Test: feat(one): Do the work.",
	]);
	expect(set.repo.git("rev-parse", `refs/sparring/${report.run_id}/one/turn-2-1`)).toBe(
		set.repo.git("rev-parse", `refs/sparring/${report.run_id}/one/turn-1-1`),
	);
	expect(await set.json("land")).toMatchObject({ outcome: "landed" });
	expect(await set.json("prune")).toMatchObject({ pruned: [report.run_id], kept: [] });
});

thorough("work that was there already completes and leaves no commit", async () => {
	const shown = [{ criterion: CRITERION, met: true, tests: ["works"] }];
	const proof = { role: "coach", report: { ...APPROVAL, requirements_status: shown } } as const;
	const set = stage({ steps: [{ role: "player", run: "true" }, proof] });
	const base = set.repo.git("rev-parse", "main");
	const { code, report, task } = await set.run();
	expect(code).toBe(0);
	expect(task).toMatchObject({ merged: false, merged_commit: null, commit: base });
	expect(set.repo.git("rev-parse", report.branch)).toBe(base);
	expect(await set.json("land")).toMatchObject({ outcome: "already_landed", commit: base });
	expect(await set.json("prune")).toMatchObject({ pruned: [report.run_id] });
	expect(await set.spar(["diff", "one"])).toMatchObject({ code: 0, stdout: "" });
});

thorough(
	"the identity is that of the run's start, and Sparring's, with a notice, where there is none",
	async () => {
		const human = { human: true, task: { requires_human: true } };
		const set = stage({ steps: [WORKS, APPROVES], ...human });
		expect((await set.run()).code).toBe(3);
		set.repo.git("config", "user.name", "Somebody else");
		const [item] = (await set.json("hil", "list")) as readonly { readonly id: string }[];
		await set.spar(["hil", "resolve", String(item?.id)]);
		const { code, report } = await set.resume();
		expect(code).toBe(0);
		expect(set.repo.git("log", "-1", "--format=%an %cn", report.branch)).toBe("Test Test");

		const nobody = stage({ steps: [WORKS, APPROVES] });
		nobody.repo.git("config", "--unset", "user.email");
		const unnamed = await nobody.run();
		expect(unnamed.stderr).toContain("so merged commits will be by Sparring <sparring@localhost>");
		expect(nobody.repo.git("log", "-1", "--format=%an <%ae>", unnamed.report.branch)).toBe(
			"Sparring <sparring@localhost>",
		);
	},
);

thorough("a signature that cannot be made is told once, and the work merges", async () => {
	const set = stage({ steps: [WORKS, APPROVES] });
	set.repo.git("config", "commit.gpgSign", "true");
	set.repo.git("config", "gpg.program", "/nowhere/gpg");
	const { code, report, stderr } = await set.run();
	expect(code).toBe(0);
	expect(stderr).toContain("commits are not signed, although commit.gpgSign is set: ");
	expect(set.repo.git("cat-file", "commit", report.branch)).not.toContain("gpgsig");
});

thorough("a secret in description, label or template stays out of the message", async () => {
	const secret = "hunter2hunter2";
	const set = stage({
		steps: [WORKS, APPROVES],
		task: {
			description: `Use ${secret}.`,
			acceptance_criteria: [CRITERION, `no ${secret}`],
			feature_id: secret,
			overlays: {},
			agent: "dev",
		},
		workflow: { merge: { message: `{title} {feature_id} ${secret}` } },
	});
	const result = await set.spar(["run", "--json"], { env: { API_PASSWORD: secret } });
	expect(result.code, result.stderr).toBe(0);
	expect(set.repo.git("log", "--all", "--format=%B", "--not", "main")).not.toContain(secret);
});

describe("a branch that moved while the task worked", () => {
	/** In turn 1 the player moves the integration branch, as another task's merge would. */
	const moves = (
		file: string,
	) => `cd "$HOME/project" && branch=$(git for-each-ref --format='%(refname)' 'refs/heads/sparring/*/integration') &&
blob=$(echo other | git hash-object -w --stdin) && export GIT_INDEX_FILE="$HOME/index" && git read-tree "$branch" &&
git update-index --add --cacheinfo "100644,$blob,${file}" &&
git update-ref "$branch" "$(git commit-tree -p "$branch" -m other "$(git write-tree)")"`;
	const moving = (file: string, then: string) => ({
		role: "player" as const,
		turn: 1,
		run: `echo mine > work.txt; (${moves(file)}); ${then}`,
	});

	test("has the task's commit on top of it", async () => {
		const set = stage({ steps: [moving("other.txt", "true"), APPROVES] });
		const { code, report } = await set.run();
		expect(code).toBe(0);
		expect(own(set, "--format=%s", `main..${report.branch}`)).toEqual(["other", "Do the work."]);
		expect(set.repo.git("show", `${report.branch}:work.txt`, `${report.branch}:other.txt`)).toBe(
			"mine\nother",
		);
	});

	thorough("and conflicts: what the player resolved is one commit on top of it", async () => {
		const steps = [
			moving("work.txt", "true"),
			{ role: "player" as const, run: "echo both > work.txt" },
			APPROVES,
		];
		const set = stage({ steps });
		const { code, report, task } = await set.run();
		expect(code).toBe(0);
		expect(task.turns).toBe(2);
		expect(own(set, "--format=%s|%p", `main..${report.branch}`)).toEqual([
			expect.stringMatching(/^other\|/),
			`Do the work.|${set.repo.git("rev-parse", "--short", `${report.branch}^`)}`,
		]);
		expect(set.repo.git("show", `${report.branch}:work.txt`)).toBe("both");
		expect(set.repo.git("diff", String(task.commit), report.branch)).toBe("");
	});
});

thorough("dependants start on the squashed work of what they depend on", async () => {
	const task = { description: "Do it.", acceptance_criteria: [CRITERION], overlays: pair() };
	const set = stage({
		steps: [{ role: "player", run: 'ls *.txt > "$SPAR_TASK.txt"' }, APPROVES],
		workflow: { tasks: { one: task, two: { ...task, depends_on: ["one"] } } },
	});
	const { code, report } = await set.run();
	expect(code).toBe(0);
	expect(
		own(
			set,
			"--format=%(trailers:key=Sparring-Task,valueonly,separator=)",
			`main..${report.branch}`,
		),
	).toEqual(["one", "two"]);
	expect(set.repo.git("show", `${report.branch}:two.txt`)).toContain("one.txt");
	const diff = await set.spar(["diff", "two"]);
	expect(diff.stdout).toContain("two.txt");
	expect(diff.stdout).not.toContain("a/one.txt");
});

thoroughly("spar prune", () => {
	async function landed(): Promise<Stage & { readonly id: string; readonly branch: string }> {
		const set = stage({ steps: TWO_TURNS });
		const { report } = await set.run();
		expect(await set.json("land")).toMatchObject({ outcome: "landed" });
		return { ...set, id: report.run_id, branch: `sparring/${report.run_id}/one` };
	}

	thorough(
		"takes a squashed task for merged by its record; what it merged is still told",
		async () => {
			const { id, repo, json, spar } = await landed();
			const before = (await spar(["diff", "one"])).stdout;
			expect(before).toContain("+turn 2");
			expect(await json("prune")).toMatchObject({ pruned: [id], kept: [], archived: [] });
			repo.git("reflog", "expire", "--expire=now", "--all");
			repo.git("gc", "--prune=now", "--quiet");
			expect((await spar(["diff", "one"])).stdout).toBe(before);
		},
	);

	thorough(
		"keeps a task's branch that holds more than was merged, and archives it when forced",
		async () => {
			const { id, repo, json, branch } = await landed();
			repo.git("switch", "--quiet", branch);
			repo.write({ "more.txt": "by hand\n" });
			const more = repo.commit("More");
			repo.git("switch", "--quiet", "main");
			expect(await json("prune")).toMatchObject({
				pruned: [],
				kept: [{ run_id: id, reason: expect.stringContaining(branch) as string }],
			});
			expect(await json("prune", "--force")).toMatchObject({
				pruned: [id],
				archived: [{ branch, commit: more, ref: `refs/sparring/archive/${id}/one` }],
			});
			expect(repo.git("rev-parse", `refs/sparring/archive/${id}/one`)).toBe(more);
		},
	);

	for (const [how, change] of [
		["deleted", (set: Stage, branch: string) => set.repo.git("branch", "-D", branch)],
		["set back", (set: Stage, branch: string) => set.repo.git("branch", "-f", branch, "main")],
	] as const)
		thorough(`keeps work whose branches the user ${how}, and archives it when forced`, async () => {
			const set = stage({ steps: TWO_TURNS });
			const { report, task } = await set.run();
			const { run_id: id } = report;
			for (const branch of [report.branch, task.branch]) change(set, branch);
			const merged = String(task["merged_commit"]);
			const reason: unknown = expect.stringContaining(`${task.branch} at ${merged.slice(0, 10)}`);
			expect(await set.json("prune")).toMatchObject({ pruned: [], kept: [{ run_id: id, reason }] });
			const ref = `refs/sparring/archive/${id}/one@${merged.slice(0, 10)}`;
			expect(await set.json("prune", "--force")).toMatchObject({
				pruned: [id],
				archived: [{ branch: task.branch, commit: merged, ref }],
			});
			set.repo.git("reflog", "expire", "--expire=now", "--all");
			set.repo.git("gc", "--prune=now", "--quiet");
			expect(set.repo.git("show", `${ref}:work.txt`)).toBe("turn 1\nturn 2");
		});

	thorough("keeps a failed task whose branch was deleted", async () => {
		const set = stage({ steps: TWO_TURNS, task: { max_turns: 1 } });
		const { report, task } = await set.run();
		set.repo.git("branch", "-D", task.branch);
		expect(await set.json("prune")).toMatchObject({
			pruned: [],
			kept: [{ run_id: report.run_id }],
		});
	});

	thorough("keeps what the base no longer holds", async () => {
		const { id, repo, json } = await landed();
		repo.git("reset", "--quiet", "--hard", "HEAD~1");
		expect(await json("prune")).toMatchObject({ pruned: [], kept: [{ run_id: id }] });
	});
});

thoroughly("a run that is killed while a task merges", () => {
	const BRANCH = "refs/heads/*/integration";
	const KILL = "kill -9 $spar; exit 1";

	/** Killed when git has locked such a ref, or has moved it, for the first time after the coach has approved. */
	async function killedAt(state: "prepared" | "committed", ref: string): Promise<Stage> {
		const arms = { ...APPROVES, run: 'touch "$HOME/trap/armed"' };
		const set = stage({ steps: [WORKS, arms] });
		const trap = refTrap(set.repo, { state, ref }, KILL);
		rmSync(join(set.repo.home, "trap/armed"));
		const { ended } = startSpar(set.repo, ["run"], { env: trap.env });
		const { signal, stderr } = await ended;
		expect(signal, stderr).toBe("SIGKILL");
		return set;
	}

	async function expectMergedOnce(set: Stage, at: Awaited<ReturnType<Stage["run"]>>) {
		const { code, report, task, stderr } = at;
		expect(code, stderr).toBe(0);
		expect(own(set, "--format=%H %s", `main..${report.branch}`)).toEqual([
			`${String(task["merged_commit"])} Do the work.`,
		]);
		expect(dataOf(set.trace(), "task-merged")).toHaveLength(1);
		expect(set.trace().agent_invocations).toEqual({ dev: 1, coach: 1 });
		expect(set.repo.git("diff", String(task.commit), report.branch)).toBe("");
		expect(await set.json("land")).toMatchObject({ outcome: "landed" });
		expect(await set.json("prune")).toMatchObject({ pruned: [report.run_id] });
	}

	thorough("after the branch moved and before the record: it is not merged again", async () => {
		const set = await killedAt("committed", BRANCH);
		expect(stateRows(set.repo, "SELECT merged FROM tasks")).toEqual([{ merged: 0 }]);
		const tip = set.repo.git("rev-parse", `sparring/${runIds(set.repo)[0]}/integration`);
		const outcome = await set.resume();
		expect(outcome.task["merged_commit"]).toBe(tip);
		await expectMergedOnce(set, outcome);
	});

	thorough(
		"likewise, and the turn's commit is lost: the work is on the branch, and not done again",
		async () => {
			const set = await killedAt("committed", BRANCH);
			const turn = set.repo.git("rev-parse", `refs/sparring/${runIds(set.repo)[0]}/one/turn-1-1`);
			const file = join(set.repo.root, ".git/objects", turn.slice(0, 2), turn.slice(2));
			chmodSync(file, 0o644);
			writeFileSync(file, "");
			const { code, task, stderr } = await set.resume();
			expect(code, stderr).toBe(0);
			expect(task).toMatchObject({ status: "completed", merged: true, turns: 1 });
			expect(dataOf(set.trace(), "turns-lost")).toEqual([]);
			expect(set.trace().agent_invocations).toEqual({ dev: 1, coach: 1 });
		},
	);

	const MERGE = "refs/sparring/*/one/merge-1";
	for (const [when, state, ref] of [
		["before the branch moved", "prepared", BRANCH],
		["when its commit was made", "prepared", MERGE],
		["when its commit has its ref", "committed", MERGE],
	] as const)
		thorough(`${when}: the commit is made or found again, once`, async () => {
			const set = await killedAt(state, ref);
			set.repo.git("gc", "--prune=now", "--quiet");
			await expectMergedOnce(set, await set.resume());
		});
});
