import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { thorough } from "../../test/support/amount.ts";
import { looseCommit, refsOf, remoteScene } from "../git/remote-scene.fixture.ts";
import { openRepository } from "../git/repository.ts";
import { commitAll, git } from "../git/scratch.fixture.ts";
import { Fault } from "../kernel/fault.ts";
import type { TaskRefs } from "../loop/context.ts";
import { remoteTaskRefs } from "./remote-refs.ts";

const BRANCH = "refs/heads/sparring/r1/one";
const INTEGRATION = "refs/heads/sparring/r1/integration";
const leaseLost = new Fault("taken over", { code: "lease-lost", hint: "See who has it." });

/** A holder of task `one` in a clone. */
interface Holder {
	readonly refs: TaskRefs;
	/** From now on another one has its lease. */
	readonly lose: () => void;
}

/** Two machines with the run `r1`, whose integration branch is at the base commit. */
async function scene() {
	const made = remoteScene();
	git(made.remote, "update-ref", INTEGRATION, made.base);
	const merged: string[] = [];
	const holder = async (clone: string, leaseEpoch: number): Promise<Holder> => {
		let isLost = false;
		const refs = remoteTaskRefs(await openRepository(clone), made.reach, {
			runId: "r1",
			taskId: "one",
			branch: "sparring/r1/one",
			integration: "sparring/r1/integration",
			merged: async () => merged,
			base: "main",
			leaseEpoch,
			requireLease: async () => {
				if (isLost) throw leaseLost;
			},
		});
		return {
			refs,
			lose: () => {
				isLost = true;
			},
		};
	};
	const at = (ref: string): string => git(made.remote, "rev-parse", ref);
	return { ...made, holder, merged, at };
}

thorough(
	"a turn moves the branch on the remote and here, under a name with the lease's epoch",
	async () => {
		const { one, remote, base, holder } = await scene();
		const { refs } = await holder(one, 3);
		const first = looseCommit(one, base, "1");
		const second = looseCommit(one, first, "2");
		await refs.publish("turn-1", first, null);
		await refs.publish("turn-2", second, first);
		await refs.publish("turn-2", second, first);
		const expected = [
			`${BRANCH} ${second}`,
			`refs/sparring/r1/one/3/turn-1 ${first}`,
			`refs/sparring/r1/one/3/turn-2 ${second}`,
		];
		for (const dir of [remote, one])
			expect([...refsOf(dir, BRANCH), ...refsOf(dir, "refs/sparring")]).toEqual(expected);
	},
);

test("a turn that changed nothing leaves the branch where it is", async () => {
	const { one, base, holder, at } = await scene();
	const { refs } = await holder(one, 1);
	const first = looseCommit(one, base, "1");
	await refs.publish("turn-1", first, null);
	await refs.publish("turn-2", first, first);
	expect([at(BRANCH), at("refs/sparring/r1/one/1/turn-2")]).toEqual([first, first]);
});

test("a holder whose lease is gone pushes nothing", async () => {
	const { one, remote, base, holder } = await scene();
	const { refs, lose } = await holder(one, 1);
	const first = looseCommit(one, base, "1");
	lose();
	const before = [refsOf(remote), refsOf(one)];
	await expect(refs.publish("turn-1", first, null)).rejects.toBe(leaseLost);
	await expect(refs.keep("merge-1", first)).rejects.toBe(leaseLost);
	await expect(refs.moveIntegration(base, first)).rejects.toBe(leaseLost);
	expect([refsOf(remote), refsOf(one)]).toEqual(before);
});

thorough("a turn that an earlier holder pushed and never recorded is replaced", async () => {
	const { one, two, base, holder, at } = await scene();
	const [early, late] = [await holder(one, 1), await holder(two, 2)];
	const recorded = looseCommit(one, base, "1");
	await early.refs.publish("turn-1", recorded, null);
	const lost = looseCommit(one, recorded, "2, not recorded");
	await early.refs.publish("turn-2", lost, recorded);
	git(two, "fetch", "-q", "origin", BRANCH);
	const again = looseCommit(two, recorded, "2, again");
	await late.refs.publish("turn-2", again, recorded);
	expect(at(BRANCH)).toBe(again);
	expect(at("refs/sparring/r1/one/1/turn-2")).toBe(lost);
	expect(at("refs/sparring/r1/one/2/turn-2")).toBe(again);
});

test("what an earlier holder pushed under a label is found, the newest of several, and brought here", async () => {
	const { one, two, base, holder } = await scene();
	const [first, second, third] = [await holder(one, 1), await holder(one, 2), await holder(two, 3)];
	expect(await third.refs.pushed("turn-1-1")).toBeNull();
	const [old, lost] = [looseCommit(one, base, "1"), looseCommit(one, base, "1, again")];
	await first.refs.keep("turn-1-1", old);
	await second.refs.keep("turn-1-1", lost);
	expect(await third.refs.pushed("turn-1-1")).toBe(lost);
	expect(git(two, "cat-file", "-t", lost)).toBe("commit");
	expect(await third.refs.pushed("turn-1-2")).toBeNull();
	// Whoever lost the task to a later holder takes nothing of that one's.
	expect(await first.refs.pushed("turn-1-1")).toBe(old);
});

test("a first turn that was never recorded is replaced too", async () => {
	const { one, two, base, holder, at } = await scene();
	await (await holder(one, 1)).refs.publish("turn-1", looseCommit(one, base, "1"), null);
	const again = looseCommit(two, base, "1, again");
	await (await holder(two, 2)).refs.publish("turn-1", again, null);
	expect(at(BRANCH)).toBe(again);
});

thorough("a late holder never moves the branch off what a later one pushed", async () => {
	const { one, two, base, holder, at } = await scene();
	const first = looseCommit(one, base, "1");
	const [early, late] = [await holder(one, 1), await holder(two, 2)];
	await early.refs.publish("turn-1", first, null);
	git(two, "fetch", "-q", "origin", BRANCH);
	const theirs = looseCommit(two, first, "2 by the later one");
	await late.refs.publish("turn-2", theirs, first);
	// Its lease seems to hold: it was asked a moment before.
	const mine = looseCommit(one, first, "2 by the earlier one");
	await expect(early.refs.publish("turn-2", mine, first)).rejects.toMatchObject({
		code: "ref-in-the-way",
	});
	expect(at(BRANCH)).toBe(theirs);
});

test("a branch that a person moved on the remote is never reset", async () => {
	const { one, base, remote, holder, at } = await scene();
	const { refs } = await holder(one, 1);
	const first = looseCommit(one, base, "1");
	await refs.publish("turn-1", first, null);
	git(remote, "update-ref", BRANCH, base);
	const second = looseCommit(one, first, "2");
	await expect(refs.publish("turn-2", second, first)).rejects.toMatchObject({
		code: "ref-in-the-way",
		message: `the branch sparring/r1/one on origin stands at ${base}, not at ${first}, where this run left it`,
	});
	expect(at(BRANCH)).toBe(base);
});

test("a branch of the same name that the run did not make is not taken over", async () => {
	const { one, base, remote, holder, at } = await scene();
	git(remote, "update-ref", BRANCH, base);
	const { refs } = await holder(one, 1);
	await expect(refs.publish("turn-1", looseCommit(one, base, "1"), null)).rejects.toMatchObject({
		code: "ref-in-the-way",
		message: "there is a branch sparring/r1/one on origin that this run did not make",
	});
	expect(at(BRANCH)).toBe(base);
});

test("a kept commit may be replaced by its own holder, and by no other epoch", async () => {
	const { one, two, base, holder, at } = await scene();
	const [first, second] = [looseCommit(one, base, "1"), looseCommit(one, base, "2")];
	const { refs } = await holder(one, 1);
	await refs.keep("merge-1", first);
	await refs.keep("merge-1", first);
	await refs.keep("merge-1", second);
	await (await holder(two, 2)).refs.keep("merge-1", base);
	expect(at("refs/sparring/r1/one/1/merge-1")).toBe(second);
	expect(at("refs/sparring/r1/one/2/merge-1")).toBe(base);
});

test("the tip is the remote's, with its commits brought here", async () => {
	const { one, two, base, holder } = await scene();
	const mine = looseCommit(one, base, "merged on one");
	const [first, second] = [await holder(one, 1), await holder(two, 1)];
	expect(await second.refs.integrationTip()).toBe(base);
	expect(await first.refs.moveIntegration(base, mine)).toBe(true);
	expect(await second.refs.integrationTip()).toBe(mine);
	expect(git(two, "rev-parse", INTEGRATION)).toBe(mine);
});

thorough("of two that move the integration branch at once one is told that it moved", async () => {
	const { one, two, base, holder, at } = await scene();
	const [first, second] = [await holder(one, 1), await holder(two, 1)];
	const [mine, theirs] = [looseCommit(one, base, "mine"), looseCommit(two, base, "theirs")];
	const moved = await Promise.all([
		first.refs.moveIntegration(base, mine),
		second.refs.moveIntegration(base, theirs),
	]);
	expect(new Set(moved)).toEqual(new Set([false, true]));
	expect(at(INTEGRATION)).toBe(moved[0] ? mine : theirs);
	expect(await second.refs.integrationTip()).toBe(at(INTEGRATION));
});

test("a local branch that its user moved does not fail the task, and its commits are kept", async () => {
	const { one, two, base, holder, at } = await scene();
	const own = looseCommit(two, base, "by hand");
	git(two, "update-ref", INTEGRATION, own);
	const mine = looseCommit(one, base, "merged");
	await (await holder(one, 1)).refs.moveIntegration(base, mine);
	const { refs } = await holder(two, 1);
	expect(await refs.integrationTip()).toBe(mine);
	expect(git(two, "rev-parse", INTEGRATION)).toBe(own);
	expect(git(two, "rev-parse", "refs/sparring/r1/integration/tip")).toBe(mine);
	const next = looseCommit(two, mine, "merged too");
	expect(await refs.moveIntegration(mine, next)).toBe(true);
	expect(at(INTEGRATION)).toBe(next);
});

test("a branch that is checked out with changes stays, and the task goes on", async () => {
	const { one, base, holder, at } = await scene();
	git(one, "checkout", "-q", "-b", "sparring/r1/one");
	writeFileSync(join(one, "a.txt"), "changed by the player\n");
	const first = commitAll(one, "1");
	git(one, "reset", "-q", "--hard", base);
	writeFileSync(join(one, "a.txt"), "changed by hand\n");
	const { refs } = await holder(one, 1);
	await refs.publish("turn-1", first, null);
	expect(at(BRANCH)).toBe(first);
	expect(git(one, "rev-parse", "HEAD")).toBe(base);
	expect(git(one, "status", "--porcelain")).toBe(" M a.txt");
});

test("an integration branch that is gone from the remote stops the task with the way out", async () => {
	const { one, remote, holder } = await scene();
	git(remote, "update-ref", "-d", INTEGRATION);
	await expect((await holder(one, 1)).refs.integrationTip()).rejects.toMatchObject({
		code: "ref-in-the-way",
		message: "the branch sparring/r1/integration is gone from origin",
	});
});

test("an integration branch that no longer holds what was merged is refused, also where that is not here", async () => {
	const { one, two, base, merged, remote, holder } = await scene();
	const mine = looseCommit(one, base, "merged");
	await (await holder(one, 1)).refs.moveIntegration(base, mine);
	merged.push(mine);
	git(remote, "update-ref", INTEGRATION, base);
	for (const clone of [one, two])
		await expect((await holder(clone, 1)).refs.integrationTip()).rejects.toMatchObject({
			code: "ref-in-the-way",
			message: expect.stringContaining(mine) as unknown,
		});
});

test("a remote that is away is a fault that passes, and the same call goes through later", async () => {
	const { one, base, remote, holder } = await scene();
	const { refs } = await holder(one, 1);
	const first = looseCommit(one, base, "1");
	rmSync(join(remote, "HEAD"));
	await expect(refs.publish("turn-1", first, null)).rejects.toMatchObject({
		code: "remote-unreachable",
		retryable: true,
	});
	writeFileSync(join(remote, "HEAD"), "ref: refs/heads/main\n");
	await refs.publish("turn-1", first, null);
	expect(git(remote, "rev-parse", BRANCH)).toBe(first);
});
