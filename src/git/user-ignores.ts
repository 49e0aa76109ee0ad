import { readFile, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { textOfBytes } from "../kernel/byte-text.ts";
import { formatBytes } from "../kernel/bytes.ts";
import { Fault } from "../kernel/fault.ts";
import { zeroFields } from "./parsing.ts";
import type { Repository } from "./repository.ts";
import { type GitQuery, runGit } from "./run-git.ts";

// They are stored with the run.
const LARGEST = 1_048_576;

/** Ignore rules that belong to the user and not to the project. */
export interface UserIgnores {
	/** In the form of a `.gitignore` at the top; bytes as `textOfBytes` spells them. Empty where there are none. */
	readonly rules: string;
	/** Files that git is to read and cannot, with the reason: their rules do not count, as in the user's own git. */
	readonly unread: readonly string[];
}

/**
 * The rules of `core.excludesFile`, or of its default place, and of `info/exclude`, in git's order: the last rule that
 * matches counts.
 *
 * @throws Fault `repository-unsuitable` for a file above 1 MiB: without its rules private files would be committed
 */
export async function userIgnores(repository: Repository): Promise<UserIgnores> {
	const { host, root, commonDir } = repository;
	const place = { host, configuration: "users", cwd: root } as const;
	const named = await runGit(place, excludesFile);
	const standard = join(host.configHome ?? join(host.home, ".config"), "git", "ignore");
	const parts: string[] = [];
	const unread: string[] = [];
	// An empty name switches the default place off.
	const files = named === "" ? [] : [resolve(root, named ?? standard)];
	for (const file of [...files, join(commonDir, "info", "exclude")]) {
		try {
			const bytes = await bytesOf(file);
			if (bytes !== null) parts.push(textOfBytes(bytes).replace(/^\ufeff/, ""));
		} catch (error) {
			if (error instanceof Fault) throw error;
			unread.push(error instanceof Error ? error.message : String(error));
		}
	}
	// Git's own template has comments alone.
	const lines = parts
		.flatMap((part) => part.split("\n"))
		.filter((line) => !/^(?:#|\s*$)/.test(line));
	return { rules: lines.length === 0 ? "" : `${lines.join("\n")}\n`, unread };
}

const excludesFile: GitQuery<string | undefined> = {
	args: ["config", "-z", "--type=path", "--get", "core.excludesFile"],
	exitCodes: [0, 1],
	parse: ({ exitCode, stdout }) =>
		exitCode === 0 ? (zeroFields(stdout)[0]?.toString() ?? "") : undefined,
};

// A device such as `/dev/null` has none. Never opens a FIFO.
async function bytesOf(file: string): Promise<Buffer | null> {
	const found = await stat(file).catch((error: unknown) => {
		const code = error instanceof Error && "code" in error ? error.code : undefined;
		if (code === "ENOENT" || code === "ENOTDIR") return null;
		throw error;
	});
	if (found === null || found.isCharacterDevice()) return null;
	if (!found.isFile()) throw new Error(`${file} is not a file`);
	if (found.size <= LARGEST) return await readFile(file);
	throw new Fault(
		`the ignore file ${file} has ${formatBytes(found.size)}, more than the ${formatBytes(LARGEST)} allowed`,
		{
			code: "repository-unsuitable",
			hint: "Shorten it, or name another one: git config core.excludesFile FILE",
		},
	);
}
