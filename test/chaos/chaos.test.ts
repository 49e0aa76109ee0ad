import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CRASH_AT } from "../support/killing.ts";
import { killAllOf, processesOf } from "../support/processes.ts";
import { repository, type TestRepository } from "../support/repository.ts";
import { type Seeded, seeded, seedOfProcess } from "../support/seeded.ts";
import { type SparResult, startSpar } from "../support/spar.ts";
import { integrityOf, runIds, stateRows } from "../support/state-rows.ts";
import { tidyLater } from "../support/tidy.ts";
import { userState } from "../support/user-state.ts";
import { faultsOf, TASKS, writeTeam } from "./team.ts";

const SEED = seedOfProcess();
const KILLS = Number(process.env["SPAR_CHAOS_KILLS"] ?? 250);

/** Every so many kills the whole repository is looked at, which takes longer than a life. */
const LOOK_EVERY = 10;

function scene(): TestRepository {
	const repo = repository();
	tidyLater(() => repo.remove());
	writeTeam(repo);
	repo.commit("A team");
	repo.write({ "notes.txt": "not tracked\n" });
	return repo;
}

/** What a kill hits: the orchestrator alone, everything at once, one of its children, or itself in an effect. */
const VICTIMS = ["orchestrator", "machine", "child", "effect", "commit", "commit"] as const;

interface Blow {
	readonly victim: (typeof VICTIMS)[number];
	/** When, in ms; or at which effect or transaction. */
	readonly at: number;
	readonly side: "before" | "after";
}

const REACH = { orchestrator: 2_500, machine: 2_500, child: 2_000, effect: 900, commit: 90 };

function randomBlow(random: Seeded): Blow {
	const victim = random.pick(VICTIMS);
	return {
		victim,
		at: random.integer(1, REACH[victim]),
		side: random.pick(["before", "after"]),
	};
}

/** Ends a random agent, check or git command of the run; the orchestrator has to live with that. */
function killChild(repo: TestRepository, orchestrator: number | undefined, random: Seeded): void {
	const [first, ...others] = processesOf(repo).filter(({ pid }) => pid !== orchestrator);
	if (first === undefined) return;
	try {
		process.kill(random.pick([first, ...others]).pid, "SIGKILL");
	} catch {
		// It has ended by itself in between.
	}
}

/** Runs one process of the run under a blow. */
async function lifeUnder(
	repo: TestRepository,
	args: readonly string[],
	{ victim, at, side }: Blow,
	random: Seeded,
): Promise<SparResult> {
	if (victim === "effect" || victim === "commit") {
		const env = { SPAR_TEST_CRASH_AT: `${victim}.${at}.${side}` };
		return startSpar(repo, args, { env, preload: CRASH_AT }).ended;
	}
	const { child, ended } = startSpar(repo, args);
	const strike = (): void => {
		if (child.exitCode !== null) return;
		if (victim === "machine") killAllOf(repo);
		else if (victim === "child") killChild(repo, child.pid, random);
		else child.kill("SIGKILL");
		// What a child's end did to the run shows itself while the run goes on, to its own end.
		if (victim === "child") end = setTimeout(() => child.kill("SIGKILL"), 1_500);
	};
	let end = setTimeout(strike, at);
	return ended.finally(() => clearTimeout(end));
}

/** How a life ended, with the tasks that failed: for the message of a failed test. */
function described(repo: TestRepository, args: readonly string[], result: SparResult): string {
	const failed = stateRows(
		repo,
		"SELECT task_id, status, failure_reason FROM tasks WHERE status IN ('failed', 'blocked')",
	);
	const { code, signal, stderr } = result;
	return `seed ${SEED}, ${args.join(" ")}: ${code ?? signal}\n${JSON.stringify(failed)}\n${stderr}`;
}

/** The next life of the run: from its start, or from where it stands. */
async function live(repo: TestRepository, blow: Blow | null, random: Seeded): Promise<SparResult> {
	const [runId] = runIds(repo);
	const args = runId === undefined ? ["run"] : ["resume", runId];
	const result =
		blow === null ? await startSpar(repo, args).ended : await lifeUnder(repo, args, blow, random);
	// A git command that was killed stops its task or the run: that goes on after a resume.
	const isStopped = blow?.victim === "child" && /was ended from outside/.test(result.stderr);
	const isKilled = result.signal === "SIGKILL" || isStopped;
	const said = described(repo, args, result);
	if (!isKilled) expect(result.code, said).toBe(0);
	expect(integrityOf(repo), said).toBe("ok");
	return isKilled ? { ...result, signal: "SIGKILL" } : result;
}

/** Takes the run to its end, killed on the way. @returns how often it was killed */
async function livedThrough(repo: TestRepository, kills: number): Promise<number> {
	const random = seeded(SEED);
	const before = userState(repo);
	for (let done = 0; ; done += 1) {
		const { signal } = await live(repo, done < kills ? randomBlow(random) : null, random);
		if (signal !== "SIGKILL") return done;
		if (done % LOOK_EVERY === 0) expect(userState(repo), `kill ${done}`).toEqual(before);
	}
}

const merges = (repo: TestRepository, branch: string): readonly string[] =>
	repo
		.git("log", "--format=%(trailers:key=Sparring-Task,valueonly,separator=)", `main..${branch}`)
		.split("\n")
		.filter((line) => line !== "");

/** Names below a directory that only something unfinished leaves. */
function leftovers(directory: string): readonly string[] {
	return readdirSync(directory, { recursive: true, encoding: "utf8" }).filter((name) =>
		/\.lock$|\.tmp$|\/tmp\/./.test(name),
	);
}

function expectAllMergedOnce(repo: TestRepository): void {
	const [runId] = runIds(repo);
	const branch = `sparring/${runId}/integration`;
	expect(merges(repo, branch).toSorted()).toEqual(TASKS);
	const commits = repo.git("rev-list", `main..${branch}`).split("\n");
	expect(commits.flatMap((commit) => faultsOf(repo, commit))).toEqual([]);
	expect(stateRows(repo, "SELECT DISTINCT status FROM tasks")).toEqual([{ status: "completed" }]);
	expect(repo.git("fsck", "--no-dangling", "--no-progress")).toBe("");
	expect(processesOf(repo)).toEqual([]);
	expect(leftovers(join(repo.root, ".git"))).toEqual([]);
	expect(leftovers(join(repo.root, ".sparring"))).toEqual([]);
}

/** Every file that a run merged, with its text. */
function mergedFiles(repo: TestRepository): Readonly<Record<string, string>> {
	const branch = `sparring/${runIds(repo)[0]}/integration`;
	const paths = repo.git("ls-tree", "-r", "--name-only", branch).split("\n");
	return Object.fromEntries(paths.map((path) => [path, repo.git("show", `${branch}:${path}`)]));
}

/** All names in the run's own repository. */
function vaultOf(repo: TestRepository): readonly string[] {
	const vault = join(repo.root, ".sparring/worktrees", runIds(repo)[0] ?? "", "vault.git");
	// Packs of a history have the names of its commits, which are of a time.
	return readdirSync(vault, { recursive: true, encoding: "utf8" })
		.filter((path) => !path.startsWith("history/"))
		.toSorted();
}

test(`twelve tasks at once, killed up to ${KILLS} times, merge what an undisturbed run merges, each once`, async () => {
	const calm = scene();
	await livedThrough(calm, 0);
	expectAllMergedOnce(calm);
	let kills = 0;
	while (kills < KILLS) {
		const repo = scene();
		const before = userState(repo);
		kills += await livedThrough(repo, KILLS - kills);
		expectAllMergedOnce(repo);
		expect(mergedFiles(repo), `seed ${SEED}`).toEqual(mergedFiles(calm));
		expect(vaultOf(repo)).toEqual(vaultOf(calm));
		expect(userState(repo)).toEqual(before);
		repo.remove();
	}
});
