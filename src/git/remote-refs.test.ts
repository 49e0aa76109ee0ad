import { chmodSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { thorough } from "../../test/support/amount.ts";
import { pushRefs } from "./push-refs.ts";
import { fetchRefs, refsIn, remoteRefs } from "./remote-refs.ts";
import { looseCommit, refsOf, remoteScene } from "./remote-scene.fixture.ts";
import { openRepository, type Repository } from "./repository.ts";
import { git, writeFiles } from "./scratch.fixture.ts";

const BRANCH = "refs/heads/sparring/r1/a";
const KEPT = "refs/sparring/r1/a/1/turn-1";

async function scene() {
	const made = remoteScene();
	const repository = await openRepository(made.one);
	return { ...made, repository };
}

const onRemote = (remote: string): string[] =>
	refsOf(remote, "refs/heads/sparring").concat(refsOf(remote, "refs/sparring"));

test("several refs move at once, and a repetition after a kill finds them moved", async () => {
	const { repository, reach, remote, one, base } = await scene();
	const commit = looseCommit(one, base, "turn 1");
	const moves = [
		{ ref: BRANCH, from: null, to: commit },
		{ ref: KEPT, from: null, to: commit },
	];
	expect(await pushRefs(repository, reach, moves)).toEqual({ outcome: "moved" });
	expect(await pushRefs(repository, reach, moves)).toEqual({ outcome: "moved" });
	expect(onRemote(remote)).toEqual([`${BRANCH} ${commit}`, `${KEPT} ${commit}`]);
});

test("of two that push at once one moves the ref, and the other is told what stands there", async () => {
	const { repository, reach, remote, one, two, base } = await scene();
	const second = await openRepository(two);
	const [mine, theirs] = [looseCommit(one, base, "mine"), looseCommit(two, base, "theirs")];
	const push = (from: Repository, to: string) =>
		pushRefs(from, reach, [{ ref: BRANCH, from: null, to }]);
	const answers = await Promise.all([push(repository, mine), push(second, theirs)]);
	const stands = git(remote, "rev-parse", BRANCH);
	expect(answers.map(({ outcome }) => outcome).sort()).toEqual(["moved", "stale"]);
	expect(answers.find(({ outcome }) => outcome === "stale")).toEqual({
		outcome: "stale",
		stands: new Map([[BRANCH, stands]]),
	});
});

thorough("where one of the refs is stale, none moves", async () => {
	const { repository, reach, remote, one, base } = await scene();
	const [first, second] = [looseCommit(one, base, "1"), looseCommit(one, base, "2")];
	await pushRefs(repository, reach, [{ ref: BRANCH, from: null, to: first }]);
	const answer = await pushRefs(repository, reach, [
		{ ref: BRANCH, from: base, to: second },
		{ ref: KEPT, from: null, to: second },
	]);
	expect(answer).toEqual({ outcome: "stale", stands: new Map([[BRANCH, first]]) });
	expect(onRemote(remote)).toEqual([`${BRANCH} ${first}`]);
});

thorough("a ref is deleted where it stands as expected, and once is enough", async () => {
	const { repository, reach, remote, one, base } = await scene();
	const commit = looseCommit(one, base, "1");
	await pushRefs(repository, reach, [{ ref: BRANCH, from: null, to: commit }]);
	const wrong = await pushRefs(repository, reach, [{ ref: BRANCH, from: base, to: null }]);
	expect(wrong.outcome).toBe("stale");
	const gone = [{ ref: BRANCH, from: commit, to: null }];
	expect(await pushRefs(repository, reach, gone)).toEqual({ outcome: "moved" });
	expect(await pushRefs(repository, reach, gone)).toEqual({ outcome: "moved" });
	expect(onRemote(remote)).toEqual([]);
});

thorough(
	"a remote that is away is a fault that passes, and so is one that takes too long",
	async () => {
		const { repository, reach, remote, one, base } = await scene();
		const move = { ref: BRANCH, from: null, to: looseCommit(one, base, "1") };
		const late = pushRefs(repository, { ...reach, timeoutMs: 1 }, [move]);
		await expect(late).rejects.toMatchObject({ code: "remote-unreachable", retryable: true });
		rmSync(remote, { recursive: true });
		const away = { code: "remote-unreachable", retryable: true };
		await expect(pushRefs(repository, reach, [move])).rejects.toMatchObject(away);
		await expect(remoteRefs(repository, reach, [BRANCH])).rejects.toMatchObject(away);
		await expect(fetchRefs(repository, reach, [BRANCH])).rejects.toMatchObject(away);
	},
);

test("a hook of the remote that refuses is a fault with its words", async () => {
	const { repository, reach, remote, one, base } = await scene();
	const hook = join(remote, "hooks/pre-receive");
	writeFiles(remote, { "hooks/pre-receive": "#!/bin/sh\necho no runs here >&2\nexit 1\n" });
	chmodSync(hook, 0o755);
	const move = { ref: BRANCH, from: null, to: looseCommit(one, base, "1") };
	await expect(pushRefs(repository, reach, [move])).rejects.toMatchObject({
		code: "push-refused",
		retryable: false,
		message: expect.stringContaining("no runs here") as unknown,
	});
	expect(onRemote(remote)).toEqual([]);
});

test("no hook of the user's runs", async () => {
	const { repository, reach, remote, one, base } = await scene();
	writeFiles(one, { ".git/hooks/pre-push": "#!/bin/sh\nexit 1\n" });
	chmodSync(join(one, ".git/hooks/pre-push"), 0o755);
	const move = { ref: BRANCH, from: null, to: looseCommit(one, base, "1") };
	expect((await pushRefs(repository, reach, [move])).outcome).toBe("moved");
	expect(onRemote(remote)).toHaveLength(1);
});

test("a commit that the repository does not have is no fault of the remote", async () => {
	const { repository, reach, remote } = await scene();
	const move = { ref: BRANCH, from: null, to: "1".repeat(40) };
	await expect(pushRefs(repository, reach, [move])).rejects.toMatchObject({ code: "git-failed" });
	expect(onRemote(remote)).toEqual([]);
});

thorough("a lock that a killed push left on the remote is a fault that passes", async () => {
	const { repository, reach, remote, one, base } = await scene();
	const commit = looseCommit(one, base, "1");
	await pushRefs(repository, reach, [{ ref: BRANCH, from: null, to: commit }]);
	writeFileSync(join(remote, `${BRANCH}.lock`), "");
	const next = { ref: BRANCH, from: commit, to: looseCommit(one, commit, "2") };
	await expect(pushRefs(repository, reach, [next])).rejects.toMatchObject({
		code: "push-refused",
		retryable: true,
	});
});

test("a branch on the remote that is a folder of the new one is a refusal that stays", async () => {
	const { repository, reach, remote, base } = await scene();
	git(remote, "update-ref", "refs/heads/sparring", base);
	const move = { ref: BRANCH, from: null, to: base };
	await expect(pushRefs(repository, reach, [move])).rejects.toMatchObject({
		code: "push-refused",
		retryable: false,
		message: expect.stringContaining("refs/heads/sparring") as unknown,
	});
});

thorough(
	"refs are fetched under their names, and nothing else of the repository changes",
	async () => {
		const { repository, reach, two, one, base } = await scene();
		const second = await openRepository(two);
		const commit = looseCommit(one, base, "1");
		await pushRefs(repository, reach, [
			{ ref: BRANCH, from: null, to: commit },
			{ ref: KEPT, from: null, to: commit },
		]);
		git(one, "tag", "v1", commit);
		git(one, "push", "-q", "origin", "v1");
		git(two, "config", "fetch.prune", "true");
		git(two, "update-ref", "refs/sparring/r1/b/1/turn-1", base);
		const before = refsOf(two);
		await fetchRefs(second, reach, [`+${KEPT}:${KEPT}`, BRANCH]);
		expect(refsOf(two)).toEqual([...before, `${KEPT} ${commit}`].sort());
		expect(await remoteRefs(second, reach, ["refs/sparring/r1/", BRANCH])).toEqual([
			{ ref: BRANCH, oid: commit },
			{ ref: KEPT, oid: commit },
		]);
	},
);

thorough("a fetch of everything again brings objects back that were lost here", async () => {
	const { repository, reach, one, base } = await scene();
	const commit = looseCommit(one, base, "1");
	await pushRefs(repository, reach, [{ ref: KEPT, from: null, to: commit }]);
	git(one, "update-ref", KEPT, commit);
	rmSync(join(one, ".git/objects", commit.slice(0, 2), commit.slice(2)));
	await fetchRefs(repository, reach, [`+${KEPT}:${KEPT}`], { again: true });
	expect(git(one, "cat-file", "-t", commit)).toBe("commit");
});

test("a ref that the remote does not have is a fault that says which", async () => {
	const { repository, reach } = await scene();
	await expect(fetchRefs(repository, reach, [BRANCH])).rejects.toMatchObject({
		code: "git-failed",
		message: expect.stringContaining(BRANCH) as unknown,
	});
});

test("of the refs on a remote those are read that were asked for", () => {
	const text = `a1\trefs/heads/main\nb2\trefs/x/refs/heads/main\nc3\tHEAD\nd4\t${KEPT}`;
	expect(refsIn(text, ["refs/heads/main", "refs/sparring/r1/"])).toEqual([
		{ ref: "refs/heads/main", oid: "a1" },
		{ ref: KEPT, oid: "d4" },
	]);
	expect(refsIn("", ["refs/heads/main"])).toEqual([]);
});
