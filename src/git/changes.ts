import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { keptAnswers } from "./kept-answers.ts";
import { joinZero, lineOf, pathText, zeroFields } from "./parsing.ts";
import type { RawChange } from "./raw-changes.ts";
import { parseRawChanges } from "./raw-changes.ts";
import type { GitQuery } from "./run-git.ts";
import { runGit } from "./run-git.ts";
import type { Vault } from "./vault.ts";
import { vaultPlace } from "./vault.ts";

/** A file that differs between two commits. A renamed one is a deleted and an added one. */
export interface FileChange {
	/** Relative to the top, with `/`; bytes that are no UTF-8 as `\xHH`. */
	readonly path: string;
	/** `type-changed`: between file, symbolic link and submodule. */
	readonly kind: "added" | "modified" | "deleted" | "type-changed";
	/** Such as `"100644"`, `"100755"`, `"120000"` (link), `"160000"` (submodule); `"000000"` where there is none. */
	readonly oldMode: string;
	readonly newMode: string;
	/** Object id; all zeros where there is none. */
	readonly oldOid: string;
	readonly newOid: string;
}

/** A file of a commit. */
export interface TreeFile {
	readonly path: string;
	readonly mode: string;
	readonly oid: string;
}

/** Enough for the few pairs of commits that a turn of each task looks at again and again. */
const differences = keptAnswers<readonly FileChange[]>(32, ({ length }) => length <= 2_000);
const trees = keptAnswers<string>(1_000);
/** What a turn compares with the commit that a task began on: manifests and settings, read anew in each turn. */
const files = keptAnswers<Buffer | undefined>(
	200,
	(content) => content === undefined || content.length <= 65_536,
);

/** The files that differ, in git's order of paths. */
export async function changesBetween(
	vault: Vault,
	from: string,
	to: string,
): Promise<FileChange[]> {
	const ask = () => runGit(vaultPlace(vault), changesQuery(from, to));
	return [...(await differences.of(vault, [from, to], "", ask))];
}

/** Keeps what is known of a commit that was just made, so that git need not be asked about it. */
export function keepCommit(
	vault: Vault,
	made: {
		readonly parent: string;
		readonly commit: string;
		readonly tree: string;
		/** All that differs from the parent; null when that is not known. */
		readonly changes: readonly RawChange[] | null;
	},
): void {
	trees.keep(vault, [made.commit], made.tree);
	if (made.changes === null) return;
	differences.keep(vault, [made.parent, made.commit], made.changes.map(fileChange));
}

function changesQuery(from: string, to: string): GitQuery<FileChange[]> {
	return {
		args: ["diff-tree", "-r", "-z", "--raw", "--no-renames", "--no-abbrev", from, to, "--"],
		parse: ({ stdout }) => parseRawChanges(stdout).map(fileChange),
	};
}

function fileChange({ path, status, oldMode, newMode, oldOid, newOid }: RawChange): FileChange {
	return { path: pathText(path), kind: kindOfStatus(status), oldMode, newMode, oldOid, newOid };
}

function kindOfStatus(status: string): FileChange["kind"] {
	if (status === "A") return "added";
	if (status === "D") return "deleted";
	return status === "T" ? "type-changed" : "modified";
}

/**
 * The difference as unified text, renames found. Bytes that are no UTF-8 are replaced.
 *
 * @param limits `maxBytes`: of the text; a longer one is cut at a line end, and its last line says so
 */
export function diffText(
	vault: Vault,
	from: string,
	to: string,
	{ maxBytes }: { readonly maxBytes: number },
): Promise<{ text: string; truncated: boolean }> {
	const plain = [
		"--no-ext-diff",
		"--no-textconv",
		"--no-color",
		"--src-prefix=a/",
		"--dst-prefix=b/",
	];
	return runGit(vaultPlace(vault), {
		args: ["diff-tree", "-r", "-p", "-M", ...plain, from, to, "--"],
		maxStdout: maxBytes,
		parse: ({ stdout, truncated }) => {
			if (!truncated) return { text: stdout.toString("utf8"), truncated };
			const whole = stdout.subarray(0, stdout.lastIndexOf("\n") + 1).toString("utf8");
			return { text: `${whole}[the diff is longer: cut after ${maxBytes} bytes]\n`, truncated };
		},
	});
}

/** The bytes of a file of a commit, of a link its target; undefined when there is no such file. */
export async function readFileAt(
	vault: Vault,
	commit: string,
	path: string,
): Promise<Buffer | undefined> {
	if (path === "" || path.includes("\0") || path.startsWith("/")) return undefined;
	return await files.of(vault, [commit], path, () => readPath(vault, commit, path));
}

async function readPath(vault: Vault, commit: string, path: string): Promise<Buffer | undefined> {
	const found = await runGit(vaultPlace(vault), {
		args: ["ls-tree", "-z", "--full-tree", commit, "--", path],
		parse: ({ stdout }) => parseTree(stdout),
	});
	const file = found.find((one) => one.path === path && one.mode.startsWith("1"));
	if (file === undefined || file.mode === "160000") return undefined;
	return await readBlob(vault, file.oid);
}

/** Every file of a commit, submodules included. */
export function filesAt(vault: Vault, commit: string): Promise<TreeFile[]> {
	return runGit(vaultPlace(vault), {
		args: ["ls-tree", "-r", "-z", "--full-tree", commit],
		parse: ({ stdout }) => parseTree(stdout),
	});
}

function parseTree(bytes: Buffer): TreeFile[] {
	return zeroFields(bytes).map((field) => {
		const tab = field.indexOf("\t");
		const [mode = "", , oid = ""] = field.subarray(0, tab).toString("latin1").split(" ");
		return { path: pathText(field.subarray(tab + 1)), mode, oid };
	});
}

/** Id of a commit's tree. Equal trees mean equal files. */
export function treeOf(vault: Vault, commit: string): Promise<string> {
	return trees.of(vault, [commit], "", () =>
		runGit(vaultPlace(vault), {
			args: ["rev-parse", "--verify", "--end-of-options", `${commit}^{tree}`],
			parse: lineOf,
		}),
	);
}

/** Whether the repository has this commit: one that no ref holds may have been removed. */
export function isCommit(vault: Vault, commit: string): Promise<boolean> {
	return runGit(vaultPlace(vault), {
		args: ["cat-file", "-e", `${commit}^{commit}`],
		exitCodes: [0, 1, 128],
		parse: ({ exitCode }) => exitCode === 0,
	});
}

/** Whether one commit is an ancestor of another; each is its own. */
export function isAncestor(vault: Vault, ancestor: string, commit: string): Promise<boolean> {
	return runGit(vaultPlace(vault), {
		args: ["merge-base", "--is-ancestor", ancestor, commit],
		exitCodes: [0, 1],
		parse: ({ exitCode }) => exitCode === 0,
	});
}

/**
 * Those of the paths that the `.gitignore` files of a commit ignore, whatever lies in any work tree.
 *
 * @param paths relative to the top; a directory ends with `/`
 */
export async function ignoredBy(
	vault: Vault,
	commit: string,
	paths: readonly string[],
): Promise<string[]> {
	const asked = paths.filter(isInside);
	if (asked.length === 0) return [];
	const rules = (await filesAt(vault, commit)).filter(
		({ path, mode }) => mode.startsWith("100") && /(^|\/)\.gitignore$/.test(path),
	);
	if (rules.length === 0) return [];
	const dir = await mkdtemp(join(tmpdir(), "spar-ignore-"));
	try {
		for (const { path, oid } of rules) {
			await mkdir(dirname(join(dir, path)), { recursive: true });
			await writeFile(join(dir, path), await readBlob(vault, oid));
		}
		const indexFile = join(vault.gitDir, "no-index");
		return await runGit(
			{ ...vaultPlace(vault), cwd: dir, workTree: dir, indexFile },
			{
				args: ["check-ignore", "--no-index", "-z", "--stdin"],
				// With `./` a path that starts with a colon is no pattern.
				notLiteral: true,
				stdin: joinZero(asked.map((path) => `./${path}`)),
				exitCodes: [0, 1],
				parse: ({ stdout }) => zeroFields(stdout).map((path) => pathText(path.subarray(2))),
			},
		);
	} finally {
		await rm(dir, { recursive: true, force: true });
	}
}

function isInside(path: string): boolean {
	if (path === "" || path.startsWith("/") || path.includes("\0")) return false;
	return !path.split("/").some((part) => part === ".." || part === ".");
}

function readBlob(vault: Vault, oid: string): Promise<Buffer> {
	return runGit(vaultPlace(vault), {
		args: ["cat-file", "blob", oid],
		parse: ({ stdout }) => stdout,
	});
}
