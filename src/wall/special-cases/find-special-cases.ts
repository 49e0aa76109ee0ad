import type { SyntaxNode } from "../../syntax/module-syntax.ts";
import type { Choice, Group, Literal } from "../language/choice.ts";
import { languageOf } from "../language/languages.ts";
import type { AddedLine } from "../reading/added-lines.ts";
import type { TreePair } from "../reading/tree-pair.ts";
import { specialCased } from "./special-cased.ts";
import { groupsIn } from "./test-groups.ts";
import { literalsIn } from "./test-literals.ts";

const COMPARES = /[!=]=|\s=\s|-eq\b|-ne\b|\bcase\b|\bwhen\b|=>|^[^()]*\)\s/;
const QUOTED = /"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)'/g;
const NUMBER = /(?<![\w.$])-?\d[\d_]*(?:\.\d+)?(?![\w.])/g;

/** Places where lines tell values from others, as far as their form shows; for languages without a syntax tree. */
function textChoices(lines: readonly AddedLine[]): Choice[] {
	return lines
		.filter(({ text }) => COMPARES.test(text))
		.flatMap(({ number: line, text }) => {
			const quoted = [...text.matchAll(QUOTED)].map(([, one, other]) => one ?? other ?? "");
			const numbers = text.replaceAll(QUOTED, "").match(NUMBER) ?? [];
			return [...quoted, ...numbers.map(Number)].map((value): Choice => {
				return { line, values: [value], result: null, form: "comparison" };
			});
		});
}

export interface GrownFile {
	readonly path: string;
	readonly base: string;
	readonly text: string;
	readonly added: readonly AddedLine[];
}

/** Limits of what is read of the tests: files, and UTF-16 units of one. */
const MOST_TESTS = 500;
const LONGEST = 1_000_000;

interface SearchGround {
	readonly product: readonly GrownFile[];
	/** Their syntax trees; null where there is none. */
	readonly trees: readonly (SyntaxNode | null)[];
	readonly tests: readonly string[];
	readonly isTest: (path: string) => boolean;
	readonly told: readonly string[];
}

export async function specialCases(
	pair: TreePair,
	{ product, trees, tests, isTest, told }: SearchGround,
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
	const language = tree === null ? null : languageOf(path);
	const all =
		tree === null || language === null ? textChoices(added) : language.choicesIn(tree, text);
	const lines = new Map(added.map((line) => [line.number, line.text]));
	return all.filter(({ line, values, form }) => {
		const shown = lines.get(line);
		const isCoded =
			!/^(?:conjunction|row)$/.test(form) && CODED.test(shown ?? "") && values.every(isCode);
		return shown !== undefined && !isCoded;
	});
}

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
