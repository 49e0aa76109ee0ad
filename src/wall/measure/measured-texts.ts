import { isBuiltin } from "node:module";
import { fieldsOf } from "../../kernel/fields.ts";
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
	/** Names of what stands at the root of the tree, by which a file may import its project's own. */
	readonly roots: ReadonlySet<string>;
}

/**
 * Files of the tests' side, changed so that they tell which answers of the product they notice; those that cannot are left out. What
 * they need stands behind them.
 */
export async function measuredTexts(
	files: readonly SourceText[],
	{ trees, token, isTest, manifests, roots }: MeasuredFacts,
): Promise<SourceText[]> {
	const found = await trees(files);
	const { bought, own } = packagesIn(manifests);
	const needed = new Map<string, SourceText>();
	const made = files.flatMap(({ path, text }, at) => {
		const [tree, language] = [found[at] ?? null, languageOf(path)];
		if (tree === null || language?.measured === undefined) return [];
		const isProduct = (module: string): boolean => {
			if (language.placesOf(path, module).some(isTest)) return false;
			const [first = ""] = module.split(/[/.]/);
			if (/^[.#~]|^@\//.test(module) || own.has(packageOf(module))) return true;
			return roots.has(first) && !isBuiltin(module) && !bought.has(packageOf(module));
		};
		const splices = language.measured(tree, text, { path, token, isProduct });
		if (splices === null) return [];
		const by = language.measuredBy?.(token);
		if (by !== undefined) needed.set(by.path, by);
		return [{ path, text: spliced(text, splices) }];
	});
	return [...made, ...needed.values()];
}

/** Packages that these manifests ask for, and those that they are. */
function packagesIn(
	manifests: readonly string[],
): Readonly<Record<"bought" | "own", ReadonlySet<unknown>>> {
	const packages = manifests.map(parsePackage);
	const own = new Set(packages.flatMap(({ name }) => (typeof name === "string" ? [name] : [])));
	const names = packages.flatMap((fields) =>
		Object.entries(fields).flatMap(([key, value]) =>
			/dependencies$/i.test(key) ? Object.keys(fieldsOf(value)) : [],
		),
	);
	return { bought: new Set(names), own };
}

const packageOf = (module: string): string => /^(?:@[^/]+\/)?[^/]*/.exec(module)?.[0] ?? module;
