import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { WrittenFiles } from "./git-of-maps.fixture.ts";
import type { NodeInput } from "./node-input.ts";

/** A repository with a task `limiter` in turn 2, whose player's checkout a test can write in. */
export interface CommitsUnderTest {
	readonly commits: NodeInput["commits"];
	/** Writes a commit with these files alone; moves no ref. */
	readonly commit: (files: WrittenFiles, parents?: readonly string[]) => Promise<string>;
	/** Brings the player's checkout to a commit. @returns its id */
	readonly stand: (commit: string) => Promise<string>;
	/** Writes in that checkout as a player does. */
	readonly write: (files: WrittenFiles) => Promise<void>;
	/** Whole message of a commit. */
	readonly message: (commit: string) => Promise<string>;
	/** Ids of a commit's parents. */
	readonly parents: (commit: string) => Promise<readonly string[]>;
	readonly close: () => Promise<void>;
}

const LINES = (...changed: readonly (readonly [number, string])[]): string => {
	const lines = Array.from({ length: 12 }, (_, at) => `line ${at + 1}`);
	for (const [at, text] of changed) lines[at - 1] = text;
	return `${lines.join("\n")}\n`;
};

/** Claims about what nodes ask of commits, whatever holds these. The repository is made once. */
export function commitsContract(name: string, make: () => Promise<CommitsUnderTest>): void {
	describe(`commits in ${name}`, () => {
		let set: CommitsUnderTest;
		beforeAll(async () => {
			set = await make();
		});
		afterAll(() => set.close());
		const given = (): CommitsUnderTest => set;
		readClaims(given);
		textClaims(given);
		mergeClaims(given);
		writeClaims(given);
		snapshotClaims(given);
	});
}

type Given = () => CommitsUnderTest;

function readClaims(given: Given): void {
	test("commits with equal files have the same tree, and with another text, name or mode another one", async () => {
		const { commits, commit } = given();
		const one = await commit({ "a.txt": "a\n", "b/c.txt": "c\n" });
		const same = await commit({ "b/c.txt": "c\n", "a.txt": "a\n" }, [one]);
		expect(same).not.toBe(one);
		expect(await commits.treeOf(same)).toBe(await commits.treeOf(one));
		for (const files of [
			{ "a.txt": "b\n", "b/c.txt": "c\n" },
			{ "a.txt": "a\n", "b/d.txt": "c\n" },
			{ "a.txt": { text: "a\n", mode: "100755" }, "b/c.txt": "c\n" },
		])
			expect(await commits.treeOf(await commit(files))).not.toBe(await commits.treeOf(one));
	});

	test("changes name each file that differs, by path, with kind, modes and ids of both sides; `^` is the parent", async () => {
		const { commits, commit } = given();
		const from = await commit({
			"gone.txt": "g\n",
			"kept.txt": "k\n",
			"z.sh": "z\n",
			"b.txt": "1\n",
		});
		const to = await commit({
			"kept.txt": "k\n",
			"z.sh": { text: "z\n", mode: "100755" },
			"b.txt": "2\n",
			"a/new.txt": "n\n",
		});
		const changes = await commits.changes(from, to);
		expect(
			changes.map(({ path, kind, oldMode, newMode }) => [path, kind, oldMode, newMode]),
		).toEqual([
			["a/new.txt", "added", "000000", "100644"],
			["b.txt", "modified", "100644", "100644"],
			["gone.txt", "deleted", "100644", "000000"],
			["z.sh", "modified", "100644", "100755"],
		]);
		const [added, changed, removed, mode] = changes;
		expect(added?.oldOid).toMatch(/^0+$/);
		expect(removed?.newOid).toMatch(/^0+$/);
		expect(changed?.oldOid).not.toBe(changed?.newOid);
		expect(mode?.oldOid).toBe(mode?.newOid);
		expect(await commits.changes(to, to)).toEqual([]);
		const next = await commit({}, [from]);
		expect(await commits.changes(`${next}^`, to)).toEqual(changes);
	});

	test("the id of a file's text is git's", async () => {
		const { commits, commit } = given();
		const [change] = await commits.changes(await commit({}), await commit({ a: "hello\n" }));
		expect(change?.newOid).toBe("ce013625030ba8dba906f756967f9e9ca394464a");
	});

	test("a file is read as text of its commit or its tree, and null where there is none or a folder", async () => {
		const { commits, commit } = given();
		const from = await commit({ "a.txt": "old\n", "b/c.txt": "c" });
		const to = await commit({ "a.txt": "neü\n", "b/c.txt": "c" });
		expect(await commits.textAt(from, "a.txt")).toBe("old\n");
		expect(await commits.textAt(to, "a.txt")).toBe("neü\n");
		expect(await commits.textAt(to, "b/c.txt")).toBe("c");
		for (const path of ["b", "d.txt", ""]) expect(await commits.textAt(to, path)).toBe(null);
		expect(await commits.textAt(await commits.treeOf(to), "a.txt")).toBe("neü\n");
		const changes = await commits.changes(from, to);
		const before = commits.reader(from, { changes, side: "old" });
		const after = commits.reader(to, { changes, side: "new" });
		expect([await before("a.txt"), await after("a.txt")]).toEqual(["old\n", "neü\n"]);
		expect([await after("b/c.txt"), await after("gone")]).toEqual(["c", null]);
	});

	test("the files of a commit are listed and counted", async () => {
		const { commits, commit } = given();
		const all = await commit({ "b.txt": "b\n", "a/c.txt": "c\n", "a.txt": "a\n" });
		expect([...(await commits.files(all))].sort()).toEqual(["a.txt", "a/c.txt", "b.txt"]);
		expect(await commits.countFiles(all)).toBe(3);
	});

	test("files that name a word are those that hold it whole, in the same case", async () => {
		const { commits, commit } = given();
		const at = await commit({
			"call.js": "limit(3);\n",
			"more.js": "limits(3); unlimit();\n",
			"dash.js": "a-limit.b\n",
			"case.js": "Limit\n",
			"under.js": "limit_of(3)\n",
		});
		expect([...(await commits.naming(at, "limit"))].sort()).toEqual(["call.js", "dash.js"]);
		expect(await commits.naming(at, "nobody")).toEqual([]);
	});

	test("a commit is its own ancestor and that of what is built on it, and of nothing else", async () => {
		const { commits, commit } = given();
		const first = await commit({ a: "1\n" });
		const second = await commit({ a: "2\n" }, [first]);
		const beside = await commit({ a: "3\n" }, [first]);
		const both = await commit({ a: "4\n" }, [second, beside]);
		expect(await commits.isAncestor(first, first)).toBe(true);
		expect(await commits.isAncestor(first, both)).toBe(true);
		expect(await commits.isAncestor(beside, both)).toBe(true);
		expect(await commits.isAncestor(second, first)).toBe(false);
		expect(await commits.isAncestor(second, beside)).toBe(false);
	});

	test("what is no commit is told apart from one", async () => {
		const { commits, commit } = given();
		expect(await commits.isCommit(await commit({ a: "1\n" }))).toBe(true);
		expect(await commits.isCommit("f".repeat(40))).toBe(false);
	});

	test("the rules of a commit say which paths are ignored", async () => {
		const { commits, commit } = given();
		const rules = await commit({ ".gitignore": "*.log\ndist/\n" });
		const paths = ["a.log", "b/c.log", "dist/x.js", "src/x.js"];
		expect(await commits.ignoredAt(rules, paths)).toEqual(["a.log", "b/c.log", "dist/x.js"]);
		expect(await commits.ignoredAt(await commit({ a: "1\n" }), paths)).toEqual([]);
	});
}

function textClaims(given: Given): void {
	test("texts are both sides of each file that differs; null where a side has none", async () => {
		const { commits, commit } = given();
		const from = await commit({ a: "1\n2\n", gone: "g\n" });
		const to = await commit({ a: "1\n3\n", fresh: "f" });
		expect(await commits.texts(from, to)).toEqual([
			{ path: "a", before: "1\n2\n", after: "1\n3\n", isRead: true },
			{ path: "fresh", before: null, after: "f", isRead: true },
			{ path: "gone", before: "g\n", after: null, isRead: true },
		]);
	});

	test("changed texts are parts that stayed and parts that were replaced, line by line", async () => {
		const { commits, commit } = given();
		const from = await commit({ a: LINES(), e: "" });
		const to = await commit({
			a: LINES([1, "first"], [12, "last"]),
			e: { text: "", mode: "100755" },
		});
		const lines = LINES().split(/(?<=\n)/);
		expect(await commits.changedTexts(from, to)).toEqual([
			{
				path: "a",
				kind: "modified",
				mode: "100644",
				parts: [
					{ old: ["line 1\n"], fresh: ["first\n"] },
					{ same: lines.slice(1, 11) },
					{ old: ["line 12\n"], fresh: ["last\n"] },
				],
			},
			{ path: "e", kind: "modified", mode: "100755", parts: [] },
		]);
	});

	test("a file that is no text has no parts", async () => {
		const { commits, commit } = given();
		const [from, to] = [await commit({ a: "1" }), await commit({ a: "\0\0" })];
		expect(await commits.changedTexts(from, to)).toMatchObject([{ path: "a", parts: null }]);
	});

	test("changed lines are counted by side", async () => {
		const { commits, commit } = given();
		const from = await commit({ a: LINES(), gone: "1\n2\n" });
		const to = await commit({ a: LINES([3, "third"]), fresh: "f\n" });
		expect(await commits.lines(from, to)).toEqual({ added: 2, removed: 3 });
		expect(await commits.lines(to, to)).toEqual({ added: 0, removed: 0 });
	});
}

function mergeClaims(given: Given): void {
	const forked = async (base: WrittenFiles, ours: WrittenFiles, theirs: WrittenFiles) => {
		const { commits, commit } = given();
		const root = await commit(base);
		const mine = await commit(ours, [root]);
		const other = await commit(theirs, [root]);
		return { forecast: await commits.forecast(mine, other), mine, other };
	};

	test("changes of different files, and of distant lines of one file, merge", async () => {
		const { commits, commit } = given();
		const { forecast } = await forked(
			{ a: LINES(), b: "b\n", gone: "g\n" },
			{ a: LINES([2, "ours"]), b: "b\n" },
			{ a: LINES([11, "theirs"]), b: "B\n", gone: "g\n", fresh: "f\n" },
		);
		const merged = await commit({ a: LINES([2, "ours"], [11, "theirs"]), b: "B\n", fresh: "f\n" });
		expect(forecast).toEqual({ clean: true, tree: await commits.treeOf(merged) });
	});

	test("the same change on both sides is no conflict", async () => {
		const { forecast } = await forked({ a: "1\n" }, { a: "2\n" }, { a: "2\n" });
		expect(forecast.clean).toBe(true);
	});

	test("changes of one line, and of a file that the other side removed, conflict", async () => {
		const { forecast } = await forked(
			{ a: "1\n", b: "b\n", c: "c\n" },
			{ a: "2\n", c: "c\n" },
			{ a: "3\n", b: "B\n", c: "C\n" },
		);
		expect(forecast).toMatchObject({ clean: false, conflicts: ["a", "b"] });
	});

	test("a tree in conflict holds both sides between marks that name the commits", async () => {
		const { commits } = given();
		const { forecast, mine, other } = await forked({ a: "1\n" }, { a: "2\n" }, { a: "3\n" });
		const at = await commits.merge({
			tree: forecast.tree,
			parents: [mine, other],
			subject: "m",
			at: 0,
		});
		const marked = `<<<<<<< ${mine}\n2\n=======\n3\n>>>>>>> ${other}\n`;
		expect(await commits.textAt(at, "a")).toBe(marked);
	});

	test("what is built on the other side merges to itself", async () => {
		const { commits, commit } = given();
		const root = await commit({ a: "1\n" });
		const ahead = await commit({ a: "2\n" }, [root]);
		const tree = await commits.treeOf(ahead);
		expect(await commits.forecast(root, ahead)).toEqual({ clean: true, tree });
		expect(await commits.forecast(ahead, root)).toEqual({ clean: true, tree });
	});
}

function writeClaims(given: Given): void {
	test("a merge has the tree and parents that it is given, and the same content gives the same commit", async () => {
		const { commits, commit, message, parents } = given();
		const one = await commit({ a: "1\n" });
		const other = await commit({ a: "2\n" });
		const made = {
			tree: await commits.treeOf(one),
			parents: [other, one],
			subject: "A merge",
			at: 5_000,
		};
		const merged = await commits.merge(made);
		expect(await commits.treeOf(merged)).toBe(made.tree);
		expect(await parents(merged)).toEqual([other, one]);
		expect(await message(merged)).toMatch(
			/^A merge\n\nSparring-Run: \S+\nSparring-Task: limiter\nSparring-Turn: 2\n$/,
		);
		expect(await commits.merge(made)).toBe(merged);
		expect(await commits.merge({ ...made, at: 6_000 })).not.toBe(merged);
	});

	test("the task's commit tells what was asked for, with the tree and parents that it is given", async () => {
		const { commits, commit, message, parents } = given();
		const tip = await commit({ a: "1\n" });
		const tree = await commits.treeOf(await commit({ a: "2\n" }));
		const made = await commits.ofTask({ tree, parents: [tip], at: 1_000 });
		expect([await commits.treeOf(made), await parents(made)]).toEqual([tree, [tip]]);
		expect(await message(made)).toMatch(/^Build it\.\n\n- it works\n\nSparring-Run: /);
	});

	test("work with a verifier's tests has their wanted files, some with another text, beside its own", async () => {
		const { commits, commit, parents } = given();
		const parent = await commit({ "a.js": "a\n", "test/one.js": "player's\n" });
		const suite = await commit({
			"test/one.js": "1\n",
			"test/two.js": "2\n",
			"test/three.js": "3\n",
		});
		const made = await commits.withTests({
			parent,
			suites: [{ commit: suite }],
			isWanted: (path) => !path.endsWith("two.js"),
			texts: new Map([["test/three.js", "trimmed\n"]]),
			subject: "tests",
			at: 0,
		});
		const wanted = await commit({
			"a.js": "a\n",
			"test/one.js": "1\n",
			"test/three.js": "trimmed\n",
		});
		expect(await commits.treeOf(made)).toBe(await commits.treeOf(wanted));
		expect(await parents(made)).toEqual([parent]);
	});
}

function snapshotClaims(given: Given): void {
	const taken = async (files: WrittenFiles, before: WrittenFiles = { a: "1\n" }) => {
		const { commits, commit, stand, write } = given();
		const parent = await commit(before);
		const checkout = await stand(parent);
		await write(files);
		const asked = { checkout, parent, subject: "limiter: turn 2", since: 0, at: 9_000 };
		return { parent, asked, snapshot: await commits.snapshot(asked) };
	};

	test("a snapshot is a commit of all that was written and removed, on its parent", async () => {
		const { commits, commit, message, parents } = given();
		const files = { a: null, "b/c.txt": "c\n" };
		const { parent, asked, snapshot } = await taken(files, { a: "1\n", k: "k\n" });
		expect(snapshot).toMatchObject({ empty: false, embedded: [], leftOut: [], unfit: [] });
		const tree = await commits.treeOf(await commit({ k: "k\n", "b/c.txt": "c\n" }));
		expect(snapshot.tree).toBe(tree);
		expect(await commits.treeOf(snapshot.commit)).toBe(tree);
		expect(await parents(snapshot.commit)).toEqual([parent]);
		expect(await message(snapshot.commit)).toMatch(/^limiter: turn 2\n\nSparring-Run: /);
		expect((await commits.snapshot(asked)).commit).toBe(snapshot.commit);
	});

	test("one in which nothing changed is empty, and its commit is the parent", async () => {
		const { parent, snapshot } = await taken({ a: "1\n" });
		expect(snapshot).toMatchObject({ empty: true, commit: parent });
	});

	test("files that the rules there ignore are not in it", async () => {
		const { commits } = given();
		const rules = { ".gitignore": "*.log\n" };
		const { snapshot } = await taken({ "x.log": "x\n", "y.txt": "y\n" }, rules);
		expect([...(await commits.files(snapshot.commit))].sort()).toEqual([".gitignore", "y.txt"]);
	});

	test("a checkout that was made again while it was taken gives none", async () => {
		const { commits } = given();
		const { asked } = await taken({ a: "2\n" });
		const other = commits.snapshot({ ...asked, checkout: "another" });
		await expect(other).rejects.toMatchObject({ code: "checkout-lost" });
	});

	test("a player that left nothing beside its files left no work behind", async () => {
		const { commits } = given();
		const { parent } = await taken({ a: "2\n" });
		expect(await commits.leftWork(parent)).toEqual([]);
	});
}
