import { chmodSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { thorough } from "../../test/support/amount.ts";
import { looseCommit, refsOf, remoteScene } from "../git/remote-scene.fixture.ts";
import { openRepository, type Repository } from "../git/repository.ts";
import { git, writeFiles } from "../git/scratch.fixture.ts";
import { bringRun, dropRun, publishRun, reachOf, requireRemote } from "./remote-ground.ts";
import { remoteTaskRefs } from "./remote-refs.ts";

const HEADS = "refs/heads/sparring/r1";
const KEPT = "refs/sparring/r1";

/** Two machines with the run `r1`, which the first one has published. */
async function scene() {
	const made = remoteScene();
	const run = {
		runId: "r1",
		branch: "sparring/r1/integration",
		baseBranch: "main",
		baseCommit: made.base,
	};
	const [first, second] = [await openRepository(made.one), await openRepository(made.two)];
	await publishRun(first, made.reach, run);
	const refs = (repository: Repository, taskId: string, leaseEpoch = 1) =>
		remoteTaskRefs(repository, made.reach, {
			runId: "r1",
			taskId,
			branch: `sparring/r1/${taskId}`,
			integration: run.branch,
			merged: async () => [],
			base: "main",
			leaseEpoch,
			requireLease: async () => undefined,
		});
	return { ...made, run, first, second, refs };
}

test("a run begins with its integration branch on the remote, once", async () => {
	const { first, reach, run, remote, one, base } = await scene();
	await publishRun(first, reach, run);
	for (const dir of [remote, one])
		expect(refsOf(dir, HEADS)).toEqual([`${HEADS}/integration ${base}`]);
});

test("a branch on the remote that the run did not make is not taken over", async () => {
	const { second, reach, run, remote, two, base } = await scene();
	const other = looseCommit(two, base, "somebody's");
	git(two, "push", "-q", "-f", "origin", `${other}:${HEADS}/integration`);
	await expect(publishRun(second, reach, run)).rejects.toMatchObject({
		code: "ref-in-the-way",
		message: "origin has a branch sparring/r1/integration that this run did not make",
	});
	expect(git(remote, "rev-parse", `${HEADS}/integration`)).toBe(other);
});

test("a remote that refuses the branch of a new run leaves nothing to resume", async () => {
	const { first, reach, run, remote } = await scene();
	writeFiles(remote, { "hooks/pre-receive": "#!/bin/sh\nexit 1\n" });
	chmodSync(join(remote, "hooks/pre-receive"), 0o755);
	const next = { ...run, runId: "r2", branch: "sparring/r2/integration" };
	await expect(publishRun(first, reach, next)).rejects.toMatchObject({
		code: "push-refused",
		hint: expect.stringMatching(/, then run again\.$/) as unknown,
	});
});

thorough(
	"what another machine did of a task can be read here, with the refs of all its holders",
	async () => {
		const { one, two, first, second, reach, run, refs, base } = await scene();
		const turn = looseCommit(one, base, "turn 1");
		await refs(first, "a", 1).publish("turn-1", turn, null);
		await refs(first, "a", 4).keep("merge-1", base);
		const tip = await bringRun(second, reach, run, { tasks: ["a"] });
		expect(tip).toBe(base);
		expect(git(two, "log", "-1", "--format=%s", turn)).toBe("turn 1");
		expect([...refsOf(two, HEADS), ...refsOf(two, KEPT)]).toEqual([
			`${HEADS}/a ${turn}`,
			`${HEADS}/integration ${base}`,
			`${KEPT}/a/1/turn-1 ${turn}`,
			`${KEPT}/a/4/merge-1 ${base}`,
		]);
	},
);

thorough("of tasks that were not asked for nothing is brought", async () => {
	const { one, two, first, second, reach, run, refs, base } = await scene();
	await refs(first, "a").publish("turn-1", looseCommit(one, base, "turn 1"), null);
	await refs(first, "ab").publish("turn-1", looseCommit(one, base, "turn 1 too"), null);
	await bringRun(second, reach, run, { tasks: [] });
	expect(refsOf(two, HEADS)).toEqual([`${HEADS}/integration ${base}`]);
	await bringRun(second, reach, run, { tasks: ["a"] });
	expect(refsOf(two, KEPT)).toHaveLength(1);
});

thorough("a branch follows forward, and one with commits of its own stays", async () => {
	const { one, two, first, second, reach, run, refs, base } = await scene();
	const [a, b] = [looseCommit(one, base, "a 1"), looseCommit(one, base, "b 1")];
	await refs(first, "a").publish("turn-1", a, null);
	await refs(first, "b").publish("turn-1", b, null);
	const own = looseCommit(two, base, "by hand");
	git(two, "update-ref", `${HEADS}/a`, base);
	git(two, "update-ref", `${HEADS}/b`, own);
	await bringRun(second, reach, run, { tasks: ["a", "b"] });
	expect(refsOf(two, HEADS)).toEqual([
		`${HEADS}/a ${a}`,
		`${HEADS}/b ${own}`,
		`${HEADS}/integration ${base}`,
	]);
	expect(git(two, "rev-parse", `${KEPT}/b/1/turn-1`)).toBe(b);
});

test("where the remote has no integration branch, nothing stands in for it", async () => {
	const { second, reach, run, remote } = await scene();
	git(remote, "update-ref", "-d", `${HEADS}/integration`);
	expect(await bringRun(second, reach, run, { tasks: ["a"] })).toBeNull();
});

thorough(
	"the refs of an ended run go from the remote, and those here and of other runs stay",
	async () => {
		const { one, first, reach, refs, base, remote } = await scene();
		await refs(first, "a").publish("turn-1", looseCommit(one, base, "turn 1"), null);
		git(remote, "update-ref", "refs/heads/sparring/r10/a", base);
		git(remote, "update-ref", "refs/sparring/archive/r1/a", base);
		const here = [...refsOf(one, HEADS), ...refsOf(one, KEPT)];
		expect(await dropRun(first, reach, "r1")).toBe(3);
		expect(await dropRun(first, reach, "r1")).toBe(0);
		expect([...refsOf(remote, "refs/heads/sparring"), ...refsOf(remote, "refs/sparring")]).toEqual([
			`refs/heads/sparring/r10/a ${base}`,
			`refs/sparring/archive/r1/a ${base}`,
		]);
		expect([...refsOf(one, HEADS), ...refsOf(one, KEPT)]).toEqual(here);
	},
);

test("a remote that the repository does not know is refused before the run", async () => {
	const { first, reach } = await scene();
	await requireRemote(first, reach, "main");
	await expect(requireRemote(first, { ...reach, remote: "orign" }, "main")).rejects.toMatchObject({
		code: "remote-unsuitable",
		hint: 'did you mean "origin"?',
	});
	git(first.root, "remote", "add", "gone", join(first.root, "../gone.git"));
	await expect(requireRemote(first, { ...reach, remote: "gone" }, "main")).rejects.toMatchObject({
		code: "remote-unreachable",
	});
});

test("a workflow without a remote reaches none", () => {
	expect(reachOf({}, { env: {} })).toBeNull();
	expect(reachOf({ code: { remote: "origin" } }, { env: { GIT_DIR: "x", HOME: "y" } })).toEqual({
		remote: "origin",
		env: { HOME: "y" },
		signal: undefined,
	});
});
