import type { SyntaxNode } from "../../syntax/module-syntax.ts";
import { isPythonPath } from "../../syntax/source-trees.ts";
import type { AddedLine } from "../integrity/added-lines.ts";
import type { TreePair } from "../integrity/tree-pair.ts";
import type { Choice, Literal } from "./choice.ts";
import type { Group } from "./conjunction.ts";
import { moduleChoices } from "./module-choices.ts";
import { pythonChoices } from "./python-choices.ts";
import { specialCased } from "./special-cased.ts";
import { groupsIn } from "./test-groups.ts";
import { literalsIn } from "./test-literals.ts";
import { textChoices } from "./text-choices.ts";

/** A file of the product with the lines that a change adds. */
export interface GrownFile {
	readonly path: string;
	readonly base: string;
	readonly text: string;
	readonly added: readonly AddedLine[];
}

/** How much of the tests is read: files, and UTF-16 units of one. */
const MOST_TESTS = 500;
const LONGEST = 1_000_000;

/** What special cases are looked for in. */
interface Ground {
	readonly product: readonly GrownFile[];
	/** Their syntax trees; null where there is none. */
	readonly trees: readonly (SyntaxNode | null)[];
	/** The base's files on the tests' side. */
	readonly tests: readonly string[];
	readonly isTest: (path: string) => boolean;
	/** What the product may know: the task, and texts that are gone. */
	readonly told: readonly string[];
}

/** Added lines of the product that single out values of the tests, those of the base and the player's own. */
export async function specialCases(
	pair: TreePair,
	{ product, trees, tests, isTest, told }: Ground,
): Promise<{ readonly file: GrownFile; readonly lines: readonly AddedLine[] }[]> {
	const choices = product.map((file, at) => choicesIn(file, trees[at] ?? null));
	if (choices.every((each) => each.length === 0)) return [];
	const texts = [...told, ...product.map(({ base }) => base)].join("\n");
	const knowledge = { ...(await valuesOf(pair, tests, isTest)), told: texts };
	return product.flatMap((file, at) => {
		const numbers = new Set(specialCased(choices[at] ?? [], knowledge));
		const lines = file.added.filter(({ number }) => numbers.has(number));
		return lines.length === 0 ? [] : [{ file, lines }];
	});
}

function choicesIn({ path, text, added }: GrownFile, tree: SyntaxNode | null): Choice[] {
	const all = tree === null ? textChoices(added) : treeChoices(path, tree, text);
	const lines = new Map(added.map((line) => [line.number, line.text]));
	return all.filter(({ line, values, form }) => {
		const shown = lines.get(line);
		const isCoded =
			!/^(?:conjunction|row)$/.test(form) && CODED.test(shown ?? "") && values.every(isCode);
		return shown !== undefined && !isCoded;
	});
}

const treeChoices = (path: string, tree: SyntaxNode, text: string): Choice[] =>
	isPythonPath(path) ? pythonChoices(tree, text) : moduleChoices(tree, text);

/** Lines about codes that a standard defines, as HTTP does. */
const CODED = /status|http|code|errno/i;
const isCode = (value: Literal): boolean =>
	typeof value === "number" && Number.isInteger(value) && value >= 1 && value < 600;

async function valuesOf(
	pair: TreePair,
	tests: readonly string[],
	isTest: (path: string) => boolean,
): Promise<{ readonly ofTests: ReadonlySet<Literal>; readonly groups: readonly Group[] }> {
	const present = pair.changes.filter(({ kind, path }) => kind !== "deleted" && isTest(path));
	const ofTests = new Set<Literal>();
	const groups: Group[] = [];
	const add = (path: string, whole: string | null): void => {
		const text = whole?.slice(0, LONGEST) ?? "";
		for (const value of literalsIn(path, text)) ofTests.add(value);
		groups.push(...groupsIn(path, text));
	};
	for (const path of tests.slice(0, MOST_TESTS)) add(path, await pair.readBase(path));
	for (const { path } of present.slice(0, MOST_TESTS)) add(path, await pair.readHead(path));
	return { ofTests, groups };
}
