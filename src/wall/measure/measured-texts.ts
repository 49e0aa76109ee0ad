import { isBuiltin } from "node:module";
import type { SourceText, TreeReader } from "../language/language.ts";
import { languageOf } from "../language/languages.ts";
import { spliced } from "../language/splice.ts";
import { parsePackage } from "../reading/runner-config.ts";

export interface MeasuredFacts {
	readonly trees: TreeReader;
	/** Name of the file into which notices are written. */
	readonly token: string;
	readonly isTest: (path: string) => boolean;
	/** Texts of the tree's package.json files. */
	readonly manifests: readonly string[];
}

/**
 * Files of the tests' side, changed so that they tell which answers of the product they notice; those that cannot are left out. What
 * they need stands behind them.
 */
export async function measuredTexts(
	files: readonly SourceText[],
	{ trees, token, isTest, manifests }: MeasuredFacts,
): Promise<SourceText[]> {
	const found = await trees(files);
	const bought = boughtBy(manifests);
	const needed = new Map<string, SourceText>();
	const made = files.flatMap(({ path, text }, at) => {
		const [tree, language] = [found[at] ?? null, languageOf(path)];
		if (tree === null || language?.measured === undefined) return [];
		const isProduct = (module: string): boolean => {
			if (language.placesOf(path, module).some(isTest)) return false;
			return /^[.#]/.test(module) || !(isBuiltin(module) || bought.has(packageOf(module)));
		};
		const splices = language.measured(tree, text, { path, token, isProduct });
		if (splices === null) return [];
		const by = language.measuredBy?.(token);
		if (by !== undefined) needed.set(by.path, by);
		return [{ path, text: spliced(text, splices) }];
	});
	return [...made, ...needed.values()];
}

/** Packages that these manifests ask for, without those that they are. */
function boughtBy(manifests: readonly string[]): ReadonlySet<string> {
	const packages = manifests.map(parsePackage);
	const names = packages.flatMap((fields) =>
		Object.entries(fields).flatMap(([key, value]) =>
			/dependencies$/i.test(key) && typeof value === "object" && value !== null
				? Object.keys(value)
				: [],
		),
	);
	const own = new Set(packages.map(({ name }) => name));
	return new Set(names.filter((name) => !own.has(name)));
}

const packageOf = (module: string): string => /^(?:@[^/]+\/)?[^/]*/.exec(module)?.[0] ?? module;
