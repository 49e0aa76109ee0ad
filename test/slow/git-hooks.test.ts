import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import type { CheckTime } from "../../src/verdict/check-time.ts";
import { processesOf } from "../support/processes.ts";
import { PROGRAM } from "../support/program.ts";
import { type Files, repository, type TestRepository } from "../support/repository.ts";
import { spar, startSpar } from "../support/spar.ts";
import { tidyLater } from "../support/tidy.ts";
import { waitUntil } from "../support/wait-until.ts";
import { workflow } from "../support/workflow.ts";

const SUITE = `echo 1..1
if grep -q good src/value.js; then echo "ok 1 - says good"; else echo "not ok 1 - says good"; fi
`;

const FILES: Files = {
	"src/value.js": 'export const value = "good";\n',
	"test/suite.sh": SUITE,
	"sparring.yaml": workflow({
		agents: { dev: { adapter: "command", run: ["true"] } },
		tasks: { one: { agent: "dev", description: "x" } },
		checks: { tests: { kind: "acceptance", run: "sh test/suite.sh", report: { format: "tap" } } },
	}),
};

const BAD: Files = { "src/value.js": 'export const value = "bad";\n' };
const BETTER: Files = { "src/value.js": 'export const value = "good as well";\n' };

/** A repository in which git runs `spar check` as a hook. */
function hooked(hook: "pre-push" | "pre-commit", files: Files = FILES): TestRepository {
	const repo = repository({ files });
	tidyLater(() => repo.remove());
	const folder = join(repo.root, ".git/hooks");
	mkdirSync(folder, { recursive: true });
	const script = `#!/bin/sh\nexec "${process.execPath}" "${PROGRAM}" check --hook ${hook}\n`;
	writeFileSync(join(folder, hook), script);
	chmodSync(join(folder, hook), 0o755);
	return repo;
}

/** What git said, and how it ended. */
function git({ root, env }: TestRepository, args: readonly string[], cwd = root) {
	const { status, stdout, stderr } = spawnSync("git", args, { cwd, env, encoding: "utf8" });
	return { status, said: `${stdout}${stderr}` };
}

test("a push is refused for a branch whose work fails, and for nothing else that it brings", () => {
	const repo = hooked("pre-push");
	const remote = join(repo.home, "remote.git");
	repo.git("init", "--quiet", "--bare", remote);
	repo.git("remote", "add", "origin", remote);
	const push = (...refs: readonly string[]) => git(repo, ["push", "--quiet", "origin", ...refs]);
	expect(push("main"), "the first commit has nothing before it").toMatchObject({ status: 0 });
	repo.git("checkout", "--quiet", "-b", "topic");
	repo.write(BAD);
	repo.commit("Breaks it");
	repo.git("tag", "broken");
	const refused = push("topic");
	expect(refused.status, refused.said).not.toBe(0);
	expect(refused.said).toMatch(/^fail +topic, 1 file against/m);
	expect(refused.said).toContain("says good");
	expect(repo.git("ls-remote", "origin")).not.toContain("topic");
	// The work tree is red all the while.
	const unjudged = { status: 0, said: "not judged: the push brings no commits of a branch\n" };
	expect(push("broken")).toMatchObject(unjudged);
	expect(push("main:refs/heads/copy")).toMatchObject({ status: 0 });
	expect(push(":copy")).toMatchObject(unjudged);
	// git hands on what the user wrote, with its spaces.
	const named = push("topic^{/Breaks it}:refs/heads/named");
	expect(named.said).toMatch(/^fail +named, 1 file against/m);
	repo.write(BETTER);
	repo.commit("Repairs it");
	expect(push("topic", "HEAD:refs/heads/other")).toMatchObject({ status: 0 });
	expect(repo.git("ls-remote", "origin")).toContain("refs/heads/topic");
});

test("where no branch is known as the base, a push is judged against what the remote has", () => {
	const repo = hooked("pre-push");
	const remote = join(repo.home, "remote.git");
	repo.git("init", "--quiet", "--bare", remote);
	repo.git("branch", "--move", "trunk");
	expect(git(repo, ["push", "--quiet", remote, "trunk"])).toMatchObject({ status: 0 });
	repo.write(BAD);
	repo.commit("Breaks it");
	const refused = git(repo, ["push", "--quiet", remote, "trunk"]);
	expect(refused.status, refused.said).not.toBe(0);
	expect(refused.said).toMatch(/^fail +trunk, 1 file against/m);
	expect(git(repo, ["push", "--quiet", "--force", remote, "HEAD^:trunk"])).toMatchObject({
		status: 0,
	});
});

test("a commit is refused where what is staged fails, whatever the files of the work tree hold", () => {
	const repo = hooked("pre-commit");
	const head = repo.git("rev-parse", "HEAD");
	const commit = (...args: readonly string[]) =>
		git(repo, ["commit", "--quiet", "--message=Work", ...args]);
	repo.write(BAD);
	repo.git("add", "src/value.js");
	repo.write(BETTER);
	const staged = commit();
	expect(staged.status, staged.said).toBe(1);
	expect(staged.said).toContain("says good");
	// Of these two, git has an index of its own.
	repo.git("reset", "--quiet");
	repo.write(BAD);
	expect(commit("--all")).toMatchObject({ status: 1 });
	expect(commit("src/value.js")).toMatchObject({ status: 1 });
	expect(repo.git("rev-parse", "HEAD")).toBe(head);
	repo.write(BETTER);
	expect(commit("--all")).toMatchObject({ status: 0 });
	const reworded = commit("--amend");
	expect(reworded.status, reworded.said).toBe(0);
	expect(reworded.said).toContain("nothing is staged");
});

test("in a linked work tree the commit is judged that is made there", () => {
	const repo = hooked("pre-commit");
	const linked = join(repo.home, "linked");
	repo.git("worktree", "add", "--quiet", "-b", "topic", linked);
	writeFileSync(join(linked, "src/value.js"), 'export const value = "bad";\n');
	const refused = git(repo, ["commit", "--quiet", "--all", "--message=Work"], linked);
	expect(refused.status, refused.said).toBe(1);
	expect(refused.said).toContain("says good");
});

test("a first commit and the end of a merge are not judged, and that is said", () => {
	const repo = hooked("pre-commit", {});
	repo.git("checkout", "--quiet", "--orphan", "fresh");
	repo.write({ ...FILES, ...BAD });
	repo.git("add", "--all");
	const first = git(repo, ["commit", "--quiet", "--message=First"]);
	expect(first.status, first.said).toBe(0);
	expect(first.said).toContain("not judged: the first commit has none before it");
	repo.git("checkout", "--quiet", "-b", "other");
	repo.write({ "notes.md": "other\n" });
	repo.git("add", "--all");
	repo.git("commit", "--quiet", "--no-verify", "--message=Other");
	repo.git("checkout", "--quiet", "fresh");
	repo.write({ "notes.md": "fresh\n" });
	repo.git("add", "--all");
	repo.git("commit", "--quiet", "--no-verify", "--message=Fresh");
	expect(git(repo, ["merge", "other"]).status).toBe(1);
	repo.git("add", "--all");
	const merged = git(repo, ["commit", "--quiet", "--no-edit"]);
	expect(merged.status, merged.said).toBe(0);
	expect(merged.said).toContain("part of a git merge");
});

test("the pre-commit framework names what is pushed in the environment", async () => {
	const repo = repository({ files: FILES });
	tidyLater(() => repo.remove());
	repo.git("checkout", "--quiet", "-b", "topic");
	repo.write(BAD);
	const commit = repo.commit("Breaks it");
	const env = { PRE_COMMIT_TO_REF: commit, PRE_COMMIT_REMOTE_BRANCH: "refs/heads/topic" };
	const args = ["check", "--hook", "pre-push", "--json"];
	const { code, stdout } = await spar(repo, args, { env });
	expect(code).toBe(1);
	expect(JSON.parse(stdout)).toMatchObject([{ verdict: "fail", commit, subject: "topic" }]);
});

test("where another program has read git's lines, HEAD is judged, with git's arguments and without", async () => {
	const repo = repository({ files: FILES });
	tidyLater(() => repo.remove());
	repo.git("checkout", "--quiet", "-b", "topic");
	repo.write(BAD);
	repo.commit("Breaks it");
	// What is not committed is not pushed.
	repo.write(BETTER);
	for (const told of [[], ["origin", "https://example.invalid/one.git"]]) {
		const { code, stderr } = await spar(repo, ["check", "--hook", "pre-push", ...told]);
		expect(code).toBe(1);
		expect(stderr).toMatch(
			/^judged: topic, 1 file against .*, 1 commit back, where it left main: fail$/m,
		);
	}
	repo.git("checkout", "--quiet", "--force", "main");
	const nothing = await spar(repo, ["check", "--hook", "pre-push"]);
	expect(nothing).toMatchObject({ code: 0, stdout: "" });
	expect(nothing.stderr).toContain("not judged: ");
});

test("lines that git does not give to a pre-push hook are wrong usage", async () => {
	const repo = repository({ files: FILES });
	tidyLater(() => repo.remove());
	const { code, stderr } = await spar(repo, ["check", "--hook", "pre-push"], { input: "topic\n" });
	expect(code).toBe(2);
	expect(stderr).toContain('"topic" is not what git tells a pre-push hook');
});

test("the pre-commit framework finds a hook for each stage, which takes no files", () => {
	const hook = z.object({
		id: z.string(),
		name: z.string(),
		language: z.literal("system"),
		entry: z.string(),
		stages: z.tuple([z.enum(["pre-commit", "pre-push"])]),
		pass_filenames: z.literal(false),
		always_run: z.literal(true),
	});
	const hooks = z.array(hook).parse(parse(readFileSync(".pre-commit-hooks.yaml", "utf8")));
	expect(hooks.map(({ stages: [stage] }) => stage)).toEqual(["pre-commit", "pre-push"]);
	for (const { entry, stages } of hooks) expect(entry).toBe(`spar check --hook ${stages[0]}`);
});

/** A project whose suite says that it began, and goes on once it may. */
function waiting() {
	const repo = repository({ files: FILES });
	tidyLater(() => repo.remove());
	const [begun, go] = [join(repo.home, "begun"), join(repo.home, "go")];
	const wait = `echo run >> "${begun}"\nuntil test -e "${go}"; do sleep 0.05; done\n`;
	repo.write({ "test/suite.sh": `${wait}${SUITE}` });
	repo.commit("A suite that waits");
	repo.write(BAD);
	const runs = (): number => (existsSync(begun) ? readFileSync(begun, "utf8").length / 4 : 0);
	return { repo, runs, go: () => writeFileSync(go, "") };
}

const WAITS = /another check of this work is under way/;

test("of two checks of one work at once the second waits for the first, and runs nothing", async () => {
	const alone = waiting();
	alone.go();
	await spar(alone.repo, ["check"]);
	const { repo, runs, go } = waiting();
	const first = startSpar(repo, ["check", "--json"]);
	await waitUntil("a suite under way", () => runs() > 0);
	const second = startSpar(repo, ["check", "--json"]);
	await waitUntil("a check that waits", () => WAITS.test(second.output().stderr));
	go();
	const [one, other] = await Promise.all([first.ended, second.ended]);
	expect([one.code, other.code], other.stderr).toEqual([1, 1]);
	const judged = JSON.parse(one.stdout) as { readonly time: CheckTime };
	const same = JSON.parse(other.stdout) as typeof judged;
	expect(judged).toMatchObject({ verdict: "fail" });
	expect({ ...same, time: judged.time }).toEqual(judged);
	expect([judged.time.commands > 0, same.time.commands]).toEqual([true, 0]);
	expect(runs()).toBe(alone.runs());
});

test("where the first is killed, the one that waits does it; other work is judged beside it", async () => {
	const { repo, runs, go } = waiting();
	const first = startSpar(repo, ["check", "--json"]);
	await waitUntil("a suite under way", () => runs() === 1);
	const second = startSpar(repo, ["check", "--json"]);
	await waitUntil("a check that waits", () => WAITS.test(second.output().stderr));
	repo.write(BETTER);
	const third = startSpar(repo, ["check", "--json"]);
	await waitUntil("a suite of other work", () => runs() === 2);
	first.child.kill("SIGKILL");
	await waitUntil("a suite of the one that waited", () => runs() === 3);
	go();
	const ends = await Promise.all([second.ended, third.ended]);
	expect(ends.map(({ code }) => code)).toEqual([1, 0]);
	expect(third.output().stderr).not.toMatch(WAITS);
	expect(existsSync(join(repo.root, ".git/index.lock"))).toBe(false);
	await waitUntil("the end of all processes", () => processesOf(repo).length === 0);
});
