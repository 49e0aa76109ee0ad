import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { amount, spread } from "../support/amount.ts";
import { type Life, type LifePlan, livedThrough, randomBlows } from "../support/killed-life.ts";
import { repository, type TestRepository } from "../support/repository.ts";
import { runOutcome } from "../support/run-outcome.ts";
import { type ScriptedAgents, scriptedAgents } from "../support/scripted-agents.ts";
import { seeded, seedOfProcess } from "../support/seeded.ts";
import { sparProcess as spar } from "../support/spar.ts";
import { stateRows } from "../support/state-rows.ts";
import { workflow } from "../support/workflow.ts";
import { DISPUTE, ESCALATION, FILES, TWO_TASKS, VERIFIED, type Workload } from "./workloads.ts";

const SEED = seedOfProcess();
const CASSETTE = "../recorded.jsonl";

/** `SPAR_TEST_SEED=... npm run test:kill` repeats the choices; what was under way then depends on the machine too. */
const told = (life: Life): string =>
	`seed ${SEED}, exit ${life.exitCode}, after ${JSON.stringify(life.blows)}`;

const repositories: TestRepository[] = [];

afterAll(() => {
	for (const repo of repositories) repo.remove();
});

interface Scene {
	readonly repo: TestRepository;
	readonly scripted: ScriptedAgents;
}

/** A repository with a workload, and something of the user's in every place that must stay as it is. */
function scene({ steps, workflow: content }: Workload): Scene {
	const repo = repository({ files: FILES });
	repositories.push(repo);
	const scripted = scriptedAgents(repo, steps);
	// One thing at a time, so that two runs tell the same story in the same order.
	const { dev } = scripted.agents;
	const one = { max_parallel: 1, agents: { ...scripted.agents, arbiter: dev } };
	repo.write({ "sparring.yaml": workflow({ ...one, ...content }) });
	repo.commit("A workflow");
	repo.git("branch", "other");
	repo.write({ "readme.md": "# Stashed\n" });
	repo.git("stash");
	repo.write({ "readme.md": "# Staged\n" });
	repo.git("add", "readme.md");
	repo.write({ "readme.md": "# Changed\n", "notes.txt": "not tracked\n" });
	return { repo, scripted };
}

/** Each seat, task and turn: begun once, and once more for each kill that hit it; its answer taken once. */
function expectCallsOnce({ repo, scripted }: Scene, life: Life): void {
	const key = (row: Readonly<Record<string, unknown>>) =>
		`${String(row["task"])} ${String(row["turn"])} ${String(row["role"])}`;
	const keyed = (row: Readonly<Record<string, unknown>>) => `${key(row)} ${String(row["call"])}`;
	const called = stateRows(
		repo,
		`SELECT id, task, turn, json_extract(data, '$.role') AS role,
			json_extract(data, '$.call') AS call FROM events WHERE type = 'agent-called'`,
	);
	for (const answered of stateRows(repo, "SELECT task_id AS task, turn, role, call FROM calls")) {
		const mine = called.filter((event) => keyed(event) === keyed(answered));
		const hits = mine.filter(({ id }) => life.hitCalls.has(Number(id)));
		expect(mine.length, keyed(answered)).toBe(1 + hits.length);
		const lines = scripted.calls().filter((line) => key(line) === key(answered));
		const begun = called.filter((event) => key(event) === key(answered)).length;
		expect(lines.filter(({ event }) => event === "start").length).toBeLessThanOrEqual(begun);
		expect(lines.filter(({ event }) => event === "end").length).toBeGreaterThan(0);
	}
}

/** Lives through a run with kills and expects what an undisturbed run of the same workload gives. */
async function compared(
	workload: Workload,
	plan: Pick<LifePlan, "blow"> & { readonly start?: readonly string[] },
): Promise<Scene & { readonly life: Life }> {
	const expected = await calmOf(workload);
	const made = scene(workload);
	const life = await livedThrough(made.repo, {
		start: plan.start ?? ["run"],
		answer: ["--take", "reviewer"],
		...plan,
	});
	for (const node of life.nodes) blowsByNode.set(node, (blowsByNode.get(node) ?? 0) + 1);
	const outcome = runOutcome(made.repo, life.runId);
	for (const part of Object.keys(expected))
		expect(outcome[part], `${part}; ${told(life)}`).toEqual(expected[part]);
	expectCallsOnce(made, life);
	return { ...made, life };
}

const atRandom = (number: number, kills: number) =>
	randomBlows(seeded(SEED + number), kills, { ms: 2_500, effects: 700, commits: 60 });

/** Each process comes a few transactions further than the last one, so that most windows between two of them are hit. */
function closeTogether(number: number): NonNullable<LifePlan["blow"]> {
	const random = seeded(SEED + number);
	return (dealt) =>
		dealt.length < 20 ? { kind: "commit", at: random.integer(6, 10), side: "after" } : null;
}

async function undisturbed(workload: Workload): Promise<Readonly<Record<string, unknown>>> {
	const { repo } = scene(workload);
	const life = await livedThrough(repo, { start: ["run"], answer: ["--take", "reviewer"] });
	return runOutcome(repo, life.runId);
}

const blowsByNode = new Map<unknown, number>();
const lanes = [Promise.resolve(), Promise.resolve()];

/** One life after another in each of two lanes: more at once would only wait for each other. */
function inLane(lane: number, work: () => Promise<void>): Promise<void> {
	const done = (lanes[lane % 2] ?? Promise.resolve()).then(work);
	lanes[lane % 2] = done.catch(() => undefined);
	return done;
}

describe.concurrent("a run that is killed at random moments", () => {
	for (const number of spread([1, 2, 3, 4], 1)) {
		test(`ends as one that is not, with two tasks in order (${number})`, () =>
			inLane(number, async () => {
				await compared(TWO_TASKS, { blow: atRandom(number, 10) });
			}));
	}
	for (const number of spread([5, 6], 1)) {
		test(`asks a person once and goes on after the answer (${number})`, () =>
			inLane(number, async () => {
				await compared(ESCALATION, { blow: atRandom(number, 9) });
			}));
	}
	for (const number of [9]) {
		test(`settles a conflict once, and pauses once for another (${number})`, () =>
			inLane(number, async () => {
				await compared(DISPUTE, { blow: atRandom(number, 9) });
			}));
	}
	for (const number of spread([10, 11], 1)) {
		test(`asks a verifier once for each of its tests (${number})`, () =>
			inLane(number, async () => {
				await compared(VERIFIED, { blow: atRandom(number, 9) });
			}));
	}
	for (const [number, workload] of spread([ESCALATION, DISPUTE, VERIFIED], 1).entries()) {
		test(`gets to its end in steps of a few transactions (${number})`, () =>
			inLane(number, async () => {
				await compared(workload, { blow: closeTogether(number) });
			}));
	}
	for (const number of spread([7, 8], 1)) {
		test(`records a cassette that replays to the same trees (${number})`, () =>
			inLane(number, async () => {
				const start = ["run", "--record", CASSETTE];
				await expectReplay(await compared(TWO_TASKS, { blow: atRandom(number, 9), start }));
			}));
	}
});

test(`the runs were killed at least ${amount(50, 20)} times, in many parts of their life`, () => {
	const dealt = [...blowsByNode.values()].reduce((sum, count) => sum + count, 0);
	expect(dealt).toBeGreaterThanOrEqual(amount(50, 20));
	// Nodes are not equally long, so that no seed is sure to hit each: six of fifteen show that blows are spread.
	expect(blowsByNode.size, `seed ${SEED}`).toBeGreaterThanOrEqual(amount(6, 3));
});

const calm = new Map<Workload, Promise<Readonly<Record<string, unknown>>>>();

function calmOf(workload: Workload): Promise<Readonly<Record<string, unknown>>> {
	const known = calm.get(workload) ?? undisturbed(workload);
	calm.set(workload, known);
	return known;
}

/** Plays the recorded cassette in a new repository: same turns, same files. */
async function expectReplay({ repo, life }: Scene & { life: Life }): Promise<void> {
	const recorded = readFileSync(join(repo.root, CASSETTE), "utf8");
	const other = repository({ files: FILES });
	repositories.push(other);
	other.write({ "recorded.jsonl": recorded });
	const replay = { adapter: "cassette", file: "recorded.jsonl" };
	const agents = { dev: replay, coach: replay };
	other.write({ "sparring.yaml": workflow({ agents, ...TWO_TASKS.workflow }) });
	other.commit("A workflow");
	const { code, stderr } = await spar(other, ["run"]);
	expect(code, stderr).toBe(0);
	const sql = "SELECT task_id, turn, raw, effective, route FROM turns ORDER BY task_id, turn";
	expect(stateRows(other, sql), told(life)).toEqual(stateRows(repo, sql));
	const written = (each: TestRepository) =>
		each.git("ls-tree", "-r", integrationOf(each), "--", "even.txt", "odd.txt", "src");
	expect(written(other), told(life)).toBe(written(repo));
}

function integrationOf(repo: TestRepository): string {
	return repo.git("for-each-ref", "--format=%(refname)", "refs/heads/sparring/*/integration");
}
