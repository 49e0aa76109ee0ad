import { execFileSync } from "node:child_process";
import {
	chmodSync,
	existsSync,
	linkSync,
	lstatSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	readlinkSync,
	symlinkSync,
	truncateSync,
	utimesSync,
	writeFileSync,
} from "node:fs";
import { mkdtemp, readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { removeTree } from "../../git/file-tree.ts";
import { runProcess } from "../../process/run-process.ts";
import type { SetupResult } from "../setup.ts";
import type { Tool } from "./copy-files.ts";
import { ENTRY_FORMAT, type KeptResult } from "./entry-file.ts";
import {
	isDependencies,
	type KeepRequest,
	type KeptSetupsPorts,
	openKeptSetups,
} from "./kept-setups.ts";
import type { NotKept } from "./not-kept.ts";
import { KEPT_MS, pruneShelf, shelfSize } from "./shelf.ts";

let dir = "";
let now = 1_000_000;
beforeEach(async () => {
	dir = await mkdtemp(path.join(tmpdir(), "spar kept-"));
	now = Date.now();
});
afterEach(async () => removeTree(dir));

const PASSED: SetupResult = { status: "pass", ran: true, reason: null, output: "", ms: 1 };
const ID = "a".repeat(64);
const clean = () => path.join(dir, "clean");
const shelf = () => path.join(dir, "shelf");
const entry = () => path.join(shelf(), ID);
const target = (name: string) => {
	const made = path.join(dir, name);
	mkdirSync(made, { recursive: true });
	return made;
};

const tool: Tool = (command) =>
	runProcess(
		{
			command,
			cwd: "/",
			env: { PATH: "/usr/bin:/bin", LC_ALL: "C" },
			timeoutMs: 20_000,
			mark: "kept-test",
		},
		new AbortController().signal,
	);

/** A shelf, what it told, and how often a setup ran. */
function opened(ports: Partial<KeptSetupsPorts> = {}) {
	const told: NotKept[] = [];
	const onNotKept = (reason: NotKept) => void told.push(reason);
	const kept = openKeptSetups({ tool, now: () => now, onNotKept, ...ports });
	let runs = 0;
	/** Makes an entry from what `write` leaves in the clean checkout. */
	const obtain = (write: (root: string) => void, part: Partial<KeepRequest> = {}) =>
		kept.obtain({
			id: ID,
			shelf: shelf(),
			commit: "c0",
			tree: "t0",
			fitsInputs: (paths) => Promise.resolve(isDependencies(paths)),
			submodules: [],
			checkout: {
				dir: clean(),
				remove: () => removeTree(clean()),
				untracked: async () => ({
					ignored: (await readdir(clean())).filter((name) => !name.startsWith("plain")),
					others: (await readdir(clean())).filter((name) => name.startsWith("plain")),
				}),
			},
			home: path.join(dir, "home"),
			setUp: async () => {
				runs += 1;
				mkdirSync(clean(), { recursive: true });
				write(clean());
				return PASSED;
			},
			...part,
		});
	return { kept, told, obtain, runs: () => runs };
}

function modules(root: string): void {
	mkdirSync(path.join(root, "node_modules/.bin"), { recursive: true });
	mkdirSync(path.join(root, "node_modules/a"));
	writeFileSync(path.join(root, "node_modules/a/cli.js"), "run", { mode: 0o755 });
	symlinkSync("../a/cli.js", path.join(root, "node_modules/.bin/a"));
	utimesSync(path.join(root, "node_modules/a/cli.js"), 1_000, 2_000);
}

async function keptModules(made = opened()): Promise<KeptResult> {
	const found = await made.obtain(modules);
	if (found.kind !== "kept") throw new Error(`it is ${found.kind}: ${JSON.stringify(made.told)}`);
	return found;
}

test("a result is made once and copied with modes, times and links", async () => {
	const made = opened();
	const first = await keptModules(made);
	const [one, two] = [target("one"), target("two")];
	expect(await made.kept.copyInto(first, one, null)).toBe(true);
	expect(await made.kept.copyInto(await keptModules(made), two, null)).toBe(true);
	expect(made.runs()).toBe(1);
	for (const root of [one, two]) {
		const file = lstatSync(path.join(root, "node_modules/a/cli.js"));
		expect({ mode: file.mode & 0o777, mtime: file.mtimeMs, links: file.nlink }).toEqual({
			mode: 0o755,
			mtime: 2_000_000,
			links: 1,
		});
		expect(readlinkSync(path.join(root, "node_modules/.bin/a"))).toBe("../a/cli.js");
	}
	expect(existsSync(clean())).toBe(false);
	expect(made.told).toEqual([]);
});

test("a copy replaces what was there, and nothing else", async () => {
	const made = opened();
	const root = target("one");
	mkdirSync(path.join(root, "node_modules/old"), { recursive: true });
	writeFileSync(path.join(root, "mine"), "mine");
	await made.kept.copyInto(await keptModules(made), root, null);
	expect(readdirSync(path.join(root, "node_modules")).sort()).toEqual([".bin", "a"]);
	expect(readFileSync(path.join(root, "mine"), "utf8")).toBe("mine");
});

test("what an agent does to its copy changes no other one", async () => {
	const made = opened();
	const first = await keptModules(made);
	const [one, two] = [target("one"), target("two")];
	await made.kept.copyInto(first, one, null);
	writeFileSync(path.join(one, "node_modules/a/cli.js"), "planted");
	expect(await made.kept.copyInto(first, two, null)).toBe(true);
	expect(readFileSync(path.join(two, "node_modules/a/cli.js"), "utf8")).toBe("run");
});

test("requests at the same time make one entry", async () => {
	const made = opened();
	await Promise.all([made.obtain(modules), made.obtain(modules)]);
	expect(made.runs()).toBe(1);
});

test("of two processes that make the same entry, the first one's counts for both", async () => {
	const [one, other] = [opened(), opened()];
	const found = await one.obtain((root) => {
		modules(root);
		// The other process finishes while this one's setup runs.
		mkdirSync(shelf(), { recursive: true });
		mkdirSync(`${entry()}/files/node_modules`, { recursive: true });
		writeFileSync(
			`${entry()}/entry.json`,
			JSON.stringify({ format: ENTRY_FORMAT, kind: "refused", madeAt: now }),
		);
	});
	expect(found.kind).toBe("refused");
	expect((await other.obtain(modules)).kind).toBe("refused");
	expect(readdirSync(shelf())).toEqual([ID]);
});

test.each<[string, (file: string) => void]>([
	["cut short", (file) => truncateSync(file, 1)],
	[
		"edited, with size and time as before",
		(file) => {
			const { atimeMs, mtimeMs } = lstatSync(file);
			writeFileSync(file, "RUN");
			utimesSync(file, atimeMs / 1000, mtimeMs / 1000);
		},
	],
	["removed", (file) => execFileSync("rm", [file])],
	["joined by another one", (file) => writeFileSync(`${file}.more`, "x")],
])("an entry with a file that was %s is not used, and is made again", async (_what, damage) => {
	const made = opened();
	const found = await keptModules(made);
	damage(path.join(entry(), "files/checkout/node_modules/a/cli.js"));
	const root = target("one");
	expect(await made.kept.copyInto(found, root, null)).toBe(false);
	expect(made.told).toMatchObject([{ kind: "damaged" }]);
	expect(readdirSync(root)).toEqual([]);
	expect(await made.kept.copyInto(await keptModules(made), root, null)).toBe(true);
	expect(made.runs()).toBe(2);
});

test("what a killed process left half made is never an entry, and is pruned later", async () => {
	const made = opened();
	mkdirSync(path.join(shelf(), ".making-x/files/node_modules"), { recursive: true });
	mkdirSync(path.join(entry(), "files/node_modules"), { recursive: true });
	mkdirSync(path.join(shelf(), "b".repeat(64), "files"), { recursive: true });
	await keptModules(made);
	expect(made.runs()).toBe(1);
	const pruned = { now: Date.now() + 2 * 3_600_000, bytes: 1e12 };
	expect(await pruneShelf(shelf(), pruned, removeTree)).toBe(0);
	expect(readdirSync(shelf())).toEqual([ID]);
});

/** A text like the scripts of pnpm, which name a folder by its path. */
const script = (root: string) => `#!/bin/sh\nls '${root}/node_modules/a'\n`;

test("texts that hold their own place are given the new one, also in a home", async () => {
	const made = opened();
	const note = "node_modules/.pnpm-workspace-state-v1.json";
	const found = await made.obtain((root) => {
		modules(root);
		writeFileSync(path.join(root, "node_modules/.bin/ls"), script(root), { mode: 0o555 });
		writeFileSync(path.join(root, note), JSON.stringify({ projects: { [root]: {} } }));
		writeFileSync(path.join(root, "node_modules/a/a.pyc"), `\0${root}\0`);
		mkdirSync(path.join(root, "node_modules/b/.git"), { recursive: true });
		const home = path.join(dir, "home/.npm");
		mkdirSync(home, { recursive: true });
		writeFileSync(path.join(home, "log"), JSON.stringify([root, home]));
	});
	if (found.kind !== "kept") throw new Error(JSON.stringify(made.told));
	const root = target("another place");
	const home = path.join(target("beside"), "home");
	expect(await made.kept.copyInto(found, root, home)).toBe(true);
	const ls = path.join(root, "node_modules/.bin/ls");
	expect(execFileSync(ls, { encoding: "utf8" })).toContain("cli.js");
	expect(readFileSync(ls, "utf8")).toBe(script(root));
	expect(lstatSync(ls).mode & 0o777).toBe(0o555);
	expect(readFileSync(path.join(root, note), "utf8")).toBe(
		JSON.stringify({ projects: { [root]: {} } }),
	);
	expect(readFileSync(path.join(home, ".npm/log"), "utf8")).toBe(
		JSON.stringify([root, path.join(home, ".npm")]),
	);
	expect(readFileSync(path.join(root, "node_modules/a/a.pyc"), "utf8")).toContain(clean());
	expect(existsSync(path.join(root, "node_modules/b/.git"))).toBe(true);
	expect(made.told).toEqual([]);
});

test("a text that names a home is not copied to where there is none", async () => {
	const made = opened();
	const found = await made.obtain((root) => {
		modules(root);
		writeFileSync(path.join(root, "node_modules/store"), path.join(dir, "home/store"));
	});
	if (found.kind !== "kept") throw new Error(JSON.stringify(made.told));
	const root = target("one");
	expect(await made.kept.copyInto(found, root, null)).toBe(false);
	expect(made.told).toEqual([{ kind: "own_path", path: "node_modules/store" }]);
	expect(readdirSync(root)).toEqual([]);
});

test.each<[NotKept["kind"], (root: string) => void]>([
	[
		"own_path",
		(root) => {
			modules(root);
			writeFileSync(path.join(root, "node_modules/a/program"), `\0${root}\0`);
		},
	],
	[
		"own_path",
		(root) => {
			modules(root);
			writeFileSync(path.join(root, "node_modules/a/address"), `file://${encodeURI(root)}/src`);
		},
	],
	[
		"own_path",
		(root) => {
			// Beside other folders, and by whatever name: a virtual environment is told by its file.
			mkdirSync(path.join(root, "pkg/env/bin"), { recursive: true });
			writeFileSync(path.join(root, "pkg/env/pyvenv.cfg"), "home = /usr/bin\n");
			writeFileSync(path.join(root, "pkg/env/bin/pip"), `#!${root}/pkg/env/bin/python\n`);
		},
	],
	[
		"own_path",
		(root) => {
			mkdirSync(path.join(root, ".venv"));
			symlinkSync(root, path.join(root, ".venv/home"));
		},
	],
	[
		"own_path",
		(root) => {
			mkdirSync(path.join(root, "node_modules"));
			symlinkSync("../../elsewhere", path.join(root, "node_modules/a"));
		},
	],
	[
		"not_ignored",
		(root) => {
			modules(root);
			writeFileSync(path.join(root, "plain.txt"), "x");
		},
	],
	[
		"own_path",
		(root) => {
			modules(root);
			// Joined from its parts.
			const lost = `#!/bin/sh\nd=${path.dirname(root)}\ncat "$d"/${path.basename(root)}/plain\n`;
			writeFileSync(path.join(root, "node_modules/.bin/lost"), lost);
		},
	],
	["nothing_ignored", () => undefined],
	[
		"submodule",
		(root) => {
			modules(root);
			mkdirSync(path.join(root, "sub/lib"), { recursive: true });
		},
	],
])("%s: the result is not kept, and this is remembered", async (kind, write) => {
	const made = opened();
	const submodules = kind === "submodule" ? ["sub"] : [];
	expect(await made.obtain(write, { submodules })).toMatchObject({ kind: "refused" });
	expect(made.told).toMatchObject([{ kind }]);
	expect((await opened().obtain(write)).kind).toBe("refused");
	expect(made.runs()).toBe(1);
	expect(readdirSync(entry())).toEqual(["entry.json"]);
});

test("a result that is too large is not kept", async () => {
	for (const limits of [
		{ files: 2, bytes: 1e9 },
		{ files: 100, bytes: 1 },
	]) {
		const made = opened({ limits });
		await removeTree(shelf());
		expect((await made.obtain(modules)).kind).toBe("refused");
		expect(made.told).toMatchObject([{ kind: "too_large" }]);
	}
});

test("a file that shares its content with a package manager's store is copied first", async () => {
	const store = path.join(dir, "stored");
	const made = opened();
	const found = await made.obtain((root) => {
		modules(root);
		writeFileSync(store, "from the store");
		linkSync(store, path.join(root, "node_modules/a/linked"));
	});
	expect(lstatSync(store).nlink).toBe(1);
	writeFileSync(store, "planted");
	const root = target("one");
	expect(found.kind === "kept" && (await made.kept.copyInto(found, root, null))).toBe(true);
	expect(readFileSync(path.join(root, "node_modules/a/linked"), "utf8")).toBe("from the store");
});

test("what is known to come from the inputs fits every tree; anything else fits its own", async () => {
	const built = (root: string) => {
		modules(root);
		mkdirSync(path.join(root, "dist"));
	};
	const made = opened();
	expect(await made.obtain(modules)).toMatchObject({ tree: null });
	expect(await made.obtain(built, { tree: "t1" })).toMatchObject({ tree: null });
	await removeTree(shelf());
	expect(await made.obtain(built)).toMatchObject({ tree: "t0" });
	expect(await made.obtain(built, { tree: "t1" })).toMatchObject({ tree: "t1" });
	await removeTree(shelf());
	expect(await made.obtain(built, { fitsInputs: () => Promise.resolve(true) })).toMatchObject({
		tree: null,
	});
});

test("a setup that fails is told, keeps nothing, and is tried again", async () => {
	const made = opened();
	const result: SetupResult = { ...PASSED, status: "fail", reason: "exit code 1" };
	const failed = await made.obtain(modules, { setUp: () => Promise.resolve(result) });
	expect(failed).toEqual({ kind: "failed", result });
	expect(readdirSync(shelf())).toEqual([]);
	await keptModules(made);
});

test("a place that cannot be written is told once, and no setup is run for it", async () => {
	writeFileSync(shelf(), "a file in the way");
	const made = opened();
	for (const _again of [1, 2]) expect((await made.obtain(modules)).kind).toBe("unkept");
	expect(made.told).toMatchObject([{ kind: "unwritable" }]);
	expect(made.runs()).toBe(0);
});

test("a copy that fails leaves nothing behind", async () => {
	const full: Tool = async (command) => {
		const result = await tool(command);
		return command[0] === "cp" ? { ...result, exitCode: 1, output: "No space left" } : result;
	};
	const made = opened({ tool: full });
	const root = target("one");
	expect(await made.kept.copyInto(await keptModules(made), root, null)).toBe(false);
	expect(made.told).toMatchObject([{ kind: "unwritable", why: "No space left" }]);
	expect(readdirSync(root)).toEqual([]);
});

test("an entry that is removed while it is copied is not used", async () => {
	const racing: Tool = async (command) => {
		const result = await tool(command);
		if (command[0] === "cp") await pruneShelf(shelf(), { now, bytes: 0 }, removeTree);
		return result;
	};
	const made = opened({ tool: racing });
	const root = target("one");
	expect(await made.kept.copyInto(await keptModules(made), root, null)).toBe(false);
	expect(made.told).toMatchObject([{ kind: "damaged" }]);
	expect(readdirSync(root)).toEqual([]);
});

test("a link on the way leads no copy out of the checkout, and nothing behind it is removed", async () => {
	const made = opened();
	const ignored = ["node_modules/", "pkg/node_modules/"];
	const found = await made.obtain(
		(root) => {
			modules(root);
			mkdirSync(path.join(root, "pkg/node_modules/b"), { recursive: true });
		},
		{
			checkout: {
				dir: clean(),
				remove: () => removeTree(clean()),
				untracked: () => Promise.resolve({ ignored, others: [] }),
			},
		},
	);
	if (found.kind !== "kept") throw new Error("not kept");
	const [root, outside] = [target("one"), target("outside/node_modules")];
	writeFileSync(path.join(outside, "mine"), "mine");
	symlinkSync(path.dirname(outside), path.join(root, "pkg"));
	expect(await made.kept.copyInto(found, root, null)).toBe(false);
	expect(made.told).toMatchObject([{ kind: "unwritable" }]);
	expect(readdirSync(outside)).toEqual(["mine"]);
	expect(readdirSync(root)).toEqual(["pkg"]);
});

test.each([["../out"], ["/etc"], ["a/../../b"], [".git/hooks"], ["."], [""]])(
	"an entry that names the path %j is none",
	async (bad) => {
		const made = opened();
		await keptModules(made);
		const file = path.join(entry(), "entry.json");
		const stored: unknown = JSON.parse(readFileSync(file, "utf8"));
		chmodSync(file, 0o600);
		writeFileSync(file, JSON.stringify({ ...Object(stored), paths: [bad] }));
		await keptModules(made);
		expect(made.runs()).toBe(2);
	},
);

test("an entry is used for 14 days", async () => {
	const made = opened();
	await keptModules(made);
	now += KEPT_MS;
	await keptModules(made);
	expect(made.runs()).toBe(1);
	now += 1;
	await keptModules(made);
	expect(made.runs()).toBe(2);
});

test("pruning removes what is old, and the oldest of the rest above the limit", async () => {
	const made = opened();
	const ids = ["a", "b", "c"].map((letter) => letter.repeat(64));
	for (const id of ids) {
		await made.obtain(modules, { id });
		now += 1_000;
	}
	const { results, bytes } = await shelfSize(shelf());
	expect({ results, some: bytes > 0 }).toEqual({ results: 3, some: true });
	expect(await pruneShelf(shelf(), { now, bytes }, removeTree)).toBe(0);
	expect(await pruneShelf(shelf(), { now, bytes: bytes - 1 }, removeTree)).toBe(1);
	expect(readdirSync(shelf()).sort()).toEqual(ids.slice(1));
	expect(await pruneShelf(shelf(), { now: now + KEPT_MS - 1_000, bytes }, removeTree)).toBe(1);
	expect(await pruneShelf(shelf(), { now, bytes: 0 }, removeTree)).toBe(1);
	expect(await shelfSize(shelf())).toEqual({ results: 0, bytes: 0 });
	expect(await shelfSize(path.join(dir, "none"))).toEqual({ results: 0, bytes: 0 });
});

test("two processes that prune at once do not trip over each other", async () => {
	const made = opened();
	for (const letter of ["a", "b", "c"]) await made.obtain(modules, { id: letter.repeat(64) });
	const all = () => pruneShelf(shelf(), { now, bytes: 0 }, removeTree);
	const removed = await Promise.all([all(), all(), all()]);
	expect(removed.reduce((sum, count) => sum + count, 0)).toBe(3);
	expect(readdirSync(shelf())).toEqual([]);
});

test("who waits for an entry that another one failed to make makes it by itself", async () => {
	const { obtain, runs } = opened();
	const broken = obtain(modules, { setUp: () => Promise.reject(new Error("disk full")) });
	const others = [obtain(modules), obtain(modules)];
	await expect(broken).rejects.toThrow("disk full");
	expect((await Promise.all(others)).map(({ kind }) => kind)).toEqual(["kept", "kept"]);
	expect(runs()).toBe(1);
});
