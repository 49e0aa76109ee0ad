import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { bytesOfText } from "../kernel/byte-text.ts";
import { shellWord } from "../kernel/shell-word.ts";
import { baseFilters, type FilterDriver, LFS } from "./base-attributes.ts";
import { canRun, inspectFilters, requireFilters } from "./filter-findings.ts";
import { writeGitDirectory } from "./git-directory.ts";
import type { Repository } from "./repository.ts";
import type { Vault } from "./vault.ts";
import { NO_CONVERSION, ownDirectory, shallowFile } from "./vault.ts";

/**
 * Adds Git LFS to the vault of a run whose base commit uses it. No other filter runs in its checkouts, whatever their
 * attributes say. Can be called again at any time.
 *
 * Its commands run in the user's own work tree, so a relative name never resolves to a file that a player wrote.
 *
 * @throws Fault `repository-unsuitable` where files of the commit have another filter, which the user's git runs
 */
export async function withBaseFilters(vault: Vault, baseCommit: string): Promise<Vault> {
	const { repository } = vault;
	const filters = await baseFilters(repository, baseCommit);
	const drivers = filters?.drivers.filter(canRun) ?? [];
	if (drivers.some(({ name }) => name !== LFS))
		requireFilters(await inspectFilters(repository, baseCommit));
	const lfs = drivers.find(({ name }) => name === LFS);
	if (filters === null || lfs === undefined) return vault;
	const checkoutGitDir = join(vault.gitDir, "filters.git");
	const plainGitDir = join(checkoutGitDir, "plain.git");
	const { lfsStorage = filters.lfsStorage } = repository;
	const isOwn = lfsStorage !== filters.lfsStorage;
	const stores = isOwn ? [lentLfs(vault.gitDir, filters.lfsStorage)] : [];
	const settings = settingsOf(repository, lfs, lfsStorage);
	const shallow = shallowFile(repository);
	const excludes = bytesOfText(vault.ignoreRules);
	for (const [path, attributes] of [
		[checkoutGitDir, ""],
		[plainGitDir, NO_CONVERSION],
	] as const) {
		const directory = { path, shallow, attributes, excludes, settings };
		writeGitDirectory({ ...ownDirectory(repository, directory), stores });
	}
	return { ...vault, checkoutGitDir, plainGitDir };
}

// Git LFS borrows from the `lfs` beside each directory of objects that is borrowed from.
function lentLfs(gitDir: string, storage: string): string {
	const dir = join(gitDir, "lent");
	if (mkdirSync(join(dir, "objects"), { recursive: true }) !== undefined)
		symlinkSync(storage, join(dir, "lfs"));
	return join(dir, "objects");
}

function settingsOf(
	{ root }: Repository,
	{ clean, smudge, process, required }: FilterDriver,
	lfsStorage: string,
): string[] {
	const here = `cd ${shellWord(root)} || exit; `;
	// Git replaces `%f` in `clean` and `smudge`, but not in `process`.
	const escaped = here.replaceAll("%", "%%");
	return [
		`[filter ${configQuoted(LFS)}]`,
		...setting("clean", commandIn(escaped, clean)),
		...setting("smudge", commandIn(escaped, smudge)),
		...setting("process", commandIn(here, process)),
		...setting("required", required),
		// Otherwise a tracked .lfsconfig decides: it could name a download server, or leave pointers instead of files.
		"[lfs]",
		`\tstorage = ${configQuoted(lfsStorage)}`,
		"\turl = none",
		"\tskipdownloaderrors = false",
		"\tfetchinclude = ",
		"\tfetchexclude = ",
	];
}

export function setting(name: string, value: string | undefined): string[] {
	return value === undefined ? [] : [`\t${name} = ${configQuoted(value)}`];
}

/** An empty command means none. */
function commandIn(here: string, command: string | undefined): string | undefined {
	return command === undefined || command === "" ? undefined : `${here}${command}`;
}

export function configQuoted(text: string): string {
	return `"${text.replaceAll(/["\\]/g, "\\$&").replaceAll("\n", "\\n").replaceAll("\t", "\\t")}"`;
}
