import { expect, test } from "vitest";
import type { SyntaxNode } from "../../syntax/module-syntax.ts";
import type { PythonRunner } from "../../syntax/python-syntax.ts";
import type { Language } from "./language.ts";
import { languageOf } from "./languages.ts";
import { spliced } from "./splice.ts";

/** The same file of tests in one language: what the claims below are made about. */
export interface LanguageTexts {
	/** Name of a test file. */
	readonly path: string;
	/**
	 * A helper `make`, a case `adds` that asserts that `add(1, 2)` is 3 in its second line, and a case `nothing` without a
	 * statement that does anything.
	 */
	readonly tests: string;
	/** Titles as the file spells them. */
	readonly titles: { readonly adds: string; readonly nothing: string };
	/** The case `adds` from its first to its last character. */
	readonly adds: string;
	/** The same with another number in the place of the expected one. */
	readonly wrong: string;
	/** Product code that tells 12345 from other numbers in its second line. */
	readonly choice: string;
	readonly broken: string;
	/** From which `tests` imports `add`, and a file that it may mean there. */
	readonly module: string;
	readonly place: string;
}

/** Claims that hold of each language. */
export function describeLanguage(
	language: Language,
	run: PythonRunner,
	texts: LanguageTexts,
): void {
	const { path, tests, titles } = texts;
	const treeOf = async (text: string): Promise<SyntaxNode | null> =>
		(await language.trees([{ path, text }], run))[0] ?? null;
	const treeOfTests = async (): Promise<SyntaxNode> =>
		(await treeOf(tests)) ?? expect.unreachable();

	test("a file belongs to one language, by its name", () => {
		expect(languageOf(path)).toBe(language);
		expect(languageOf(`${path}.txt`)).toBeNull();
	});

	test("an unreadable text has no tree", async () => {
		expect(await treeOf(texts.broken)).toBeNull();
	});

	test("a case has its name and its extent, and what stands beside it is a helper", async () => {
		const parts = language.testsIn(await treeOfTests(), tests);
		expect(parts.map(({ kind, name }) => [kind, name])).toEqual([
			["helper", "make"],
			["case", titles.adds],
			["case", titles.nothing],
		]);
		expect(tests.slice(...(parts[1]?.span ?? [0, 0]))).toBe(texts.adds);
	});

	test("a case with another body says nothing, and can still be read", async () => {
		const [, adds] = language.testsIn(await treeOfTests(), tests);
		const [start, end] = adds?.body ?? expect.unreachable();
		const emptied = spliced(tests, [{ start, end, text: language.without.body }]);
		const tree = (await treeOf(emptied)) ?? expect.unreachable();
		expect(language.testsIn(tree, emptied).map(({ name }) => name)).toEqual(
			expect.arrayContaining([titles.adds, titles.nothing]),
		);
		expect(language.wrongValues(tree, emptied)).toEqual([]);
	});

	test("the value that an assertion expects has its place, and a wrong one for it", async () => {
		const values = language.wrongValues(await treeOfTests(), tests);
		expect(values.map(({ start, end }) => tests.slice(start, end))).toEqual(["3"]);
		expect(spliced(tests, values)).toBe(texts.wrong);
	});

	test("a copy of a case has another name and a wrong value, and can be read", async () => {
		const request = { path, token: "t0k3n", words: new Set(["jest"]) };
		const made = language.copiesIn(await treeOfTests(), tests, request);
		const [copy] = made.copies.filter(({ wrongs }) => wrongs.length > 0);
		const [wrong] = copy?.wrongs ?? [];
		if (copy === undefined || wrong === undefined) expect.unreachable();
		const own = made.apart(
			(text) => spliced(tests, [{ ...copy.title, text }, wrong.splice], copy),
			made.nameOf(0),
		);
		const added = { start: copy.at, end: copy.at, text: own };
		const planted = spliced(tests, [added, made.helpers]);
		const tree = (await treeOf(planted)) ?? expect.unreachable();
		const names = language.testsIn(tree, planted).map(({ name }) => name);
		expect(names).toEqual(expect.arrayContaining([...Object.values(titles), made.nameOf(0)]));
	});

	test("code that tells a written value from others has its line and the value", async () => {
		const tree = (await treeOf(texts.choice)) ?? expect.unreachable();
		expect(language.choicesIn(tree, texts.choice)).toEqual([
			{ line: 2, values: [12345], result: 1, form: "comparison" },
		]);
	});

	test("a name is known to come from a module, and the module's files to lie beside it", () => {
		const found = language.importsIn(tests).filter(({ module }) => module === texts.module);
		expect(found).toEqual([{ name: "add", module: texts.module }]);
		expect(language.placesOf(path, texts.module)).toContain(texts.place);
		expect(language.targetsIn(path, tests)).toContainEqual(expect.arrayContaining([texts.place]));
		expect(language.importsIn("")).toEqual([]);
	});

	test("an import and a name can be taken out of use", async () => {
		const { importOf, nameOf } = language.without;
		const rest = tests.replaceAll(importOf(texts.module.replaceAll(".", "\\.")), "");
		const kept = language.importsIn(tests).filter(({ module }) => module !== texts.module);
		expect(language.importsIn(rest)).toEqual(kept);
		expect(tests.replaceAll(importOf("other"), "")).toBe(tests);
		expect(await treeOf(`${nameOf("gone")}\n`)).not.toBeNull();
	});
}
