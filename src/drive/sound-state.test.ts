import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { thorough } from "../../test/support/amount.ts";
import { looseCommit, refsOf, remoteScene } from "../git/remote-scene.fixture.ts";
import { openRepository } from "../git/repository.ts";
import { git, scratchDirectory } from "../git/scratch.fixture.ts";
import { openVault } from "../git/vault.ts";
import { systemClock } from "../kernel/clock.ts";
import { publishRun } from "../places/remote-ground.ts";
import { remoteTaskRefs } from "../places/remote-refs.ts";
import { RUN, run, TASK, task, turn } from "../store/record-builders.contract.ts";
import type { TaskRecord, Write } from "../store/records.ts";
import { openDatabase } from "../store/sqlite/database.ts";
import { sqliteLeases } from "../store/sqlite/leases.ts";
import { sqliteRecords } from "../store/sqlite/records.ts";
import {
	restoreGround,
	restoreIntegration,
	restoreTask,
	type SoundContext,
} from "./sound-state.ts";

const BRANCH = `refs/heads/sparring/${RUN}/${TASK}`;
const INTEGRATION = `refs/heads/sparring/${RUN}/integration`;
const KEPT = `refs/sparring/${RUN}/${TASK}`;

/** Two machines with one run over a remote; the first has played a turn, and the records are those of both. */
async function scene(part: Partial<TaskRecord> = {}) {
	const made = remoteScene();
	const { one, two, base, reach } = made;
	const state = scratchDirectory();
	const db = openDatabase(join(state, "state.db"));
	onTestFinished(() => db.close());
	const records = sqliteRecords(db);
	const lease = await sqliteLeases(db, { clock: systemClock }).take(RUN);
	onTestFinished(() => lease.release());
	const record = run({ baseCommit: base });
	const turns = [looseCommit(one, base, "turn 1")];
	turns.push(looseCommit(one, turns[0] ?? "", "turn 2"));
	const [first = "", second = ""] = turns;
	const stored = task({ status: "running", startCommit: base, commit: second, turns: 2, ...part });
	await records.createRun(record, [stored], lease);
	for (const [index, commit] of turns.entries())
		await records.commit(lease, [{ kind: "turn", turn: turn({ turn: index + 1, commit }) }]);
	const mine = await openRepository(one);
	await publishRun(mine, reach, record);
	const refs = remoteTaskRefs(mine, reach, {
		runId: RUN,
		taskId: TASK,
		branch: stored.branch,
		integration: record.branch,
		merged: async () => [],
		base: "main",
		leaseEpoch: 1,
		requireLease: async () => undefined,
	});
	await refs.publish("turn-1", first, null);
	await refs.publish("turn-2", second, first);
	const notices: string[] = [];
	const ground = async (clone: string): Promise<SoundContext> => {
		const repository = await openRepository(clone);
		return {
			run: record,
			records,
			repository,
			vault: await openVault(repository, scratchDirectory()),
			commit: async (writes: readonly Write[]) => void (await records.commit(lease, writes)),
			reach,
			places: { stateDir: state },
			onNotice: (text) => notices.push(text),
		};
	};
	const told = async (): Promise<TaskRecord> => {
		const [found = stored] = await records.tasks(RUN);
		return found;
	};
	const lostTurns = async () =>
		(await records.events(RUN)).flatMap(({ type, data }) => (type === "turns-lost" ? [data] : []));
	return { ...made, two, stored, ground, refs, first, second, told, lostTurns, notices };
}

function removeObject(dir: string, commit: string): void {
	rmSync(join(dir, "objects", commit.slice(0, 2), commit.slice(2)));
}

test("a machine goes on with the turn that another one played", async () => {
	const { two, stored, ground, second, lostTurns } = await scene();
	await restoreGround(await ground(two));
	expect(git(two, "rev-parse", BRANCH)).toBe(second);
	expect(await lostTurns()).toEqual([]);
	expect(stored.commit).toBe(second);
});

thorough("a turn that this clone lost is brought again", async () => {
	const { one, stored, ground, second, lostTurns } = await scene();
	removeObject(join(one, ".git"), second);
	await restoreTask(await ground(one), stored);
	expect(git(one, "cat-file", "-t", second)).toBe("commit");
	expect(await lostTurns()).toEqual([]);
});

thorough(
	"a turn that neither side has is made again, and the branch goes back on the remote",
	async () => {
		const { one, remote, stored, ground, first, second, told, lostTurns } = await scene();
		for (const ref of [`${KEPT}/1/turn-2`, BRANCH]) git(remote, "update-ref", "-d", ref);
		for (const dir of [join(one, ".git"), remote]) removeObject(dir, second);
		await restoreTask(await ground(one), stored);
		expect(await lostTurns()).toMatchObject([{ turns: [2], commit: first }]);
		expect(await told()).toMatchObject({ commit: first, epoch: 2, bound: 11 });
		expect(git(remote, "rev-parse", BRANCH)).toBe(first);
		expect(git(one, "rev-parse", BRANCH)).toBe(first);
		expect(refsOf(one, KEPT)).toEqual([`${KEPT}/1/turn-1 ${first}`]);
	},
);

test("work that merged under an earlier holder's epoch is not done again when its turns are lost", async () => {
	const { one, base, remote, stored, ground, refs, second, lostTurns } = await scene();
	const merge = looseCommit(one, base, "merged");
	await refs.keep("merge-2", merge);
	await refs.moveIntegration(base, merge);
	for (const ref of [`${KEPT}/1/turn-2`, BRANCH]) git(remote, "update-ref", "-d", ref);
	for (const dir of [join(one, ".git"), remote]) removeObject(dir, second);
	await restoreTask(await ground(one), stored);
	expect(await lostTurns()).toEqual([]);
});

/** Stores that the task has merged as that commit. */
async function storeMerge({ commit }: SoundContext, mergedCommit: string): Promise<void> {
	const patch = { status: "completed", phase: "completed", merged: true, mergedCommit } as const;
	await commit([{ kind: "task", runId: RUN, taskId: TASK, patch }]);
}

thorough(
	"an integration branch that is gone from the remote is put back where the last merge left it",
	async () => {
		const { base, one, two, remote, ground, refs, notices } = await scene();
		const merge = looseCommit(one, base, "merged");
		await refs.keep("merge-2", merge);
		await refs.moveIntegration(base, merge);
		const here = await ground(two);
		await storeMerge(here, merge);
		git(remote, "update-ref", "-d", INTEGRATION);
		await restoreIntegration(here);
		expect(git(remote, "rev-parse", INTEGRATION)).toBe(merge);
		expect(notices).toEqual([
			`the branch sparring/${RUN}/integration was gone; it is back at ${merge}`,
		]);
		git(remote, "update-ref", INTEGRATION, base);
		await expect(restoreIntegration(here)).rejects.toMatchObject({
			code: "ref-in-the-way",
			message: expect.stringContaining("on origin stands at") as unknown,
		});
	},
);

thorough(
	"what another machine merges while the branch is looked at is brought as well",
	async () => {
		const { base, one, two, remote, ground, refs } = await scene();
		const merge = looseCommit(one, base, "merged");
		await refs.keep("merge-2", merge);
		await refs.moveIntegration(base, merge);
		const later = looseCommit(one, merge, "merged later");
		const here = await ground(two);
		await storeMerge(here, merge);
		git(remote, "update-ref", "-d", INTEGRATION);
		const notices: string[] = [];
		const moving: SoundContext = {
			...here,
			onNotice: (text) => {
				notices.push(text);
				git(one, "push", "-q", "origin", `${later}:${INTEGRATION}`);
			},
		};
		await restoreIntegration(moving);
		expect(notices).toHaveLength(1);
		expect(git(two, "rev-parse", INTEGRATION)).toBe(later);
	},
);
