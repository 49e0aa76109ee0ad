import { commitView } from "../formats/commit-view.ts";
import { keptAnswers } from "../git/kept-answers.ts";
import type { OwnHistory, Vault } from "../git/vault.ts";
import type { Sides } from "../wall/reading/sides.ts";
import { readSides } from "../wall/replay/read-sides.ts";
import type { Stand } from "./stand.ts";

const lines = keptAnswers<Sides>(20);

/** The line between product and tests in a commit. */
export async function sidesAt(
	{ vault, workflow }: Pick<Stand, "vault" | "workflow">,
	start: string,
): Promise<Sides> {
	const base = commitView(vault, start, start);
	return await lines.of(vault, [start], "", () => readSides(base, workflow.checks));
}

/**
 * The vault as checkouts have it in which a product is judged: their repositories are their own, without the content of
 * tests, so that a product cannot ask git for what it is to answer.
 *
 * @param base of which most commits that are judged differ little
 */
export function judgingVault(
	{ vault, workflow }: Pick<Stand, "vault" | "workflow">,
	base: string,
): Vault {
	const isWithheld: OwnHistory["isWithheld"] = async () => {
		const { tests, isTestWhenNew } = await sidesAt({ vault, workflow }, base);
		return (path) => tests.has(path) || isTestWhenNew(path);
	};
	return { ...vault, ownHistory: { base, isWithheld } };
}

/** Likewise for tests that nobody is to know: without the content of any file. */
export function hidingVault(vault: Vault, base: string): Vault {
	return { ...vault, ownHistory: { base, isWithheld: async () => () => true } };
}
