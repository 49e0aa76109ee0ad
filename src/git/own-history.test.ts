import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { spread, thorough } from "../../test/support/amount.ts";
import { withBase } from "./base-vault.ts";
import { type Checkout, openCheckout } from "./checkout.ts";
import {
	git,
	type Scene,
	scene,
	sceneOf,
	scratchDirectory,
	userRepository,
	writeFiles,
} from "./scratch.fixture.ts";

const SECRET = "assert.equal(parse('IV'), 4)";

/** A checkout that judges, of a repository in which a test stood, was moved and rewritten. */
async function judging(base = "HEAD"): Promise<Scene & { readonly own: Checkout }> {
	const user = userRepository({ "src/parse.js": "one\n", "a.test.js": `old ${SECRET}\n` });
	git(user, "tag", "-a", "v1.0.0", "-m", "first");
	git(user, "mv", "a.test.js", "src/was-a-test.js");
	git(user, "commit", "-qm", "Moved");
	git(user, "rm", "-q", "src/was-a-test.js");
	writeFiles(user, { "src/parse.js": "two\n", "test/a.test.js": `new ${SECRET}\n` });
	git(user, "add", "-A");
	git(user, "commit", "-qm", "Rewritten");
	const found = await sceneOf(user);
	const baseCommit = git(user, "rev-parse", `${base}^{commit}`);
	const vault = await withBase(found.vault, { baseBranch: "main", baseCommit });
	const isWithheld = async () => (path: string) => path.includes("test");
	const own = openCheckout(
		{ ...vault, ownHistory: { base: baseCommit, isWithheld } },
		{ dir: join(found.state, "judged"), indexFile: join(found.state, "judged-index") },
	);
	await own.forceTo(found.base);
	return { ...found, own };
}

const shell = (dir: string, command: string): string => {
	const { stdout, stderr } = spawnSync("sh", ["-c", command], { cwd: dir, encoding: "utf8" });
	return stdout + stderr;
};

test.each(spread(["HEAD", "HEAD~1", "v1.0.0"], 1))(
	"a checkout that judges knows its version, and git gives it no content of a test (base %s)",
	async (base) => {
		const { own, user } = await judging(base);
		for (const asked of [
			"rev-parse HEAD v1.0.0",
			"describe --tags",
			"log --format=%H%an%ad%s",
			"rev-list --count HEAD",
			"log -1 --format=%H -- test/a.test.js",
			"ls-tree -r HEAD",
			"diff --name-only v1.0.0 HEAD --no-renames",
			"show HEAD:src/parse.js",
		]) {
			const there = git(user, ...asked.split(" "));
			expect(git(own.dir, ...asked.split(" ")), asked).toBe(there);
		}
		expect(git(own.dir, "status", "--porcelain")).toBe("");
		rmSync(join(own.dir, "test"), { recursive: true });
		for (const asked of [
			"git grep -h IV HEAD; git grep -h IV HEAD~1; git grep -h IV $(git rev-list --all)",
			"git show HEAD:test/a.test.js; git log -p; git show v1.0.0:a.test.js",
			"git checkout -- test; git stash; git archive HEAD",
			"git cat-file --batch-all-objects --batch --buffer",
			"git diff HEAD; git fsck --full; cat .git/lost-found/*/*",
		])
			expect(shell(own.dir, asked), asked).not.toContain("IV");
		expect(existsSync(join(own.dir, ".git/objects/info/alternates"))).toBe(false);
		const named = shell(own.dir, "grep -rl -e .git/objects -e vault .git");
		expect(named).toBe("");
	},
);

test("what a build writes again as it was is no difference, and a new file of the product is known too", async () => {
	const { own, user } = await judging("HEAD~1");
	writeFiles(own.dir, { "src/parse.js": "two\n" });
	expect(git(own.dir, "diff", "--exit-code")).toBe("");
	writeFiles(own.dir, { "src/parse.js": "three\n" });
	expect(git(own.dir, "diff")).toContain("-two\n+three");
	expect(git(user, "status", "--porcelain")).toBe("");
});

test("nothing of one execution is in the repository of the next, and all borrow again where they may", async () => {
	const { own, base, repository } = await judging();
	const pack = shell(own.dir, "ls .git/objects/pack/*.pack").trim();
	shell(
		own.dir,
		`chmod u+w ${pack}; echo planted >> ${pack}; git update-ref refs/tags/planted HEAD`,
	);
	await own.forceTo(base);
	expect(readFileSync(join(own.dir, pack)).includes("planted")).toBe(false);
	expect(git(own.dir, "tag")).toBe("v1.0.0");
	await own.borrowAll(base);
	expect(git(own.dir, "grep", "-h", "IV", "HEAD")).toContain(SECRET);
	await own.forceTo(base);
	expect(shell(own.dir, "git grep -h IV HEAD")).not.toContain("new");
	execFileSync("git", ["fsck", "--strict"], { cwd: repository.root });
});

test("a shallow repository, one that lost old commits, and large files are no obstacle", async () => {
	const { user, base } = await scene({ "a.js": "one\n", "big.bin": "0".repeat(2_000_000) });
	writeFiles(user, { "a.js": "two\n" });
	git(user, "commit", "-qam", "second");
	const shallow = scratchDirectory();
	git(user, "clone", "-q", "--depth=1", `file://${user}`, join(shallow, "clone"));
	rmSync(join(user, ".git/objects", base.slice(0, 2), base.slice(2)));
	for (const place of [join(shallow, "clone"), user]) {
		const { repository, vault: plain, state } = await sceneOf(place);
		const { headCommit: baseCommit } = repository;
		const vault = await withBase(plain, { baseBranch: "main", baseCommit });
		const isWithheld = async () => () => false;
		const own = openCheckout(
			{ ...vault, ownHistory: { base: baseCommit, isWithheld } },
			{ dir: join(state, "judged"), indexFile: join(state, "judged-index") },
		);
		await own.forceTo(baseCommit);
		expect(git(own.dir, "rev-parse", "HEAD")).toBe(baseCommit);
		expect(git(own.dir, "show", "HEAD:a.js")).toBe("two");
		expect(git(own.dir, "status", "--porcelain")).toBe("");
		expect(shell(own.dir, "git show HEAD:big.bin")).toMatch(/^fatal/);
	}
});

/** A repository with a long history: a tag near its end, one near its start, and a side branch that was merged late. */
function longHistory(commits: number): string {
	const user = userRepository({ "a.js": "0\n" });
	git(user, "tag", "old");
	const lines = Array.from({ length: commits }, (_, at) => {
		const text = `${at}\n`;
		const from = at === 0 ? "from refs/heads/main^0\n" : "";
		const who = `committer Tester <tester@example.invalid> ${1_700_000_000 + at} +0000`;
		return `commit refs/heads/main\n${who}\ndata 1\nc\n${from}M 644 inline a.js\ndata ${text.length}\n${text}\n`;
	});
	execFileSync("git", ["fast-import", "--quiet"], { cwd: user, input: lines.join("") });
	git(user, "reset", "-q", "--hard");
	git(user, "tag", "-a", "v2", "-m", "second", "HEAD~5");
	return user;
}

thorough(
	"of a long history the newest commits are held: a version near them is told, and an old tag is not there",
	async () => {
		const user = longHistory(2_600);
		const { vault: plain, state, base } = await sceneOf(user);
		const vault = await withBase(plain, { baseBranch: "main", baseCommit: base });
		const own = openCheckout(
			{ ...vault, ownHistory: { base, isWithheld: async () => () => false } },
			{ dir: join(state, "judged"), indexFile: join(state, "judged-index") },
		);
		await own.forceTo(base);
		for (const asked of ["rev-parse HEAD", "describe", "log -3 --format=%H", "show HEAD:a.js"])
			expect(git(own.dir, ...asked.split(" ")), asked).toBe(git(user, ...asked.split(" ")));
		expect(git(own.dir, "rev-list", "--count", "HEAD")).toBe("2000");
		expect(git(own.dir, "tag")).toBe("v2");
		expect(git(own.dir, "diff", "--name-only", "HEAD~1999", "HEAD")).toBe("a.js");
		expect(
			shell(
				own.dir,
				"git fsck --connectivity-only 2>&1 | grep -E '(missing|to) +(commit|tree|tag)'",
			),
		).toBe("");
		// Work on top of it, whose tree is that of a commit which is not held.
		git(user, "checkout", "-q", "old", "--", ".");
		git(user, "commit", "-qm", "As it was");
		const work = git(user, "rev-parse", "HEAD");
		await own.forceTo(work);
		expect(git(own.dir, "status", "--porcelain")).toBe("");
		expect(git(own.dir, "show", "HEAD:a.js")).toBe("0");
		expect(git(own.dir, "ls-tree", "--name-only", "HEAD")).toBe("a.js");
	},
);
