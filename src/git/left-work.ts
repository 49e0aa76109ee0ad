import { closeSync, constants, fstatSync, openSync, readdirSync, readSync } from "node:fs";
import { copyFile, mkdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { attempt } from "../kernel/attempt.ts";
import { Fault } from "../kernel/fault.ts";
import type { LeftWork } from "../kernel/left-work.ts";
import { makeTemporary } from "../process/temporary.ts";
import { isCommit, treeOf } from "./changes.ts";
import { kindOf } from "./file-tree.ts";
import { writeGitDirectory } from "./git-directory.ts";
import { lineOf, nothing } from "./parsing.ts";
import { type GitPlace, runGit } from "./run-git.ts";
import { ownDirectory, shallowFile, type Vault, vaultPlace } from "./vault.ts";

const MOST_TIPS = 20;
const MOST_REFS = 1_000;
const MOST_TEXT = 256 * 1_024;
const MOST_OBJECTS = 50_000;
const MOST_BYTES = 256 * 1_048_576;

type Tip = Pick<LeftWork, "kind" | "name"> & { readonly oid: string };

/**
 * Copies into the user's object database what an agent committed or stashed in its checkout beyond a commit; no ref holds it
 * yet. Without such work no process is started.
 *
 * Git never works in the agent's `.git`, whose configuration, hooks and alternates it would follow: names are read as
 * files, and the object files alone go to a repository of Sparring's.
 *
 * @param dir a checkout in which nothing works any more
 * @param start commit that the checkout stood at
 */
export async function leftWork(vault: Vault, dir: string, start: string): Promise<LeftWork[]> {
	const gitDir = join(dir, ".git");
	if (kindOf(gitDir) !== "directory") return [];
	const tips = tipsIn(gitDir).filter(({ oid }) => oid !== start);
	if (tips.length === 0) return [];
	await using temporary = await makeTemporary("spar-left-");
	const aside = temporary.path;
	const { repository } = vault;
	const own = { path: aside, shallow: shallowFile(repository), attributes: "", excludes: "" };
	writeGitDirectory(ownDirectory(repository, own));
	const { kept: _kept, objectsDir: _objects, ...rest } = vaultPlace(vault);
	const place = { ...rest, cwd: aside, gitDir: aside };
	await copyObjects(place, join(gitDir, "objects"));
	const known = [start];
	const left: LeftWork[] = [];
	for (const tip of tips) {
		if (left.length === MOST_TIPS) break;
		const work = await unlessDamaged(() => brought(vault, place, tip, known), damaged(tip));
		if (work === null) continue;
		left.push(work);
		if (work.commit !== null) known.push(work.commit);
	}
	return left;
}

const damaged = ({ kind, name }: Tip): LeftWork => ({ kind, name, commit: null });

// A file that git cannot read is no reason to end a run.
async function unlessDamaged<T>(work: () => Promise<T>, otherwise: T): Promise<T> {
	try {
		return await work();
	} catch (error) {
		if (error instanceof Fault && error.code === "git-failed") return otherwise;
		throw error;
	}
}

async function brought(
	vault: Vault,
	place: GitPlace,
	tip: Tip,
	known: readonly string[],
): Promise<LeftWork | null> {
	const { kind, oid } = tip;
	const revisions = [`${oid}^{commit}`, ...known.map((commit) => `^${commit}`)];
	const count = { args: ["rev-list", "--count", ...revisions, "--"], parse: lineOf };
	if ((await runGit(place, count)) === "0") return null;
	const format = "--format=%H %T %s";
	const told = { args: ["log", "-1", format, `${oid}^{commit}`, "--"], parse: lineOf };
	const [commit = "", tree, ...subject] = (await runGit(place, told)).split(" ");
	// New files stand beside the tree of a stash.
	if (kind !== "stash" && tree === (await treeOf(vault, known[0] ?? ""))) return null;
	const pack = await runGit(place, {
		args: ["pack-objects", "--revs", "--stdout", "-q", "--window=0"],
		stdin: [commit, ...revisions.slice(1), ""].join("\n"),
		maxStdout: MOST_BYTES,
		parse: ({ stdout, truncated }) => (truncated ? null : stdout),
	});
	if (pack === null) return damaged(tip);
	const unpack = { args: ["unpack-objects", "-q", "--strict"], stdin: pack, parse: nothing };
	await runGit(vaultPlace(vault), unpack);
	const name = tip.name === "" ? subject.join(" ").slice(0, 200) : tip.name;
	return { kind, name, commit: (await isCommit(vault, commit)) ? commit : null };
}

async function copyObjects(place: GitPlace, from: string): Promise<void> {
	const to = join(place.cwd, "objects");
	let [count, bytes] = [0, 0];
	const copy = async (folder: string, pattern: RegExp): Promise<string[]> => {
		const names = namesIn(join(from, folder), "file").filter((name) => pattern.test(name));
		await mkdir(join(to, folder), { recursive: true });
		const copied: string[] = [];
		for (const name of names) {
			const source = join(from, folder, name);
			bytes += (await stat(source)).size;
			count += 1;
			if (bytes > MOST_BYTES || count > MOST_OBJECTS) return copied;
			const target = join(to, folder, name);
			await copyFile(source, target, constants.COPYFILE_FICLONE).then(
				() => copied.push(target),
				() => undefined,
			);
		}
		return copied;
	};
	for (const folder of namesIn(from, "directory").filter((name) => /^[0-9a-f]{2}$/.test(name)))
		await copy(folder, /^(?:[0-9a-f]{38}|[0-9a-f]{62})$/);
	for (const pack of await copy("pack", /^pack-[0-9a-f]+\.pack$/))
		await unlessDamaged(
			() => runGit(place, { args: ["index-pack", pack], parse: nothing }),
			undefined,
		);
}

function tipsIn(gitDir: string): Tip[] {
	// What was fetched from elsewhere is not the agent's work.
	const refs = [...looseRefs(gitDir, "refs", 0), ...packedRefs(gitDir)]
		.filter(({ ref }) => !ref.startsWith("refs/remotes/"))
		.sort((one, other) => Number(isBranch(other.ref)) - Number(isBranch(one.ref)))
		.slice(0, MOST_REFS);
	const trees = namesIn(join(gitDir, "worktrees"), "directory").slice(0, MOST_TIPS);
	const heads = ["", ...trees.map((name) => join("worktrees", name))].flatMap((folder) => [
		...idsIn(textOf(join(gitDir, folder, "HEAD")), ID),
		...idsIn(textOf(join(gitDir, folder, "logs", "HEAD")), LOGGED).reverse(),
	]);
	const stashes = idsIn(textOf(join(gitDir, "logs", "refs", "stash")), LOGGED).reverse();
	const tips: Tip[] = [
		...refs.map(({ ref, oid }): Tip => {
			if (isBranch(ref)) return { kind: "branch", name: ref.slice(HEADS.length, 200), oid };
			return { kind: ref === "refs/stash" ? "stash" : "commit", name: "", oid };
		}),
		...stashes.map((oid): Tip => ({ kind: "stash", name: "", oid })),
		...heads.map((oid): Tip => ({ kind: "commit", name: "", oid })),
	];
	const first = new Map<string, Tip>();
	for (const tip of tips) if (!first.has(tip.oid)) first.set(tip.oid, tip);
	return [...first.values()];
}

const HEADS = "refs/heads/";
const isBranch = (ref: string): boolean => ref.startsWith(HEADS);

const ID = /^([0-9a-f]{40}(?:[0-9a-f]{24})?)\s*$/g;
const LOGGED = /^[0-9a-f]{40,64} ([0-9a-f]{40}(?:[0-9a-f]{24})?) /gm;
const PACKED = /^([0-9a-f]{40}(?:[0-9a-f]{24})?) (refs\/.+)$/gm;

const idsIn = (text: string, pattern: RegExp): string[] =>
	[...text.matchAll(pattern)].map(([, oid = ""]) => oid);

interface Ref {
	readonly ref: string;
	readonly oid: string;
}

const packedRefs = (gitDir: string): Ref[] =>
	[...textOf(join(gitDir, "packed-refs")).matchAll(PACKED)].map(([, oid = "", ref = ""]) => ({
		ref,
		oid,
	}));

const DEEPEST = 10;

function looseRefs(gitDir: string, folder: string, depth: number): Ref[] {
	const path = join(gitDir, folder);
	const own = namesIn(path, "file").flatMap((name) =>
		idsIn(textOf(join(path, name)), ID).map((oid) => ({ ref: `${folder}/${name}`, oid })),
	);
	const below = depth === DEEPEST ? [] : namesIn(path, "directory");
	return [...own, ...below.flatMap((name) => looseRefs(gitDir, `${folder}/${name}`, depth + 1))];
}

function namesIn(path: string, kind: "file" | "directory"): string[] {
	if (kindOf(path) !== "directory") return [];
	return attempt(() => readdirSync(path, { withFileTypes: true }), [])
		.filter((entry) => (kind === "file" ? entry.isFile() : entry.isDirectory()))
		.map(({ name }) => name)
		.sort()
		.slice(0, MOST_OBJECTS);
}

const textOf = (path: string): string => attempt(() => endOf(path), "");

// Does not wait for a FIFO.
function endOf(path: string): string {
	const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
	try {
		const found = fstatSync(file);
		if (!found.isFile()) return "";
		const bytes = Buffer.alloc(Math.min(found.size, MOST_TEXT));
		const read = readSync(file, bytes, 0, bytes.length, found.size - bytes.length);
		return bytes.toString("utf8", 0, read);
	} finally {
		closeSync(file);
	}
}
