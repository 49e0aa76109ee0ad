import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { spread, thorough } from "../support/amount.ts";
import { type Files, repository, type TestRepository } from "../support/repository.ts";
import { spar } from "../support/spar.ts";
import { tidyLater } from "../support/tidy.ts";

const reportJson = z.object({ base: z.string(), base_is: z.string().nullable() });

interface Place extends TestRepository {
	/** Commits something new. */
	readonly work: (name: string) => string;
	/** Checks a new branch out, without an upstream. */
	readonly branch: (name: string, from?: string) => void;
	/** Makes commits on a branch of the remote as somebody else would, of whose doing no log here tells. */
	readonly others: (name: string, from: string, count?: number) => string;
}

function local(files: Files = { "a.txt": "1\n" }): Place {
	const repo = repository({ files });
	tidyLater(() => repo.remove());
	const git: TestRepository["git"] = (...args) => repo.git(...args);
	const work = (name: string): string => {
		repo.write({ [`${name}.txt`]: `${name}\n` });
		return repo.commit(name);
	};
	const branch = (name: string, from = "HEAD"): void =>
		void git("checkout", "--quiet", "--no-track", "-b", name, from);
	const others = (name: string, from: string, count = 1): string => {
		let tip = git("rev-parse", from);
		for (let nth = 0; nth < count; nth++)
			tip = git("commit-tree", "-p", tip, "-m", `${name} ${nth}`, `${tip}^{tree}`);
		git("push", "--quiet", "--force", "origin", `${tip}:refs/heads/${name}`);
		git("fetch", "--quiet", "origin");
		return tip;
	};
	return { ...repo, work, branch, others };
}

/** A repository whose `main` is at a remote, with nothing checked out beside it. */
function cloned(): Place {
	const place = local();
	const remote = join(place.home, "remote.git");
	place.git("init", "--quiet", "--bare", "--initial-branch=main", remote);
	place.git("-C", remote, "config", "receive.denyDeleteCurrent", "ignore");
	place.git("remote", "add", "origin", remote);
	place.git("push", "--quiet", "--set-upstream", "origin", "main");
	place.git("remote", "set-head", "origin", "main");
	return place;
}

async function baseOf(repo: TestRepository, ...args: readonly string[]) {
	const { stdout, stderr } = await spar(repo, ["check", "--quick", "--json", ...args]);
	expect(stdout, stderr).not.toBe("");
	const { base, base_is } = reportJson.parse(JSON.parse(stdout));
	return [base, base_is] as const;
}

const left = (of: string): unknown =>
	expect.stringMatching(new RegExp(`^[1-9]\\d* commits? back, where it left ${of}$`));

thorough(
	"a topic that tracks its own copy at the remote is compared with where it left main",
	async () => {
		const repo = cloned();
		const fork = repo.git("rev-parse", "main");
		repo.branch("topic");
		repo.work("one");
		repo.git("push", "--quiet", "--set-upstream", "origin", "topic");
		expect(await baseOf(repo), "all of it is pushed").toEqual([fork, left("origin/main")]);
		repo.work("two");
		repo.others("main", "origin/main");
		expect(await baseOf(repo)).toEqual([fork, left("origin/main")]);
		expect(await baseOf(repo, "topic"), "by its name").toEqual([fork, left("origin/main")]);
	},
);

thorough("what a topic tracks is its base, also where another branch is nearer", async () => {
	const repo = cloned();
	const fork = repo.others("develop", "main");
	repo.branch("topic", "origin/develop");
	repo.git("branch", "--quiet", "--set-upstream-to=origin/develop");
	repo.work("one");
	repo.others("develop", "origin/develop", 2);
	expect(await baseOf(repo)).toEqual([fork, left("origin/develop")]);
});

thorough(
	"of a default branch and develop the one that the topic left last is its base",
	async () => {
		const repo = cloned();
		const fork = repo.others("develop", "main", 3);
		repo.branch("topic", "origin/develop");
		repo.work("one");
		expect(await baseOf(repo)).toEqual([fork, left("origin/develop")]);
		repo.others("release", "origin/main", 5);
		repo.branch("hotfix", "origin/main");
		repo.work("two");
		expect(await baseOf(repo)).toEqual([repo.git("rev-parse", "main"), left("origin/main")]);
	},
);

test.each<[string, (repo: Place) => unknown]>(
	spread(
		[
			[
				"leads to a branch that is gone",
				(repo) => {
					repo.others("gone", "main~1");
					repo.git("remote", "set-head", "origin", "gone");
					repo.git("push", "--quiet", "origin", ":gone");
					repo.git("fetch", "--quiet", "--prune", "origin");
				},
			],
			["is not set", (repo) => repo.git("remote", "set-head", "origin", "--delete")],
			[
				"leads to a branch that was left long ago",
				(repo) => {
					repo.others("old", "main~1");
					repo.git("remote", "set-head", "origin", "old");
				},
			],
		],
		1,
	),
)("where the remote's HEAD %s, a topic has its base at main", async (_name, change) => {
	const repo = cloned();
	const fork = repo.work("more");
	repo.git("push", "--quiet", "origin", "main");
	change(repo);
	repo.branch("topic");
	repo.work("one");
	expect(await baseOf(repo)).toEqual([fork, left("origin/main")]);
});

thorough(
	"a default branch of any name is known by the remote's HEAD, and one that was renamed by its commits",
	async () => {
		const repo = cloned();
		const fork = repo.others("production", "main", 2);
		repo.git("push", "--quiet", "origin", ":main");
		repo.git("fetch", "--quiet", "--prune", "origin");
		repo.branch("topic", "origin/production");
		repo.work("one");
		expect(await baseOf(repo), "HEAD leads to what is gone").toEqual([
			fork,
			left("origin/production"),
		]);
		repo.git("remote", "set-head", "origin", "production");
		expect(await baseOf(repo)).toEqual([fork, left("origin/production")]);
	},
);

test("a topic on top of another one is compared with where it left that one", async () => {
	const repo = cloned();
	repo.branch("lower");
	const fork = repo.work("one");
	repo.git("push", "--quiet", "origin", "lower");
	repo.branch("upper");
	repo.work("two");
	expect(await baseOf(repo)).toEqual([fork, left("origin/lower")]);
});

thorough("a branch that somebody made from the topic is none that it left", async () => {
	const repo = cloned();
	const fork = repo.git("rev-parse", "main");
	repo.branch("topic");
	repo.work("one");
	repo.git("push", "--quiet", "origin", "topic");
	repo.others("colleague", "topic");
	repo.work("two");
	expect(await baseOf(repo)).toEqual([fork, left("origin/main")]);
	repo.others("later", "topic");
	expect(await baseOf(repo), "one that has all of it").toEqual([fork, left("origin/main")]);
});

test("work that the default branch has already brings nothing new", async () => {
	const repo = cloned();
	repo.branch("topic");
	repo.work("one");
	repo.others("main", "topic");
	const { code, stderr } = await spar(repo, ["check", "--quick"]);
	expect(code).toBe(2);
	expect(stderr).toContain("topic brings nothing new (origin/main has all of it)");
});

thorough("hundreds of remote branches cost no git process each", async () => {
	const repo = cloned();
	const fork = repo.git("rev-parse", "main");
	const [bin, log] = [join(repo.home, "bin"), join(repo.home, "calls")];
	const real = repo.env["PATH"]?.split(delimiter).map((folder) => join(folder, "git"));
	const git = real?.find((file) => existsSync(file)) ?? "git";
	mkdirSync(bin);
	const script = `#!/bin/sh\necho >> "${log}"\nexec "${git}" "$@"\n`;
	writeFileSync(join(bin, "git"), script, { mode: 0o755 });
	const env = { PATH: `${bin}${delimiter}${repo.env["PATH"]}` };
	const counted = async (): Promise<number> => {
		writeFileSync(log, "");
		const { stdout } = await spar(repo, ["check", "--quick", "--json"], { env });
		expect(JSON.parse(stdout)).toMatchObject({ base: fork });
		return readFileSync(log, "utf8").length;
	};
	repo.branch("topic");
	repo.work("one");
	const few = await counted();
	expect(few).toBeGreaterThan(5);
	const refs = Array.from({ length: 400 }, (_, nth) => {
		const tip = repo.git("commit-tree", "-p", "main", "-m", `Other ${nth}`, "main^{tree}");
		return `create refs/remotes/origin/other-${nth} ${tip}\n`;
	});
	const place = { cwd: repo.root, env: repo.env, input: refs.join("") };
	expect(spawnSync("git", ["update-ref", "--stdin"], place).status).toBe(0);
	expect((await counted()) - few).toBeLessThan(10);
});

test.each(spread(["main", "master", "develop", "trunk"], 1))(
	"without a remote the local branch %s is the base, and has none itself",
	async (name) => {
		const repo = local();
		repo.git("branch", "--move", name);
		const fork = repo.git("rev-parse", "HEAD");
		repo.branch("topic");
		repo.work("one");
		expect(await baseOf(repo)).toEqual([fork, left(name)]);
		repo.git("checkout", "--quiet", name);
		repo.work("two");
		const { code, stderr } = await spar(repo, ["check", "--quick"]);
		expect(code).toBe(2);
		expect(stderr).toContain(`${name} brings nothing new`);
	},
);

test("a HEAD without a branch is compared with where it left its upstream, too", async () => {
	const repo = cloned();
	const fork = repo.git("rev-parse", "main");
	repo.git("checkout", "--quiet", "--detach");
	repo.work("one");
	expect(await baseOf(repo)).toEqual([fork, left("origin/main")]);
});

test("unpushed commits of the default branch are compared with its copy", async () => {
	const repo = cloned();
	const fork = repo.git("rev-parse", "main");
	repo.work("one");
	expect(await baseOf(repo)).toEqual([fork, left("origin/main")]);
});

thorough(
	"commits below uncommitted work are told as not judged, and the command that judges them works",
	async () => {
		const repo = cloned();
		const fork = repo.git("rev-parse", "main");
		repo.branch("topic");
		repo.work("one");
		const head = repo.work("two");
		repo.write({ "three.txt": "3\n" });
		const { stdout } = await spar(repo, ["check", "--quick", "--json"]);
		const { base, next } = z
			.object({ base: z.string(), next: z.array(z.string()) })
			.parse(JSON.parse(stdout));
		expect(base).toBe(head);
		expect(next).toContainEqual(expect.stringContaining("the 2 commits of this branch"));
		const words = next.find((line) => line.startsWith("spar check "))?.split(" ") ?? [];
		expect(words, next.join("\n")).not.toEqual([]);
		const [judged] = await baseOf(repo, ...words.slice(2));
		expect(judged).toBe(fork);
	},
);

test("the first line says how many commits lie between the work and its base", async () => {
	const repo = cloned();
	repo.branch("topic");
	repo.work("one");
	repo.work("two");
	const { stdout } = await spar(repo, ["check", "--quick"], { columns: 80 });
	expect(stdout).toMatch(/against [0-9a-f]{10}, 2 commits back, where it left\s+origin\/main\n/);
	expect((await baseOf(repo, "--base", "main"))[1]).toBe("2 commits back");
	repo.write({ "three.txt": "3\n" });
	expect((await baseOf(repo, "--base", "main"))[1]).toBe("2 commits back");
});

/** A shallow clone of a remote that has a topic of three commits. */
function shallow(...how: readonly string[]): TestRepository {
	const repo = cloned();
	repo.work("more");
	repo.git("push", "--quiet", "origin", "main");
	repo.branch("topic");
	for (const name of ["one", "two", "three"]) repo.work(name);
	repo.git("push", "--quiet", "origin", "topic");
	const root = join(repo.home, "shallow");
	const remote = `file://${join(repo.home, "remote.git")}`;
	repo.git("clone", "--quiet", "--branch=topic", ...how, remote, root);
	for (const key of ["name", "email"]) repo.git("-C", root, "config", `user.${key}`, "other");
	return { ...repo, root, git: (...args) => repo.git("-C", root, ...args) };
}

const FETCH = /git fetch --unshallow origin '\+refs\/heads\/\*:refs\/remotes\/origin\/\*'/;

thorough(
	"in a shallow clone of one commit the command that fetches its history is named, and works",
	async () => {
		const repo = shallow("--depth=1");
		for (const args of [[], ["HEAD"], ["HEAD~1"], ["--base", "HEAD~1"], ["--history", "2"]]) {
			const { code, stderr } = await spar(repo, ["check", "--quick", ...args]);
			expect(code, args.join(" ")).toBe(2);
			expect(stderr, args.join(" ")).toMatch(FETCH);
		}
		const push = await spar(repo, ["check", "--hook", "pre-push"]);
		expect(push.stderr).toMatch(/^not judged: .*no base was found.*git fetch --unshallow/);
		repo.git("fetch", "--quiet", "--unshallow", "origin", "+refs/heads/*:refs/remotes/origin/*");
		const main = repo.git("rev-parse", "origin/main");
		expect(await baseOf(repo)).toEqual([main, left("origin/main")]);
	},
);

thorough(
	"where a shallow history may hide the right base, the line that names it says so",
	async () => {
		const cut: unknown = expect.stringContaining(
			"history is shallow here and may hide the right one",
		);
		const one = shallow("--depth=2");
		expect((await baseOf(one, "HEAD"))[1], "no branch beside it").toEqual(cut);
		const whole = shallow("--depth=5", "--no-single-branch");
		const main = whole.git("rev-parse", "origin/main");
		expect(await baseOf(whole), "nothing is cut above it").toEqual([main, left("origin/main")]);
		const { stdout } = await spar(one, ["check", "--quick", "HEAD"], { columns: 80 });
		expect(stdout.replaceAll(/\s+/g, " ")).toContain("right one: git fetch --unshallow");
	},
);

thorough(
	"another branch that a shallow clone cuts may be the right base, and a named one is cut too",
	async () => {
		const repo = shallow("--depth=5", "--no-single-branch");
		const main = repo.git("rev-parse", "origin/main");
		// What `--depth` does not give: main is whole here, and the topic ends before it left develop.
		const at = repo.git("rev-parse", "HEAD~1");
		const aside = repo.git("commit-tree", "-p", at, "-p", main, "-m", "Merge", "HEAD^{tree}");
		repo.git("checkout", "--quiet", "-B", "topic", aside);
		writeFileSync(join(repo.root, ".git/shallow"), `${at}\n`, { flag: "a" });
		const hidden: unknown = expect.stringContaining("but history is shallow here");
		expect(await baseOf(repo)).toEqual([main, hidden]);
		expect(await baseOf(repo, "--base", "origin/main")).toEqual([main, hidden]);
	},
);
