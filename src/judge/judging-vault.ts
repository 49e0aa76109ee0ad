import type { OwnHistory, Vault } from "../git/vault.ts";
import { sidesAt } from "./sides-at.ts";
import type { Stand } from "./stand.ts";

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
