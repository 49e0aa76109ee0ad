import { changesBetween, textReader } from "../../git/changes.ts";
import type { TestPart } from "../../wall/language/language.ts";
import { languageOf, treeReader } from "../../wall/language/languages.ts";
import type { Sides } from "../../wall/reading/sides.ts";
import { goneWords } from "../../wall/replay/gone-words.ts";
import type { ChangedTest } from "../../wall/replay/otherwise.ts";
import type { Stand } from "../stand.ts";
import { pythonRunner } from "../syntax-runner.ts";

/** Files of the base's tests that the work changed, and those that it deleted together with what they tested. */
export async function changedTests(
	ground: Stand,
	{ commit, start }: { readonly commit: string; readonly start: string },
	{ tests }: Pick<Sides, "tests">,
): Promise<readonly ChangedTest[]> {
	const { vault } = ground;
	const changes = await changesBetween(vault, start, commit);
	const old = changes.filter(({ path, kind }) => {
		const reason = tests.get(path);
		const isOpen = kind === "modified" || kind === "deleted";
		return isOpen && reason !== undefined && reason !== "command";
	});
	if (old.length === 0) return [];
	const readBase = textReader(vault, start, { changes, side: "old" });
	const readHead = textReader(vault, commit, { changes, side: "new" });
	const product = changes.filter(({ path }) => !tests.has(path));
	const isGone = await goneWords(product, { readBase, readHead });
	const found: ChangedTest[] = [];
	for (const { path, kind } of old) {
		const [text, head] = [(await readBase(path)) ?? "", (await readHead(path)) ?? ""];
		if (kind === "deleted" && !isGone(text)) continue;
		const gone = kind === "deleted" ? [] : await goneCases(ground, { path, text, head });
		const names = gone.filter((part) => isGone(part.text)).map(({ name }) => name);
		found.push({ path, text, gone: names, isGone: kind === "deleted" });
	}
	return found;
}

/** Cases of the base's file whose names its new text no longer has. */
async function goneCases(
	ground: Stand,
	{ path, text, head }: { readonly path: string; readonly text: string; readonly head: string },
): Promise<readonly TestPart[]> {
	const language = languageOf(path);
	if (language === null) return [];
	const read = treeReader(pythonRunner(ground));
	const [before = null, after = null] = await read(
		[text, head].map((one) => ({ path, text: one })),
	);
	if (before === null || after === null) return [];
	const kept = new Set(language.testsIn(after, head).map(({ name }) => name));
	return language
		.testsIn(before, text)
		.filter(({ kind, name }) => kind === "case" && !kept.has(name));
}
