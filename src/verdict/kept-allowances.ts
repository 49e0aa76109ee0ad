import { mkdir, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { removeOld } from "../drive/kept-evidence.ts";
import { pathMatcher } from "../evidence/path-match.ts";
import type { FileChange } from "../git/file-change.ts";
import { replaceFile } from "../git/git-directory.ts";
import { attempt } from "../kernel/attempt.ts";
import { fieldAt, jsonIn, listOf, textAt } from "../kernel/fields.ts";
import { sha256 } from "../kernel/json.ts";
import { asStateFault } from "../kernel/state-fault.ts";
import { type CheckAllowance, checkAllowance } from "./check-allowance.ts";

const folderIn = (home: string): string => join(home, "allowed");

// A rename of the same content is another change.
const contentsUnder = (
	{ path }: Pick<CheckAllowance, "path">,
	changes: readonly FileChange[],
): readonly string[] => {
	const isNamed = pathMatcher([path]);
	return changes
		.filter((change) => change.path === path || isNamed(change.path))
		.map((change) => [change.path, change.oldOid, change.newOid, change.newMode].join(" "));
};

/**
 * Keeps what a person allowed for as long as the files that it names have the same contents on both sides, so that a hook
 * need not be told. At most 14 days.
 *
 * @param home folder of all checks of the repository, absolute
 */
export async function keepAllowances(
	home: string,
	allowances: readonly CheckAllowance[],
	changes: readonly FileChange[],
): Promise<void> {
	const folder = folderIn(home);
	await asStateFault(folder, async () => {
		await mkdir(folder, { recursive: true });
		for (const { path, change, reason } of allowances) {
			const contents = contentsUnder({ path }, changes);
			if (contents.length === 0) continue;
			const text = JSON.stringify({ allow: `${path}:${change}:${reason}`, contents });
			replaceFile(join(folder, `${sha256(text).slice(0, 16)}.json`), text);
		}
		await removeOld(folder);
	});
}

/** Names of what is kept, which are others as soon as something else is allowed. */
export const keptNames = async (home: string): Promise<readonly string[]> =>
	(await readdir(folderIn(home)).catch((): string[] => [])).sort();

/** What was allowed for exactly these changes. */
export async function keptAllowances(
	home: string,
	changes: readonly FileChange[],
): Promise<readonly CheckAllowance[]> {
	const texts = (await keptNames(home)).map((name) =>
		readFile(join(folderIn(home), name), "utf8").catch(() => ""),
	);
	return (await Promise.all(texts)).flatMap((text) => {
		const kept = jsonIn(text);
		const given = attempt(() => checkAllowance(textAt(kept, "allow") ?? ""), undefined);
		if (given === undefined) return [];
		const allowed = listOf(fieldAt(kept, "contents"));
		const now = contentsUnder(given, changes);
		return now.length > 0 && now.every((one) => allowed.includes(one)) ? [given] : [];
	});
}
