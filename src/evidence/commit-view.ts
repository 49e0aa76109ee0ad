import { filesAt, type TreeFile } from "../git/changes.ts";
import { type GitQuery, runGit } from "../git/run-git.ts";
import { type Vault, vaultPlace } from "../git/vault.ts";
import { type ChangedLines, changedLines } from "./changed-lines.ts";

/** What a report is compared with: the commit that was checked, whatever a command did to its checkout. */
export interface CommitView {
	/** Every file, relative to the top. */
	files(): Promise<ReadonlySet<string>>;
	/**
	 * Contents of files by path. Links, what is no file of the commit, and what comes after 64 MiB together are left out.
	 */
	texts(paths: readonly string[]): Promise<ReadonlyMap<string, string>>;
	/** The lines that differ from the commit that the task began on. */
	changes(): Promise<ChangedLines>;
}

/** Bytes of all files that one question is answered with. */
const MAX_TEXTS = 64 * 1024 * 1024;

/**
 * Looks at a commit; git is asked when an answer is first needed, and once for files and changes.
 *
 * @param start the commit that the task began on; the commit itself where nothing was changed yet
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
	const texts = await runGit(vaultPlace(vault), blobsQuery(wanted.map(({ oid }) => oid)));
	return new Map(
		wanted.flatMap(({ path }, index) => {
			const text = texts[index];
			return text === undefined ? [] : [[path, text] as const];
		}),
	);
}

/** The contents in the order of the ids. */
function blobsQuery(oids: readonly string[]): GitQuery<string[]> {
	return {
		args: ["cat-file", "--batch"],
		stdin: `${oids.join("\n")}\n`,
		maxStdout: MAX_TEXTS,
		parse: ({ stdout }) => readBatch(stdout),
	};
}

/** Reads `OID blob SIZE`, a line end, the content and a line end, again and again; one that is cut ends it. */
function readBatch(stdout: Buffer): string[] {
	const texts: string[] = [];
	let at = 0;
	for (;;) {
		const end = stdout.indexOf(10, at);
		const size = /^\S+ blob (\d+)$/.exec(stdout.toString("latin1", at, Math.max(at, end)))?.[1];
		const from = end + 1;
		if (size === undefined || from + Number(size) >= stdout.length) return texts;
		texts.push(stdout.toString("utf8", from, from + Number(size)));
		at = from + Number(size) + 1;
	}
}
