import { filesAt } from "../git/changes.ts";
import type { TreeFile } from "../git/file-change.ts";
import { readBlobs } from "../git/objects.ts";
import { type Vault, vaultPlace } from "../git/vault.ts";
import { type ChangedLines, changedLines } from "./reports/changed-lines.ts";

/** The commit that was checked. Reports are compared with it, not with the checkout, which commands may have changed. */
export interface CommitView {
	/** Every file, relative to the top. */
	files(): Promise<ReadonlySet<string>>;
	/**
	 * Contents of files by path. Leaves out links, files that are not in the commit, and files after the first 64 MiB.
	 */
	texts(paths: readonly string[]): Promise<ReadonlyMap<string, string>>;
	/** The lines that differ from the task's start commit. */
	changes(): Promise<ChangedLines>;
}

const MAX_TEXTS = 64 * 1024 * 1024;

/**
 * A lazy view of a commit. Git is asked on first use, and only once for files and changes.
 *
 * @param start the task's start commit; `commit` itself when nothing has changed yet
 */
export function commitView(vault: Vault, start: string, commit: string): CommitView {
	let files: Promise<ReadonlyMap<string, TreeFile>> | undefined;
	let changes: Promise<ChangedLines> | undefined;
	const known = () => {
		files ??= filesAt(vault, commit).then(
			(found) => new Map(found.map((file) => [file.path, file])),
		);
		return files;
	};
	return {
		files: async () => new Set((await known()).keys()),
		texts: async (paths) => textsOf(vault, await known(), paths),
		changes: () => {
			changes ??= changedLines(vault, start, commit);
			return changes;
		},
	};
}

async function textsOf(
	vault: Vault,
	files: ReadonlyMap<string, TreeFile>,
	paths: readonly string[],
): Promise<ReadonlyMap<string, string>> {
	const wanted = [...new Set(paths)].flatMap((path) => {
		const file = files.get(path);
		return file?.mode.startsWith("100") === true ? [file] : [];
	});
	if (wanted.length === 0) return new Map();
	const oids = wanted.map(({ oid }) => oid);
	const texts = await readBlobs(vaultPlace(vault), oids, MAX_TEXTS);
	return new Map(
		wanted.flatMap(({ path }, index) => {
			const text = texts[index];
			return text === undefined ? [] : [[path, text.toString("utf8")] as const];
		}),
	);
}
