import { mkdir, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { removeOld } from "../drive/kept-evidence.ts";
import { replaceFile } from "../git/git-directory.ts";
import { attempt } from "../kernel/attempt.ts";
import { fieldAt, jsonIn, listOf } from "../kernel/fields.ts";
import { sha256 } from "../kernel/json.ts";
import { asStateFault } from "../kernel/state-fault.ts";
import { allowanceText, type CheckAllowance, checkAllowance } from "./check-allowance.ts";

/** Work as it was when something in it was allowed: trees of its base and of itself. */
export type AllowedWork = readonly [base: string, tree: string];

const folderIn = (home: string): string => join(home, "allowed");

const nameOf = (work: AllowedWork): string => `${sha256(work.join(" ")).slice(0, 32)}.json`;

/**
 * Keeps what a person allowed, so that a hook need not be told: for exactly this work, since whoever allowed a weaker test
 * has seen this product and no other. At most 14 days.
 *
 * @param home folder of all checks of the repository, absolute
 */
export async function keepAllowances(
	home: string,
	work: AllowedWork,
	given: readonly CheckAllowance[],
): Promise<void> {
	if (given.length === 0) return;
	const folder = folderIn(home);
	const texts = [...(await keptAllowances(home, work)), ...given].map(allowanceText);
	await asStateFault(folder, async () => {
		await mkdir(folder, { recursive: true });
		replaceFile(join(folder, nameOf(work)), JSON.stringify({ allow: [...new Set(texts)] }));
	});
}

/** Names of what is kept, which are others as soon as other work is allowed. */
export async function keptNames(home: string): Promise<readonly string[]> {
	const folder = folderIn(home);
	const names = async (): Promise<string[]> => await readdir(folder).catch((): string[] => []);
	if ((await names()).length > 0) await removeOld(folder);
	return (await names()).sort();
}

/** Allowances for exactly this work. */
export async function keptAllowances(
	home: string,
	work: AllowedWork,
): Promise<readonly CheckAllowance[]> {
	if (!(await keptNames(home)).includes(nameOf(work))) return [];
	const text = await readFile(join(folderIn(home), nameOf(work)), "utf8").catch(() => "");
	return listOf(fieldAt(jsonIn(text), "allow")).flatMap((one) =>
		attempt(() => [checkAllowance(String(one))], []),
	);
}
