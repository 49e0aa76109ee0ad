import type { SyntaxNode } from "../../syntax/module-syntax.ts";
import type { NamedFate } from "../integrity/excuses.ts";
import type { Language, TestPart } from "../language/language.ts";
import { importedNames, languageOf, placesOf } from "../language/languages.ts";
import { isIn, replaced } from "../language/splice.ts";
import { unspaced } from "../language/test-names.ts";

export interface AllowedFile {
	readonly path: string;
	readonly base: string;
	readonly head: string;
	readonly trees: readonly [SyntaxNode | null, SyntaxNode | null];
	/** Text of a file of the player's; null where there is none. */
	readonly readHead: (path: string) => Promise<string | null>;
	/** Where only skipped tests may go, what is known of these; null: those whose lines changed may go. */
	readonly skipped: KnownSkips | null;
}

/** Fates of the cases of a file in a run by their names, or, where it names none, how many of all were skipped. */
export type KnownSkips =
	| { readonly fatesOf: (names: readonly string[]) => (name: string) => NamedFate }
	| { readonly count: number };

/** Changes of a test file that an allowance excuses. */
export interface OwnChanges {
	/**
	 * Names of the base's cases of which the lines changed or are gone, or that use a helper or an import of which they did;
	 * without those that another case has as well.
	 */
	readonly names: readonly string[];
	/** Names of its other cases. */
	readonly others: readonly string[];
	/** By name, how many cases stand empty. */
	readonly emptied: ReadonlyMap<string, number>;
	/** The base's text in which these cases are empty, and in which nothing is imported that the product has no longer. */
	readonly text: string;
}

/** Finds what an allowed change of a test file excuses, by its syntax trees; null where they show no cases. */
export async function ownChanges(file: AllowedFile): Promise<OwnChanges | null> {
	const { path, base, head, trees, skipped } = file;
	const [before, after] = trees;
	const language = languageOf(path);
	if (before === null || after === null || language === null) return null;
	const parts = language.testsIn(before, base);
	const now = language.testsIn(after, head);
	const kept = new Set(now.map(keyOf));
	const changed = new Set(parts.filter((part) => !kept.has(keyOf(part))));
	const gone = await goneImports(file);
	const uses = usersOf(parts, [...gone, ...[...changed].filter(({ kind }) => kind === "helper")]);
	const isTouched = (part: TestPart): boolean => changed.has(part) || uses(part);
	const cases = parts.filter(({ kind }) => kind === "case");
	if (cases.length === 0) return null;
	const isHooked = parts.some((part) => part.kind === "hook" && isTouched(part));
	const isOther = (part: TestPart): boolean => isHooked || isTouched(part);
	const isSame = () => frameOf(language, before, base) === frameOf(language, after, head);
	const frame = { isSame, isOther };
	const looksSkipped = (part: TestPart): boolean =>
		now.some(({ name, text }) => name === part.name && /skip/i.test(text));
	const touched =
		skipped === null
			? cases.filter(isOther)
			: "count" in skipped
				? skippedByCount(cases.filter(looksSkipped), skipped.count, frame)
				: skippedByName(cases, skipped.fatesOf, frame);
	// With the body of a case those go that it holds.
	const excused = cases.filter((part) => touched.some(({ span }) => isIn(part.span, span)));
	const bodies = touched.flatMap(({ body }) => (body === null ? [] : [body]));
	const emptied = replaced(base, bodies, language.without.body);
	const others = cases.filter((part) => !excused.includes(part)).map(({ name }) => name);
	const counts = [...Map.groupBy(touched, ({ name }) => name)].map(
		([name, same]) => [name, same.length] as const,
	);
	return {
		// One that is merely empty passes; its name does not excuse another one's failure.
		names: excused.flatMap(({ name }) => (others.includes(name) ? [] : [name])),
		others,
		emptied: new Map(counts),
		text: withoutImports(language, emptied, gone),
	};
}

interface Frame {
	/** Tells whether all but the cases is as it was: what is not may skip cases that were not changed. */
	readonly isSame: () => boolean;
	/** Tells of a case whether it was changed. */
	readonly isOther: (part: TestPart) => boolean;
}

/**
 * The cases that a run skips. Of several with one name, of which it skips some, those that were changed are meant, where
 * they are no more than that: a changed one that runs has to hold.
 */
function skippedByName(
	cases: readonly TestPart[],
	fatesOf: (names: readonly string[]) => (name: string) => NamedFate,
	{ isSame, isOther }: Frame,
): readonly TestPart[] {
	const fateOf = fatesOf(cases.map(({ name }) => name));
	return cases.filter((part) => {
		const { total, skipped } = fateOf(part.name);
		if (skipped === total) return total > 0;
		const same = cases.filter(({ name }) => name === part.name);
		const isKnown = same.length === total && same.filter(isOther).length <= skipped;
		return isKnown && isOther(part) && isSame();
	});
}

/** Of a run without names those that were changed and say that they are skipped, where it skips as many. */
function skippedByCount(
	said: readonly TestPart[],
	count: number,
	{ isSame, isOther }: Frame,
): readonly TestPart[] {
	const found = said.filter(isOther);
	return found.length <= count && isSame() ? found : [];
}

/** A file without its cases: groups, helpers, imports. */
function frameOf(language: Language, tree: SyntaxNode, text: string): string {
	const cases = language.testsIn(tree, text).filter(({ kind }) => kind === "case");
	const spans = cases.map(({ span }) => span);
	return unspaced(replaced(text, spans, ""));
}

/**
 * A test file without these cases; null where its tree does not show each of them once, or shows no other.
 *
 * @param names titles as the file spells them
 */
export function withoutCases(
	{ path, text, tree }: { readonly path: string; readonly text: string; readonly tree: SyntaxNode },
	names: readonly string[],
): string | null {
	const cases = (languageOf(path)?.testsIn(tree, text) ?? []).filter(({ kind }) => kind === "case");
	const gone = names.map((name) => cases.filter((each) => each.name === name));
	if (gone.some(({ length }) => length !== 1)) return null;
	const spans = gone.flat().map(({ span }) => span);
	const rest = cases.filter(({ span }) => !spans.some((outer) => isIn(span, outer)));
	// A group is no test of its own.
	const isTest = ({ span }: TestPart) =>
		!cases.some((one) => one.span !== span && isIn(one.span, span));
	return rest.some(isTest) ? replaced(text, spans, "") : null;
}

/** Tells what uses one of these names, also by way of a helper. */
function usersOf(
	parts: readonly TestPart[],
	changed: readonly { readonly name: string }[],
): (part: TestPart) => boolean {
	const names = new Set(changed.map(({ name }) => name));
	const uses = ({ text }: TestPart): boolean =>
		(text.match(/[\w$]+/g) ?? []).some((word) => names.has(word));
	const helpers = parts.filter(({ kind }) => kind === "helper");
	for (let size = -1; size !== names.size; ) {
		size = names.size;
		for (const helper of helpers) if (uses(helper)) names.add(helper.name);
	}
	return uses;
}

const keyOf = ({ kind, name, text }: TestPart): string => `${kind} ${name}\n${unspaced(text)}`;

/** A name that the base's tests take from a module of the project that no longer has it. */
interface GoneImport {
	readonly name: string;
	readonly module: string;
	readonly isWhole: boolean;
}

async function goneImports({ path, base, head, readHead }: AllowedFile): Promise<GoneImport[]> {
	const still = new Set(importedNames(path, head).map(({ name, module }) => `${module} ${name}`));
	const found: GoneImport[] = [];
	for (const { name, module } of importedNames(path, base)) {
		if (still.has(`${module} ${name}`)) continue;
		const texts = await Promise.all(placesOf(path, module).map(readHead));
		const text = texts.find((each) => each !== null) ?? null;
		const isOwn = module.startsWith(".") || text !== null;
		if (!isOwn) continue;
		if (text === null || !offers(text, name)) found.push({ name, module, isWhole: text === null });
	}
	return found;
}

function offers(text: string, name: string): boolean {
	const declares = new RegExp(
		`\\b(?:function\\s*\\*?|class|const|let|var|def|as|type|interface|enum)\\s+${name}\\b|^${name}\\s*[:=]|(?:export|import)[^;'"]*\\b${name}\\b`,
		"m",
	);
	return /\b(?:export|import)\s*\*/.test(text) || declares.test(text);
}

/** The text with undefined names for what cannot be imported; only cases that are empty use them. */
function withoutImports({ without }: Language, text: string, gone: readonly GoneImport[]): string {
	const list = gone.map(({ name }) => name).filter((name, at, all) => all.indexOf(name) === at);
	if (list.length === 0) return text;
	const cut = gone.reduce((now, { name, module, isWhole }) => {
		return now.replaceAll(without.importOf(RegExp.escape(module)), (statement) =>
			isWhole
				? ""
				: statement
						.replace(new RegExp(`(?:\\w+\\s+as\\s+)?\\b${name}\\b\\s*,?`), "")
						// Python allows no comma at the end of a list without brackets.
						.replace(/,\s*$/, ""),
		);
	}, text);
	// A list of names of which none is left.
	const tidy = cut.replaceAll(/^from[ \t]+[\w.]+[ \t]+import[ \t]*(?:\([\s,]*\))?[ \t]*$/gm, "");
	return `${tidy}\n${list.map(without.nameOf).join("\n")}\n`;
}
