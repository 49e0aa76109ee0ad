import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { spread, thorough } from "../../test/support/amount.ts";
import { withBase } from "./base-vault.ts";
import { openCheckout } from "./checkout.ts";
import { forecastMerge } from "./merging.ts";
import {
	commitAll,
	type Files,
	git,
	type Scene,
	scene,
	sceneOf,
	userRepository,
	writeFiles,
} from "./scratch.fixture.ts";

const LINES = Array.from({ length: 40 }, (_, nth) => `${nth}\n`);

const withLine = (at: number, text: string): string => LINES.with(at, `${text}\n`).join("");

interface Merge {
	readonly base: Files;
	/** Far from each other in `far.lock`, and both at the end of `near.log`. */
	readonly ours?: Files;
	readonly theirs?: Files;
	readonly settings?: readonly (readonly [key: string, value: string])[];
}

/** A user's repository with the branches `ours` and `theirs`, and its vault. */
async function merging({ base, ours, theirs, settings = [] }: Merge) {
	const files = { "far.lock": LINES.join(""), "sub/far.lock": LINES.join(""), "near.log": "a\n" };
	const user = userRepository({ ...files, ...base });
	for (const [key, value] of settings) git(user, "config", key, value);
	const at = await sceneOf(user);
	const side = (name: string, at: number, more: Files | undefined): string => {
		git(user, "switch", "-q", "-c", name, "main");
		const far = withLine(at, name);
		writeFiles(user, { "far.lock": far, "sub/far.lock": far, "near.log": `a\n${name}\n`, ...more });
		return commitAll(user, name);
	};
	const sides = [side("ours", 3, ours), side("theirs", 30, theirs)] as const;
	const vault = await withBase(at.vault, { baseBranch: "main", baseCommit: at.base });
	return { ...at, vault, sides };
}

/** What the user's own git makes of the same merge: the paths that conflict. */
function byHand({ user }: Scene): string[] {
	git(user, "switch", "-q", "ours");
	try {
		git(user, "merge", "-q", "--no-edit", "theirs");
	} catch {
		// The index tells what conflicts.
	}
	const listed = git(user, "diff", "--name-only", "--diff-filter=U");
	return listed === "" ? [] : listed.split("\n");
}

const FAR = ["far.lock", "sub/far.lock"];

const CASES: [name: string, merge: Merge, conflicts: string[]][] = [
	["no attributes: lines merge, and the same place conflicts", { base: {} }, ["near.log"]],
	["-merge", { base: { ".gitattributes": "*.lock -merge\n" } }, [...FAR, "near.log"].sort()],
	["binary", { base: { ".gitattributes": "*.lock binary\n" } }, [...FAR, "near.log"].sort()],
	["union", { base: { ".gitattributes": "*.log merge=union\n" } }, []],
	[
		"attributes of a folder, above those of the top",
		{ base: { ".gitattributes": "*.log merge=union\n", "sub/.gitattributes": "*.lock -merge\n" } },
		["sub/far.lock"],
	],
	[
		"text again in a folder",
		{
			base: {
				".gitattributes": "* -merge\n*.log merge\n",
				"sub/.gitattributes": "far.lock merge\n",
			},
		},
		["far.lock", "near.log"],
	],
	[
		"a macro of the project, and its own meaning of binary",
		{
			base: {
				".gitattributes":
					"[attr]joined merge=union\n[attr]binary -diff\n*.log joined\n*.lock binary\n",
			},
		},
		[],
	],
	[
		"a driver that nobody defines",
		{ base: { ".gitattributes": "*.log merge=nobody\n" } },
		["near.log"],
	],
	[
		"drivers that the user defines",
		{
			base: { ".gitattributes": "*.log merge=theirs\n*.lock merge=fails\n" },
			settings: [
				["merge.theirs.driver", "cat %B > %A"],
				["merge.fails.driver", "no-such-program %O %A %B"],
			],
		},
		FAR,
	],
];

test.each(spread(CASES, 2))(
	"%s: a merge conflicts where that of the user's git does",
	async (_name, merge, conflicts) => {
		const at = await merging(merge);
		const forecast = await forecastMerge(at.vault, ...at.sides);
		const told = forecast.clean ? [] : [...forecast.conflicts].sort();
		expect(told).toEqual(conflicts);
		expect(byHand(at)).toEqual(told);
		if (forecast.clean) expect(git(at.user, "rev-parse", "HEAD^{tree}")).toBe(forecast.tree);
		if (merge.settings !== undefined)
			expect(git(at.user, "show", `${forecast.tree}:near.log`)).toBe("a\ntheirs");
	},
);

thorough("attributes that one side of a merge brings do not count", async () => {
	const none = await merging({ base: {}, theirs: { ".gitattributes": "*.log merge=union\n" } });
	expect(await forecastMerge(none.vault, ...none.sides)).toMatchObject({ clean: false });
	const base = { ".gitattributes": "*.lock -merge\n*.log merge=union\n" };
	const taken = await merging({
		base,
		ours: { ".gitattributes": "" },
		theirs: { ".gitattributes": "" },
	});
	expect(await forecastMerge(taken.vault, ...taken.sides)).toMatchObject({ conflicts: FAR });
});

thorough("the merge attributes of the base change no conversion", async () => {
	const { vault, state, base } = await merging({
		base: { ".gitattributes": "*.txt text eol=crlf merge=union\n", "c.txt": "c\n" },
	});
	const place = { dir: join(state, "other"), indexFile: join(state, "other-index") };
	await openCheckout(vault, place).forceTo(base);
	expect(readFileSync(join(place.dir, "c.txt"), "utf8")).toBe("c\r\n");
});

/** A user's repository with tags, branches, a remote and a stash, and a checkout of its base. */
async function tagged() {
	const upstream = userRepository();
	git(upstream, "branch", "other");
	const user = `${upstream}-clone`;
	git(upstream, "clone", "-q", upstream, user);
	git(user, "tag", "v1");
	git(user, "tag", "-a", "-m", "annotated", "nested/v2", "v1");
	git(user, "tag", "-a", "-m", "a tag of a tag", "twice", "nested/v2");
	git(user, "symbolic-ref", "refs/tags/latest", "refs/tags/nested/v2");
	writeFiles(user, { "b.txt": "b\n" });
	commitAll(user, "second");
	git(user, "branch", "mine");
	git(user, "branch", "-q", "topic/main");
	writeFiles(user, { "b.txt": "stashed\n" });
	git(user, "stash", "-q");
	const at = await sceneOf(user);
	const vault = await withBase(at.vault, { baseBranch: "main", baseCommit: at.base });
	const place = { dir: join(at.state, "project"), indexFile: join(at.state, "project-index") };
	const checkout = openCheckout(vault, place);
	await checkout.forceTo(at.base);
	return { ...at, ...place, vault, checkout };
}

const REFS = [
	"refs/heads/main",
	"refs/remotes/origin/HEAD",
	"refs/remotes/origin/main",
	"refs/tags/latest",
	"refs/tags/nested/v2",
	"refs/tags/twice",
	"refs/tags/v1",
];

const refsOf = (dir: string): string[] =>
	git(dir, "for-each-ref", "--format=%(refname)").split("\n");

thorough("a checkout has the user's tags and the base's names, and no other refs", async () => {
	const { user, dir, checkout, vault, base } = await tagged();
	expect(refsOf(dir)).toEqual(REFS);
	for (const asked of [
		["describe", "--tags"],
		["describe"],
		["merge-base", "origin/main", "HEAD"],
		["rev-parse", "twice^{}", "main", "origin/HEAD", "latest"],
		["symbolic-ref", "refs/remotes/origin/HEAD"],
		["cat-file", "-p", "nested/v2"],
	])
		expect(git(dir, ...asked)).toBe(git(user, ...asked));
	expect(git(dir, "diff", "--name-only", "origin/main...HEAD")).toBe("b.txt");
	expect(git(dir, "remote")).toBe("");
	expect(git(dir, "fsck", "--no-dangling")).toBe("");
	writeFiles(dir, { "c.txt": "c\n" });
	const { commit } = await checkout.snapshot({ parent: base, message: "turn\n", at: 0 });
	await checkout.forceTo(commit);
	expect(git(dir, "log", "--format=%s", "main..HEAD")).toBe("turn");
	expect(vault.refs.length).toBeGreaterThan(0);
});

thorough(
	"refs that somebody makes, moves or deletes in a checkout are as before at its next use",
	async () => {
		const { dir, checkout, base } = await tagged();
		for (const spoil of [
			["branch", "new"],
			["tag", "-d", "v1"],
			["tag", "-f", "v1", "HEAD"],
			["update-ref", "--no-deref", "refs/remotes/origin/HEAD", "HEAD"],
			["update-ref", "-d", "refs/remotes/origin/main"],
			["pack-refs", "--all"],
		]) {
			git(dir, ...spoil);
			await checkout.forceTo(base);
			expect(refsOf(dir)).toEqual(REFS);
			expect(git(dir, "rev-parse", "v1")).toBe(git(dir, "rev-parse", "main~1"));
			expect(git(dir, "symbolic-ref", "refs/remotes/origin/HEAD")).toBe("refs/remotes/origin/main");
		}
	},
);

thorough("the refs are those of the run's start, also after a resume", async () => {
	const { user, vault, base } = await tagged();
	git(user, "tag", "later");
	git(user, "update-ref", "refs/remotes/origin/main", "HEAD");
	const again = await withBase(vault, { baseBranch: "main", baseCommit: base });
	expect(again.refs).toEqual(vault.refs);
});

thorough("a base that is not checked out, without remotes and tags, has its name", async () => {
	const at = await scene();
	const vault = await withBase(at.vault, { baseBranch: "feature/x", baseCommit: at.base });
	await openCheckout(vault, at).forceTo(at.base);
	expect(refsOf(at.dir)).toEqual(["refs/heads/feature/x"]);
});

thorough("ten thousand tags are fine", async () => {
	const user = userRepository();
	const head = git(user, "rev-parse", "HEAD");
	const tags = Array.from({ length: 10_000 }, (_, nth) => `${head} refs/tags/v${10_000 + nth}\n`);
	writeFiles(user, { ".git/packed-refs": tags.join("") });
	const at = await sceneOf(user);
	const vault = await withBase(at.vault, { baseBranch: "main", baseCommit: at.base });
	await openCheckout(vault, at).forceTo(at.base);
	expect(git(at.dir, "tag", "--list").split("\n")).toHaveLength(10_000);
	expect(git(at.dir, "describe", "--tags")).toMatch(/^v1\d{4}$/);
});
