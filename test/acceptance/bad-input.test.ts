import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { thorough, thoroughly } from "../support/amount.ts";
import { spar } from "../support/spar.ts";
import { APPROVES, type Stage, scratch, stage, textLike, WORKS } from "./stage.ts";

const STEPS = [WORKS, APPROVES];
const RUN = ["run", "--json"] as const;

/** Nothing was begun: exit 2, a message, no branch, no private ref. */
async function refused(set: Pick<Stage, "repo">, said: RegExp, options = {}): Promise<void> {
	const { code, stdout, stderr } = await spar(set.repo, RUN, options);
	expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
	expect(stderr).toMatch(said);
	expect(stderr).not.toMatch(/\n\s+at .*:\d+:\d+/);
}

describe("a place that no run can start in is refused with what to do", () => {
	thorough("no repository", async () => {
		const repo = scratch();
		const elsewhere = join(repo.home, "plain");
		mkdirSync(elsewhere);
		await refused({ repo }, /not inside a git repository.*git init/s, { cwd: elsewhere });
	});

	thorough("a repository without a commit", async () => {
		const repo = scratch();
		repo.write({ "sparring.yaml": stage({ steps: STEPS }).repo.read("sparring.yaml") ?? "" });
		await refused({ repo }, /no commits yet.*git commit/s);
	});

	test("a bare repository", async () => {
		const repo = scratch({ files: { a: "a\n" } });
		const bare = join(repo.home, "bare.git");
		repo.git("clone", "--quiet", "--bare", repo.root, bare);
		await refused({ repo }, /bare repository/, { cwd: bare });
	});

	test("no workflow file", async () => {
		await refused({ repo: scratch({ files: { a: "a\n" } }) }, /sparring\.yaml.*spar init/s);
	});

	test("a base branch that does not exist", async () => {
		const set = stage({ steps: STEPS, workflow: { base: "trunk" } });
		await refused(set, /base branch trunk does not exist/);
	});

	thorough("a detached HEAD without a base", async () => {
		const set = stage({ steps: STEPS });
		set.repo.git("checkout", "--quiet", "--detach");
		await refused(set, /detached.*base:/s);
	});

	thorough("a HEAD that is no branch, on which nothing could land", async () => {
		const set = stage({ steps: STEPS });
		set.repo.git("update-ref", "refs/other/one", "HEAD");
		set.repo.git("symbolic-ref", "HEAD", "refs/other/one");
		await refused(set, /no branch.*base:/s);
	});

	thorough("a TMPDIR that is not there, which doctor, validate and land name too", async () => {
		const set = stage({ steps: STEPS });
		await set.spar(["run"]);
		const absent = join(set.repo.home, "absent");
		vi.stubEnv("TMPDIR", absent);
		try {
			for (const command of ["run", "validate", "land"]) {
				const { code, stderr } = await set.spar([command]);
				expect([command, code]).toEqual([command, 2]);
				expect(stderr).toContain(`no temporary files can be made in ${absent} (ENOENT)`);
			}
			const doctor = await set.spar(["doctor"]);
			expect([doctor.code, doctor.stdout]).toMatchObject([1, textLike("temporary files")]);
		} finally {
			vi.unstubAllEnvs();
		}
	});

	thorough("a file where the state directory belongs", async () => {
		const set = stage({ steps: STEPS });
		set.repo.write({ ".sparring": "mine\n" });
		await refused(set, /\.sparring is a file/);
		expect(set.repo.read(".sparring")).toBe("mine\n");
	});

	thorough("a directory where the database belongs", async () => {
		const set = stage({ steps: STEPS });
		mkdirSync(join(set.repo.root, ".sparring", "sparring.db"), { recursive: true });
		await refused(set, /sparring\.db/);
	});

	thorough("a database that is none", async () => {
		const set = stage({ steps: STEPS });
		set.repo.write({
			".sparring/sparring.db": "this is no database, and it is long enough\n".repeat(99),
		});
		await refused(set, /sparring\.db/);
		expect(set.repo.read(".sparring/sparring.db")).toContain("this is no database");
	});

	thorough("a branch in the way of ours", async () => {
		const set = stage({ steps: STEPS });
		set.repo.git("branch", "sparring");
		await refused(set, /in the way.*sparring.*git branch -m/s);
		expect(set.repo.git("branch", "--list", "sparring")).toContain("sparring");
	});

	test("checkouts that would stand inside the repository", async () => {
		const set = stage({ steps: STEPS });
		await refused(set, /inside the repository/, { env: { SPAR_CHECKOUTS: set.repo.root } });
	});
});

describe("readers in a place without state", () => {
	test("say so, exit 0 and leave nothing behind", async () => {
		const repo = scratch({ files: { a: "a\n" } });
		for (const [args, shown] of [
			[["status", "--json"], "null\n"],
			[["runs", "--json"], "[]\n"],
			[["hil", "list", "--json"], "[]\n"],
		] as const) {
			const { code, stdout } = await spar(repo, args);
			expect({ args, code, stdout: stdout.replace(/\s+$/, "\n") }).toEqual({
				args,
				code: 0,
				stdout: shown,
			});
		}
		expect(repo.git("status", "--porcelain", "--ignored")).toBe("");
	});
});

thoroughly("an unusual repository works like any other", () => {
	thorough(
		"a path with spaces and quotes, names with newlines, quotes and non-ASCII, binary files, a dirty tree",
		async () => {
			const odd = [
				"with space.txt",
				'quo"te.txt',
				"new\nline.txt",
				"-dash.txt",
				"späß/ünï.txt",
				":colon.txt",
			];
			const touch = odd.map((name) => `printf '%s' "$SPAR_TURN" >> './${name}'`).join("; ");
			const set = stage({
				name: 'it\'s a "project" of mine',
				files: {
					...Object.fromEntries(odd.map((name) => [name, "before\n"])),
					"image.bin": Buffer.from([0, 255, 254, 10, 0, 13]),
				},
				steps: [
					{
						role: "player",
						run: `${touch}; printf '\\377\\000\\376' >> image.bin; printf x > "$(printf 'latin-\\351.txt')"`,
					},
					APPROVES,
				],
			});
			set.repo.write({ "with space.txt": "half done\n", "untracked.txt": "mine\n" });
			const { code, report, stderr } = await set.run();
			expect(code).toBe(0);
			expect(stderr).toContain("2 uncommitted changes are not part of this run");
			for (const name of odd)
				expect(set.repo.git("show", `${report.branch}:${name}`)).toBe("before\n1");
			expect(
				set.repo
					.git("-c", "core.quotePath=false", "ls-tree", "-rz", "--name-only", report.branch)
					.split("\0"),
			).toHaveLength(set.repo.git("ls-tree", "-rz", "--name-only", "main").split("\0").length + 1);
			expect(set.repo.read("with space.txt")).toBe("half done\n");
			expect(set.repo.read("untracked.txt")).toBe("mine\n");
			const diff = await set.spar(["diff", "one"]);
			expect(diff).toMatchObject({ code: 0 });
			expect(diff.stdout).toContain("with space.txt");
			const dirtyLanding = await set.spar(["land"]);
			expect(dirtyLanding.code).toBe(2);
			set.repo.git("checkout", "--quiet", "--", "with space.txt");
			expect((await set.spar(["land"])).code).toBe(0);
			expect(set.repo.read("untracked.txt")).toBe("mine\n");
		},
	);

	thorough("a submodule that the repository has stays as it is, and needs no word", async () => {
		const set = stage({ steps: STEPS });
		const other = scratch({ files: { lib: "lib\n" } });
		set.repo.git(
			"-c",
			"protocol.file.allow=always",
			"submodule",
			"--quiet",
			"add",
			other.root,
			"vendor",
		);
		const recorded = set.repo.commit("Submodule");
		const { code, report, stderr } = await set.run();
		expect(code).toBe(0);
		expect(stderr).not.toContain("submodule");
		expect(set.repo.git("ls-tree", report.branch, "vendor")).toBe(
			set.repo.git("ls-tree", recorded, "vendor"),
		);
		expect(set.repo.git("status", "--porcelain")).toBe("");
	});

	thorough("a subdirectory, a linked worktree and a detached HEAD with a base", async () => {
		const set = stage({ steps: STEPS, workflow: { base: "main" } });
		set.repo.write({ "deep/down/file": "x\n" });
		set.repo.commit("Deep");
		const deep = join(set.repo.root, "deep", "down");
		const below = await set.spar(["run", "--json"], { cwd: deep });
		expect(below.code).toBe(0);
		expect((await set.spar(["status"], { cwd: deep })).stdout).toContain("completed");
		const tree = join(set.repo.home, "linked tree");
		set.repo.git("worktree", "add", "--quiet", "--detach", tree);
		const linked = await set.spar(["run", "--json"], { cwd: tree });
		expect(linked.stderr).not.toContain("    at ");
		expect(linked.code).toBe(0);
		expect(set.repo.git("-C", tree, "status", "--porcelain")).toBe("");
	});

	thorough(
		"a coach's checkout is not the player's: what the coach changes is in no commit",
		async () => {
			const set = stage({
				steps: [WORKS, { ...APPROVES, files: { "coach-was-here.txt": "x", "work.txt": "ruined" } }],
			});
			const { code, report } = await set.run();
			expect(code).toBe(0);
			expect(set.repo.git("show", `${report.branch}:work.txt`)).toBe("turn 1");
			expect(set.repo.git("ls-tree", "--name-only", report.branch)).not.toContain("coach-was-here");
		},
	);

	thorough(
		"hooks of the user do not run, and a program that cannot sign stops nothing",
		async () => {
			const set = stage({ steps: STEPS });
			const flag = join(set.repo.home, "hook-ran");
			mkdirSync(join(set.repo.root, ".git", "hooks"), { recursive: true });
			for (const hook of [
				"post-checkout",
				"pre-commit",
				"commit-msg",
				"post-merge",
				"reference-transaction",
			])
				writeFileSync(
					join(set.repo.root, ".git", "hooks", hook),
					`#!/bin/sh\ntouch '${flag}'\nexit 1\n`,
					{ mode: 0o755 },
				);
			set.repo.git("config", "commit.gpgSign", "true");
			set.repo.git("config", "gpg.program", "/bin/false");
			const { code } = await set.run();
			expect(code).toBe(0);
			expect(set.repo.read("../hook-ran")).toBeUndefined();
			rmSync(join(set.repo.root, ".git", "hooks"), { recursive: true });
		},
	);
});
