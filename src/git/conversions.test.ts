import { execFileSync } from "node:child_process";
import { cpSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { amount, thorough } from "../../test/support/amount.ts";
import { changesBetween, diffText } from "./changes.ts";
import {
	type Files,
	git,
	type Scene,
	scene,
	sceneOf,
	userRepository,
	writeFiles,
} from "./scratch.fixture.ts";
import { parseEdits, withLinesOf } from "./snapshot.ts";

/** A scene whose commit holds just these bytes, as in a repository that got its attributes later. */
async function sceneWithBlobs(attributes: string, blobs: Files): Promise<Scene> {
	const user = userRepository({ ".gitattributes": attributes, "plain.md": "one\n" });
	for (const [path, content] of Object.entries(blobs)) {
		const oid = execFileSync("git", ["hash-object", "-w", "--no-filters", "--stdin"], {
			cwd: user,
			input: content,
		});
		git(user, "update-index", "--add", "--cacheinfo", `100644,${oid.toString().trim()},${path}`);
	}
	git(user, "commit", "-q", "-m", "blobs");
	return await sceneOf(user);
}

const request = ({ base }: Scene) => ({ parent: base, message: "turn", at: 1_700_000_000_000 });

async function turn(at: Scene) {
	const snapshot = await at.checkout.snapshot(request(at));
	const changes = await changesBetween(at.vault, at.base, snapshot.commit);
	return { snapshot, paths: changes.map(({ path }) => path) };
}

const blob = ({ user }: Scene, commit: string, path: string) =>
	execFileSync("git", ["cat-file", "blob", `${commit}:${path}`], { cwd: user });

const KINDS: [name: string, attributes: string, blobs: Files][] = [
	["CRLF under text", "*.txt text\n", { "a.txt": "one\r\ntwo\r\n", "sub/b.txt": "x\r\n" }],
	["CRLF under eol=lf", "*.txt eol=lf\n", { "a.txt": "one\r\ntwo\r\n" }],
	["CRLF under eol=crlf", "*.txt eol=crlf\n", { "a.txt": "one\r\ntwo\r\n" }],
	["mixed line ends under eol=crlf", "*.txt text eol=crlf\n", { "a.txt": "one\ntwo\r\nthree\n" }],
	["mixed line ends under text=auto", "* text=auto\n", { "a.txt": "one\ntwo\r\nthree\n" }],
	["an expanded ident", "*.txt ident\n", { "a.txt": "$Id: 1234 $\none\n" }],
	[
		"bytes that are not in the encoding",
		"*.txt working-tree-encoding=UTF-16\n",
		{ "a.txt": Buffer.from([0x61, 0xff, 0xfe, 0x0a]) },
	],
	[
		"a nested file of attributes",
		"",
		{ "sub/.gitattributes": "*.txt text\n", "sub/a.txt": "x\r\n" },
	],
	["CRLF under a macro", "[attr]doc text\n*.txt doc\n", { "a.txt": "one\r\n" }],
];

const LATER = new Date(2_000_000_000_000);

const STATES: [name: string, spoil: (at: Scene) => void][] = [
	["as it was written", () => undefined],
	[
		"with times that changed",
		({ dir, user, base }) => {
			for (const path of git(user, "ls-tree", "-r", "--name-only", base).split("\n")) {
				utimesSync(join(dir, path), LATER, LATER);
			}
		},
	],
	[
		"without its index",
		({ indexFile }) => {
			rmSync(indexFile);
		},
	],
	[
		"restored from a copy",
		({ dir }) => {
			cpSync(dir, `${dir}.copy`, { recursive: true });
			rmSync(dir, { recursive: true });
			cpSync(`${dir}.copy`, dir, { recursive: true });
		},
	],
];

describe.each(KINDS.slice(0, amount(KINDS.length, 1)))("%s", (_name, attributes, blobs) => {
	test("a checkout that nobody touched is unchanged, whatever git reports", async () => {
		const at = await sceneWithBlobs(attributes, blobs);
		for (const [name, spoil] of STATES) {
			spoil(at);
			expect(await at.checkout.changedFiles(at.base), name).toEqual([]);
			expect(await at.checkout.isUnchanged(at.base), name).toBe(true);
		}
		rmSync(at.indexFile);
		const { snapshot } = await turn(at);
		expect(snapshot.empty).toBe(true);
		expect(snapshot.tree).toBe(git(at.user, "rev-parse", `${at.base}^{tree}`));
	});

	thorough("a turn's commit has only what the player changed", async () => {
		const at = await sceneWithBlobs(attributes, blobs);
		writeFiles(at.dir, { "plain.md": "two\n" });
		expect(await at.checkout.changedFiles(at.base)).toEqual(["plain.md"]);
		expect(await at.checkout.isUnchanged(at.base)).toBe(false);
		expect((await turn(at)).paths).toEqual(["plain.md"]);
	});
});

describe("an edit of a file that does not round-trip", () => {
	thorough("keeps CRLF: one line changes, and the next turn changes one more", async () => {
		const at = await sceneWithBlobs("*.txt text\n", { "a.txt": "one\r\ntwo\r\nthree\r\n" });
		writeFiles(at.dir, { "a.txt": "one\r\n2\r\nthree\r\n" });
		const { snapshot } = await turn(at);
		expect(blob(at, snapshot.commit, "a.txt").toString()).toBe("one\r\n2\r\nthree\r\n");
		await at.checkout.forceTo(snapshot.commit);
		expect(await at.checkout.isUnchanged(snapshot.commit)).toBe(true);
		writeFiles(at.dir, { "a.txt": "one\r\n2\r\n3\r\n" });
		const next = await at.checkout.snapshot({ parent: snapshot.commit, message: "2", at: 1 });
		const { text } = await diffText(at.vault, snapshot.commit, next.commit, { maxBytes: 10_000 });
		expect(text.split("\n").filter((line) => /^[-+](?![-+])/.test(line))).toEqual([
			"-three\r",
			"+3\r",
		]);
	});

	thorough("keeps mixed line endings where the checkout wrote only CRLF", async () => {
		const at = await sceneWithBlobs("*.txt text eol=crlf\n", {
			"a.txt": "one\ntwo\r\nthree\nfour\n",
		});
		expect(readFileSync(join(at.dir, "a.txt"), "utf8")).toBe("one\r\ntwo\r\nthree\r\nfour\r\n");
		writeFiles(at.dir, { "a.txt": "one\r\ntwo\r\n3\r\nfour\r\nfive\r\n" });
		const { snapshot } = await turn(at);
		expect(blob(at, snapshot.commit, "a.txt").toString()).toBe("one\ntwo\r\n3\r\nfour\nfive\r\n");
	});

	test("keeps an expanded ident, and removed and added lines", async () => {
		const at = await sceneWithBlobs("*.txt ident\n", { "a.txt": "0\n$Id: 1234 $\none\ntwo\n" });
		const path = join(at.dir, "a.txt");
		const lines = readFileSync(path, "utf8").split("\n");
		writeFileSync(path, ["new", ...lines.slice(0, 2), "two", ""].join("\n"));
		const { snapshot } = await turn(at);
		expect(blob(at, snapshot.commit, "a.txt").toString()).toBe("new\n0\n$Id: 1234 $\ntwo\n");
	});

	thorough("to LF line endings is committed as such", async () => {
		const at = await sceneWithBlobs("*.txt text\n", {
			"a.txt": "one\r\ntwo\r\n",
			"b.txt": "b\r\n",
		});
		writeFiles(at.dir, { "a.txt": "one\ntwo\n" });
		const { snapshot, paths } = await turn(at);
		expect(paths).toEqual(["a.txt"]);
		expect(blob(at, snapshot.commit, "a.txt").toString()).toBe("one\ntwo\n");
	});

	thorough("keeps its new mode", async () => {
		const at = await sceneWithBlobs("*.txt text\n", { "a.txt": "one\r\n" });
		execFileSync("chmod", ["+x", join(at.dir, "a.txt")]);
		const { snapshot } = await turn(at);
		expect(git(at.user, "ls-tree", snapshot.commit, "a.txt")).toBe(
			git(at.user, "ls-tree", at.base, "a.txt").replace("100644", "100755"),
		);
	});
});

thorough("files that round-trip are converted as git does, and so are new ones", async () => {
	const at = await sceneWithBlobs("*.txt text\n", { "a.txt": "one\ntwo\n", "b.txt": "b\r\n" });
	writeFiles(at.dir, { "a.txt": "one\r\n2\r\n", "new.txt": "new\r\n" });
	const { snapshot, paths } = await turn(at);
	expect(paths).toEqual(["a.txt", "new.txt"]);
	expect(blob(at, snapshot.commit, "a.txt").toString()).toBe("one\n2\n");
	expect(blob(at, snapshot.commit, "new.txt").toString()).toBe("new\n");
});

thorough("attributes that the player wrote convert only files that it changed", async () => {
	const at = await scene({ "a.txt": "a\r\n", "b.txt": "b\r\n" });
	writeFiles(at.dir, { ".gitattributes": "*.txt text\n", "b.txt": "2\r\n" });
	rmSync(at.indexFile);
	const { snapshot, paths } = await turn(at);
	expect(paths).toEqual([".gitattributes", "b.txt"]);
	expect(blob(at, snapshot.commit, "b.txt").toString()).toBe("2\n");
});

thorough("removing a .gitattributes changes no other file", async () => {
	const at = await sceneWithBlobs("*.txt eol=crlf\n", { "a.txt": "one\ntwo\n" });
	rmSync(join(at.dir, ".gitattributes"));
	rmSync(at.indexFile);
	expect((await turn(at)).paths).toEqual([".gitattributes"]);
});

thorough("paths that cannot be arguments, and very many directories, are compared", async () => {
	const folders = Array.from({ length: 501 }, (_none, index) => `d${index}`);
	const files = [...folders, "\u00e4"].map((folder) => [`${folder}/a.md`, "x\n"] as const);
	const blobs = { "\u00e4/b.txt": "x\r\n", ...Object.fromEntries(files) };
	const at = await sceneOf(
		userRepository({ ".gitattributes": "*.md eol=crlf\n", "\u00e4/.gitattributes": "", ...blobs }),
	);
	for (const [name] of files) writeFiles(at.dir, { [name]: "y\n" });
	expect(await at.checkout.changedFiles(at.base)).toHaveLength(502);
	for (const [name] of files) writeFiles(at.dir, { [name]: "x\r\n" });
	expect(await at.checkout.isUnchanged(at.base)).toBe(true);
});

test("content whose checkout changed the number of lines is committed as it is", () => {
	const content = Buffer.from("x\ny\n");
	expect(withLinesOf(Buffer.from("a\n"), { before: Buffer.from("b\nc\n"), content }, [])).toBe(
		content,
	);
	expect(parseEdits("@@ -0,0 +1 @@\n+new\n@@ -3 +4,0 @@\n")).toEqual([
		{ at: 0, removed: 0, to: 0, added: 1 },
		{ at: 2, removed: 1, to: 4, added: 0 },
	]);
});
