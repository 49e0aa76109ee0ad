import { isManifest } from "../evidence/setup-key.ts";
import { treeOf } from "../git/changes.ts";
import { commitMerge, forecastMerge } from "../git/merging.ts";
import type { ColdSetup, Ground } from "./context.ts";
import { type SetupGround, setUp } from "./prepare-checkout.ts";
import { fitsInputs, setupKeyAt } from "./setup-keys.ts";

/** What a cold setup is prepared with. */
export type ColdGround = SetupGround & Pick<Ground, "refs">;

/**
 * Sets up the integration checkout on the tree that a merge of a commit would give now. Nothing that is kept is used.
 *
 * @returns null when there would be a conflict, the setup fails, or it leaves files that forcing the checkout removes
 */
export async function prepareCold(context: ColdGround, commit: string): Promise<ColdSetup | null> {
	const { vault, refs, places } = context;
	const { integration: checkout } = places;
	const tip = await refs.integrationTip();
	const forecast = await forecastMerge(vault, tip, commit);
	if (!forecast.clean) return null;
	const { tree } = forecast;
	// No ref and no row ever names this commit: it only carries the tree into the checkout.
	const carrier = { tree, parents: [tip, commit], message: "to be set up\n", at: 0 };
	const own = (await treeOf(vault, commit)) === tree;
	const target = own ? commit : await commitMerge(vault, carrier);
	await checkout.remove();
	const result = await setUp(context, {
		checkout,
		name: "integration",
		commit: target,
		cold: true,
	});
	if (result.status !== "pass") return null;
	const { ignored, others } = await checkout.untracked(target);
	if (!others.every(isManifest)) return null;
	const fitsOthers = await fitsInputs(context, target, ignored);
	return { tree, key: fitsOthers ? await setupKeyAt(context, target) : null };
}

/** Whether the prepared checkout serves for the cold run of a tree, whose setup has that key. */
export function servesFor(
	cold: ColdSetup,
	{ tree, key }: { readonly tree: string; readonly key: string },
): boolean {
	return cold.tree === tree || cold.key === key;
}
