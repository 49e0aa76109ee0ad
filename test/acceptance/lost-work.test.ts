import { existsSync, globSync, readdirSync, renameSync, rmSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { thorough, thoroughly } from "../support/amount.ts";
import { gitTrap, TRAPS } from "../support/git-trap.ts";
import { processesOf } from "../support/processes.ts";
import { sparProcess, startSpar } from "../support/spar.ts";
import { runIds } from "../support/state-rows.ts";
import { USER_HOME } from "../support/user-home.ts";
import { pair } from "../support/workflow.ts";
import {
	APPROVES,
	CRITERION,
	dataOf,
	outcomeOf,
	type Stage,
	stage,
	TESTS,
	textLike,
	WORKS,
} from "./stage.ts";

const FILES = { "a.js": "a\n", "b.js": "b\n", "src/c.js": "c\n", "src/d.js": "d\n" };

function twoFileStage(): Stage {
	return stage({ steps: [WORKS, APPROVES], files: FILES });
}

/** The run ends half-way through the snapshot: the player has answered, and its work is in no commit yet. */
async function stopAtSnapshot(at: Stage, trap: string): Promise<void> {
	const git = gitTrap(at.repo, { like: "* add --all *" }, trap);
	await sparProcess(at.repo, ["run"], { env: git.env });
	expect(git.sprung()).toBe(true);
	expect(at.repo.git("branch", "--list", "sparring/*/one")).toBe("");
}

/** What the run merged holds every file of the base, and the player's. */
function expectWholeMerge(at: Stage, branch: string): void {
	const files = at.repo.git("ls-tree", "-r", "--name-only", branch).split("\n");
	expect(files).toEqual(expect.arrayContaining([...Object.keys(FILES), "work.txt"]));
}

function playerCalls(at: Stage): number {
	return at.agents.calls().filter(({ event, role }) => event === "start" && role === "player")
		.length;
}

thoroughly("a call whose checkout is gone is made again, and its absence is no change", () => {
	test("after a kill at the snapshot, when the checkouts are looked for elsewhere", async () => {
		const at = twoFileStage();
		await stopAtSnapshot(at, TRAPS.killParent);
		// What a process leaves that is killed while it replaces a file, of a number that no process has.
		const [runId = ""] = runIds(at.repo);
		for (const folder of [`transcripts/${runId}/one`, `runs/${runId}/evidence/one`, "traces"])
			at.repo.write({ [`.sparring/${folder}/one.log.999999999-1-abc123.tmp`]: "half" });
		const env = { SPAR_CHECKOUTS: join(at.repo.home, "elsewhere") };
		const outcome = outcomeOf(await at.spar(["resume", "--json"], { env }));
		expect(outcome.code, outcome.stderr).toBe(0);
		expect(playerCalls(at)).toBe(2);
		expect(dataOf(at.trace(), "work-lost")).toMatchObject([
			{ role: "player", call: 1, reason: "its checkout is gone" },
		]);
		expectWholeMerge(at, outcome.report.branch);
		expect(globSync(".sparring/**/*.tmp", { cwd: at.repo.root })).toEqual([]);
	});

	thorough("after a full disk, when the user has removed the checkouts to free space", async () => {
		const at = twoFileStage();
		await stopAtSnapshot(at, TRAPS.diskFull);
		rmSync(join(at.repo.home, "checkouts"), { recursive: true });
		const outcome = await at.resume();
		expect(outcome.code, outcome.stderr).toBe(0);
		expect(playerCalls(at)).toBe(2);
		expectWholeMerge(at, outcome.report.branch);
	});

	thorough("when only what lies in the checkout was removed", async () => {
		const at = twoFileStage();
		await stopAtSnapshot(at, TRAPS.killParent);
		const links = join(at.repo.root, ".sparring/worktrees");
		const folder = join(links, runIds(at.repo)[0] ?? "", "one/player");
		const player = join(folder, readdirSync(folder)[0] ?? "");
		for (const name of ["a.js", "b.js", "src", "check.sh", "results.tap"]) {
			rmSync(join(player, name), { recursive: true });
		}
		const outcome = await at.resume();
		expect(outcome.code, outcome.stderr).toBe(0);
		expect(dataOf(at.trace(), "work-lost")).toMatchObject([
			{ reason: "6 of the 7 files of its checkout are gone" },
		]);
		expectWholeMerge(at, outcome.report.branch);
	});

	thorough("when another checkout has been made in its place since", async () => {
		const at = twoFileStage();
		await stopAtSnapshot(at, TRAPS.killParent);
		const kept = join(at.repo.home, "checkouts");
		const aside = join(at.repo.home, "aside");
		renameSync(kept, aside);
		const second = gitTrap(at.repo, { like: "* add --all *" }, TRAPS.killParent);
		await sparProcess(at.repo, ["resume"], { env: second.env });
		rmSync(kept, { recursive: true });
		renameSync(aside, kept);
		const outcome = await at.resume();
		expect(outcome.code, outcome.stderr).toBe(0);
		expect(playerCalls(at)).toBe(3);
		expect(dataOf(at.trace(), "work-lost")).toMatchObject([
			{ reason: "its checkout is gone" },
			{ reason: "its checkout has been made again since" },
		]);
		expectWholeMerge(at, outcome.report.branch);
	});

	thorough("when it is removed while its snapshot is taken", async () => {
		const at = twoFileStage();
		// The trap springs once, so the call within it is that of git itself.
		const removed = '"$0" "$@"; code=$?; rm -rf "$HOME"/checkouts/*/*/one/player; exit $code';
		const git = gitTrap(at.repo, { like: "* commit-tree *" }, removed);
		const stopped = await at.spar(["run"], { env: git.env });
		expect([stopped.code, stopped.stderr]).toEqual([2, textLike("spar resume")]);
		expect(at.repo.git("branch", "--list", "sparring/*/one")).toBe("");
		const outcome = await at.resume();
		expect(outcome.code, outcome.stderr).toBe(0);
		expect(playerCalls(at)).toBe(2);
		expectWholeMerge(at, outcome.report.branch);
	});

	thorough("when it is removed between two steps of its snapshot", async () => {
		const at = twoFileStage();
		const removed = '"$0" "$@"; code=$?; rm -rf "$HOME"/checkouts/*/*/one/player; exit $code';
		const git = gitTrap(at.repo, { like: "* add --all *" }, removed);
		const stopped = await at.spar(["run"], { env: git.env });
		expect([stopped.code, stopped.stderr]).toEqual([
			2,
			expect.stringMatching(/one\/player\/\S+: the directory is gone/),
		]);
		expect((await at.resume()).code).toBe(0);
	});

	thorough("a checkout that is still there is used, and the call is not made again", async () => {
		const at = twoFileStage();
		await stopAtSnapshot(at, TRAPS.killParent);
		const outcome = await at.resume();
		expect(outcome.code, outcome.stderr).toBe(0);
		expect(playerCalls(at)).toBe(1);
		expectWholeMerge(at, outcome.report.branch);
	});
});

thorough("a player that removes its own checkout has failed, and is asked again", async () => {
	const removes = { role: "player", call: 1, run: 'cd / && rm -rf "$OLDPWD"' } as const;
	const at = stage({ steps: [removes, WORKS, APPROVES], files: FILES });
	const outcome = await at.run();
	expect(outcome.code, outcome.stderr).toBe(0);
	expect(dataOf(at.trace(), "agent-failed")).toMatchObject([{ failure: "tool_error" }]);
	expectWholeMerge(at, outcome.report.branch);
});

thorough("a turn that deletes most of the files is shown by name to coach and person", async () => {
	const deletes = { role: "player", run: "rm a.js b.js src/c.js src/d.js" } as const;
	const coach = { ...APPROVES, run: 'cat "$SPAR_PROMPT" > "$HOME/coach-prompt.txt"' };
	const at = stage({ steps: [deletes, coach], files: FILES });
	const outcome = await at.run();
	const note = "most of the project was deleted: 4 of 7 files: a.js, b.js, src/c.js, src/d.js";
	expect(at.kept("coach-prompt.txt")).toContain(note);
	expect(outcome.stderr).toContain(note);
});

thorough("a git that outlives its killed parent is ended before the run goes on", async () => {
	const at = twoFileStage();
	const git = gitTrap(at.repo, { like: "* read-tree --reset *" }, TRAPS.killParentAndWait);
	await sparProcess(at.repo, ["run"], { env: git.env });
	expect(git.sprung()).toBe(true);
	const outcome = await at.resume();
	// The late one may begin now, if it is still there.
	git.release();
	expect(outcome.code, outcome.stderr).toBe(0);
	expect(outcome.task.turns).toBe(1);
	expect(processesOf(at.repo)).toEqual([]);
	expectWholeMerge(at, outcome.report.branch);
});

thoroughly("git gc --prune=now during a run", () => {
	thorough("leaves the merge commit alone while the cold run goes on", async () => {
		const collects = `${TESTS.run} && if [ -e "${USER_HOME}/collect" ]; then git -C "${USER_HOME}/project" gc --prune=now --quiet; fi`;
		const at = stage({
			steps: [WORKS, { ...APPROVES, run: 'touch "$HOME/collect"' }],
			files: FILES,
			workflow: { checks: { tests: { ...TESTS, run: collects } } },
		});
		const outcome = await at.run();
		expect(outcome.code, outcome.stderr).toBe(0);
		expectWholeMerge(at, outcome.report.branch);
	});

	thorough(
		"after a kill in the cold run the merge commit is made again, the same one",
		async () => {
			const kills = `if [ -e "${USER_HOME}/kill" ]; then rm "${USER_HOME}/kill"; kill -9 $(cat "${USER_HOME}/pid"); fi; ${TESTS.run}`;
			const at = stage({
				steps: [WORKS, { ...APPROVES, run: 'touch "$HOME/kill"' }],
				files: FILES,
				// With it everything runs in the merge, after the approval.
				task: { allow: [{ path: "test/**", change: "edit", reason: "they may change" }] },
				workflow: { checks: { tests: { ...TESTS, run: kills } } },
			});
			const run = startSpar(at.repo, ["run"]);
			at.repo.write({ "../pid": `${run.child.pid}` });
			expect((await run.ended).signal).toBe("SIGKILL");
			const [ref = ""] = at.repo
				.git("for-each-ref", "--format=%(refname)", "refs/sparring/*/one/merge-1")
				.split("\n");
			const commit = at.repo.git("rev-parse", ref);
			at.repo.git("update-ref", "-d", ref);
			at.repo.git("gc", "--prune=now", "--quiet");
			const outcome = await at.resume();
			expect(outcome.code, outcome.stderr).toBe(0);
			expect(at.repo.git("rev-parse", outcome.report.branch)).toBe(commit);
			expectWholeMerge(at, outcome.report.branch);
		},
	);

	thorough("between a killed snapshot and its repetition costs no work", async () => {
		const at = twoFileStage();
		const git = gitTrap(at.repo, { like: "* write-tree *" }, TRAPS.killParent);
		await sparProcess(at.repo, ["run"], { env: git.env });
		expect(git.sprung()).toBe(true);
		at.repo.git("gc", "--prune=now", "--quiet");
		const outcome = await at.resume();
		expect(outcome.code, outcome.stderr).toBe(0);
		expect(playerCalls(at)).toBe(1);
		expectWholeMerge(at, outcome.report.branch);
	});
});

thorough(
	"a git command that somebody kills says nothing of the repository: no turn is given up for it",
	async () => {
		const at = twoFileStage();
		const merging = gitTrap(at.repo, { like: "* merge-tree *" }, TRAPS.killParent);
		await sparProcess(at.repo, ["run"], { env: merging.env });
		expect(merging.sprung()).toBe(true);
		const looking = gitTrap(at.repo, { like: "* --verify-objects *" }, "kill -9 $$");
		const { code, stderr } = await sparProcess(at.repo, ["resume"], { env: looking.env });
		expect(looking.sprung()).toBe(true);
		expect(code).not.toBe(0);
		expect(stderr).toContain("git rev-list was ended from outside");
		const { task } = await at.resume();
		expect(task).toMatchObject({ merged: true, turns: 1 });
		expect(playerCalls(at)).toBe(1);
	},
);

/** Something of a process that has ended, beside each kind of file that it replaces. */
function leaveBehind(at: Stage): string[] {
	const [runId = ""] = runIds(at.repo);
	const vault = `.sparring/worktrees/${runId}/vault.git`;
	const left = "999999999-1-abc123.tmp";
	const names = [
		`.sparring/repository-id.${left}`,
		`.sparring/transcripts/${runId}/one/turn-1-player-1.log.${left}`,
		`../checkouts/${readdirSync(join(at.repo.home, "checkouts"))[0]}/repository.json.${left}`,
		`${vault}/index.${left}/index.lock`,
		`${vault}/plain.git/HEAD.${left}`,
		`${vault}/refs/made/abcdef123456`,
	];
	at.repo.write(Object.fromEntries(names.map((name) => [name, ""])));
	at.repo.write({ [`.git/refs/heads/sparring/${runId}/one.lock`]: "", [`${vault}/mine`]: "" });
	return [...names, `.git/refs/heads/sparring/${runId}/one.lock`];
}

/** What is still there of some files. */
const stillThere = (at: Stage, names: readonly string[]): string[] =>
	names.filter((name) => existsSync(join(at.repo.root, name)));

/** Leaves a folder of git with unfinished objects, as one that was ended long ago does. */
function leaveGathered(at: Stage): string {
	const folder = ".git/objects/tmp_objdir-bulk-fsync-abc123";
	at.repo.write({ [`${folder}/ab/cdef`]: "" });
	for (const name of ["ab/cdef", "ab", "."]) utimesSync(join(at.repo.root, folder, name), 1, 1);
	return folder;
}

thorough("what git had gathered when it was ended is removed by spar prune, too", async () => {
	const at = stage({ steps: [WORKS, APPROVES] });
	await at.run();
	const folder = leaveGathered(at);
	expect((await at.spar(["prune"])).code).toBe(0);
	expect(stillThere(at, [folder])).toEqual([]);
});

test.each(["cancel", "resume"])(
	"what a killed process left is removed by spar %s",
	async (command) => {
		const at = twoFileStage();
		await stopAtSnapshot(at, TRAPS.killParent);
		const names = [...leaveBehind(at), leaveGathered(at)];
		const { code, stderr } = await at.spar([command]);
		expect(code, stderr).toBe(0);
		expect(stillThere(at, names)).toEqual([]);
		const [runId = ""] = runIds(at.repo);
		expect(stillThere(at, [`.sparring/worktrees/${runId}/vault.git/mine`])).toHaveLength(1);
	},
);

thorough(
	"the files of a task that is called as something unfinished stay when the run goes on",
	async () => {
		const id = "b.99999-1-abc123.tmp";
		const task = { agent: "dev", description: "Work.", acceptance_criteria: [CRITERION] };
		const tasks = { [id]: { ...task, overlays: pair() } };
		const at = stage({ steps: [WORKS, APPROVES], files: FILES, workflow: { tasks } });
		await stopAtSnapshot(at, TRAPS.killParent);
		const [runId = ""] = runIds(at.repo);
		at.repo.write({ [`.sparring/transcripts/${runId}/${id}/mine`]: "" });
		const outcome = await at.resume();
		expect(outcome.code, outcome.stderr).toBe(0);
		expect(readdirSync(join(at.repo.root, ".sparring/transcripts", runId, id))).toContain("mine");
	},
);
