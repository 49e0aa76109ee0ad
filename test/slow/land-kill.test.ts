import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { amount } from "../support/amount.ts";
import { type Blow, CRASH_AT, sparUnder } from "../support/killing.ts";
import { processesOf } from "../support/processes.ts";
import { repository, type TestRepository } from "../support/repository.ts";
import { scriptedAgents } from "../support/scripted-agents.ts";
import { seeded, seedOfProcess } from "../support/seeded.ts";
import { sparProcess as spar, startSpar } from "../support/spar.ts";
import { integrityOf, stateRows } from "../support/state-rows.ts";
import { type UserState, userState } from "../support/user-state.ts";
import { waitUntil } from "../support/wait-until.ts";
import { workflow } from "../support/workflow.ts";
import { FILES, TWO_TASKS } from "./workloads.ts";

const SEED = seedOfProcess();
const PARTS = amount(12, 4);

let repo: TestRepository;
let copy: string;

/** One finished run; each test begins on a copy of it, put back at the same place. */
beforeAll(async () => {
	repo = repository({ files: FILES });
	const { agents } = scriptedAgents(repo, TWO_TASKS.steps);
	repo.write({ "sparring.yaml": workflow({ agents, ...TWO_TASKS.workflow }) });
	repo.commit("A workflow");
	const { code, stderr } = await spar(repo, ["run"]);
	expect(code, stderr).toBe(0);
	copy = mkdtempSync(join(tmpdir(), "spar-copy-"));
	cpSync(repo.home, copy, { recursive: true, verbatimSymlinks: true });
});

afterAll(() => {
	repo.remove();
	rmSync(copy, { recursive: true, force: true });
});

function putBack(): void {
	rmSync(repo.home, { recursive: true, force: true });
	cpSync(copy, repo.home, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
	repo.git("update-index", "-q", "--refresh");
}

function runId(): string {
	return String(stateRows(repo, "SELECT run_id FROM runs")[0]?.["run_id"]);
}

/** Of the user's, what a landing may change: where the base stands, and the index and files of its checkout. */
function expectBeforeOrAfter(before: UserState, landed: string): void {
	const now = userState(repo);
	const base = repo.git("rev-parse", "main");
	const { head, config, stash } = before;
	expect({ head: now.head, config: now.config, stash: now.stash }).toEqual({ head, config, stash });
	const others = (refs: readonly string[]) =>
		refs.filter((line) => !line.startsWith("refs/heads/main "));
	expect(others(now.refs)).toEqual(others(before.refs));
	if (base === before.refs.find((line) => line.startsWith("refs/heads/main "))?.split(" ")[1])
		return;
	expect(repo.git("rev-parse", "main^{tree}")).toBe(landed);
	expect(repo.git("status", "--porcelain", "--untracked-files=no")).toBe("");
}

/** The commit that a landing should bring, by its tree; with `moved` the base has a commit of its own since. */
function beginning(moved: boolean): string {
	putBack();
	const integration = `sparring/${runId()}/integration`;
	if (!moved) return repo.git("rev-parse", `${integration}^{tree}`);
	repo.write({ "readme.md": "# Moved\n" });
	repo.commit("The base moves");
	return repo.git("merge-tree", "--write-tree", "main", integration);
}

/**
 * Kills one landing and expects a base that is either where it was or where it should be.
 *
 * @returns false when the landing ended before the blow: how many effects a check's process has varies a little
 */
async function landUnder(blow: Blow, landedTree: string): Promise<boolean> {
	const before = userState(repo);
	const killed = await sparUnder(repo, ["land"], blow);
	const said = `seed ${SEED}, ${JSON.stringify(blow)}: ${killed.stderr}`;
	if (killed.signal === null) expect(killed.code, said).toBe(0);
	await waitUntil("git finishes what it began", () =>
		processesOf(repo).every(({ command }) => !command.startsWith("git")),
	);
	expect(integrityOf(repo), said).toBe("ok");
	expect(repo.git("fsck", "--no-dangling", "--no-progress"), said).toBe("");
	expectBeforeOrAfter(before, landedTree);
	const { code, stderr: reason } = await spar(repo, ["land"]);
	expect(code, `${said}; then ${reason}`).toBe(0);
	await expectLanded(landedTree);
	return killed.signal === "SIGKILL";
}

/** After the last landing: all is landed, once, and a landing more changes nothing. */
async function expectLanded(landedTree: string): Promise<void> {
	expect(repo.git("rev-parse", "main^{tree}")).toBe(landedTree);
	expect(repo.git("status", "--porcelain")).toBe("");
	expect(processesOf(repo)).toEqual([]);
	const again = await spar(repo, ["land", "--json"]);
	expect(JSON.parse(again.stdout)).toMatchObject({ outcome: "already_landed" });
	const landings = stateRows(
		repo,
		"SELECT count(*) AS times FROM events WHERE type = 'run-landed'",
	);
	expect(landings).toEqual([{ times: 1 }]);
	const commit = stateRows(repo, "SELECT landed_commit AS commit_id FROM runs")[0]?.["commit_id"];
	expect(commit).toBe(repo.git("rev-parse", "main"));
	expect(readdirSync(join(repo.root, ".git")).filter((name) => name.endsWith(".lock"))).toEqual([]);
}

/** One blow in each of so many equal parts of a landing's effects. */
function blowsOver(effects: number, parts: number): readonly Blow[] {
	const random = seeded(SEED);
	return Array.from({ length: parts }, (_, part) => {
		const from = Math.floor((part * effects) / parts) + 1;
		const to = Math.floor(((part + 1) * effects) / parts);
		const side = random.pick(["before", "after"]);
		return { kind: "effect", at: random.integer(from, to), side };
	});
}

/** Effects of a whole landing, of one that finds the base where it was and of one that brings it in. */
async function effectsOf(moved: boolean): Promise<number> {
	beginning(moved);
	const file = join(repo.home, "effects");
	const env = { SPAR_TEST_CRASH_COUNT: file };
	const { code, stderr } = await startSpar(repo, ["land"], { preload: CRASH_AT, env }).ended;
	expect(code, stderr).toBe(0);
	return Number(readFileSync(file, "utf8"));
}

describe("a landing that is killed", () => {
	test("leaves the base before or after, and landing again finishes", async () => {
		// The last effects only give the lease back and close the database.
		let dealt = 0;
		for (const blow of blowsOver((await effectsOf(false)) - 4, PARTS))
			dealt += (await landUnder(blow, beginning(false))) ? 1 : 0;
		expect(dealt).toBeGreaterThanOrEqual(PARTS / 2);
	});

	test("brings in a base that moved, checks it, and finishes", async () => {
		let dealt = 0;
		for (const blow of blowsOver((await effectsOf(true)) - 4, PARTS)) {
			dealt += (await landUnder(blow, beginning(true))) ? 1 : 0;
			expect(repo.git("log", "--format=%s", "--first-parent", "-1")).toContain("Merge main into");
		}
		expect(dealt).toBeGreaterThanOrEqual(PARTS / 2);
	});

	test("names the lock that a killed git left in the user's checkout, and lands once it is gone", async () => {
		const tree = beginning(false);
		const before = userState(repo);
		const lock = join(repo.root, ".git", "index.lock");
		writeFileSync(lock, "");
		const { code, stderr } = await spar(repo, ["land"]);
		expect(code, stderr).toBe(2);
		expect(stderr).toContain("git merge failed");
		expect(stderr).toContain(lock);
		expect(userState(repo)).toEqual(before);
		rmSync(lock);
		await spar(repo, ["land"]);
		await expectLanded(tree);
	});
});
