import type { SyntaxNode } from "../../syntax/module-syntax.ts";
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
	/** Where only skipped tests may go, tells of a case whether it is one; null: those whose lines changed may. */
	readonly isSkipped: ((name: string) => boolean) | null;
}

/** Changes of a test file that an allowance excuses. */
export interface OwnChanges {
	/** Names of the base's cases of which the lines changed or are gone, or that use a helper or an import of which they did. */
	readonly cases: readonly string[];
	/** The base's text in which these cases are empty, and in which nothing is imported that the product has no longer. */
	readonly text: string;
}

/** Finds what an allowed change of a test file excuses, by its syntax trees; null where they show no cases. */
export async function ownChanges(file: AllowedFile): Promise<OwnChanges | null> {
	const { path, base, head, trees, isSkipped } = file;
	const [before, after] = trees;
	const language = languageOf(path);
	if (before === null || after === null || language === null) return null;
	const parts = language.testsIn(before, base);
	const kept = new Set(language.testsIn(after, head).map(keyOf));
	const changed = new Set(parts.filter((part) => !kept.has(keyOf(part))));
	const gone = await goneImports(file);
	const uses = usersOf(parts, [...gone, ...[...changed].filter(({ kind }) => kind === "helper")]);
	const isTouched = (part: TestPart): boolean => changed.has(part) || uses(part);
	const cases = parts.filter(({ kind }) => kind === "case");
	if (cases.length === 0) return null;
	const isHooked = parts.some((part) => part.kind === "hook" && isTouched(part));
	const touched = cases.filter((part) =>
		isSkipped === null ? isHooked || isTouched(part) : isSkipped(part.name),
	);
	// With the body of a case those go that it holds.
	const excused = cases.filter((part) => touched.some(({ span }) => isIn(part.span, span)));
	const bodies = touched.flatMap(({ body }) => (body === null ? [] : [body]));
	const emptied = replaced(base, bodies, language.without.body);
	const bound = new Set(cases.filter((part) => !excused.includes(part)).map(({ name }) => name));
	// One that is merely empty passes; its name does not excuse another one's failure.
	const isPlain = (part: TestPart): boolean => touched.includes(part) && !(isHooked || uses(part));
	const lost = excused.filter((part) => !(bound.has(part.name) && isPlain(part)));
	return { cases: lost.map(({ name }) => name), text: withoutImports(language, emptied, gone) };
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
		const quoted = module.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
		return now.replaceAll(without.importOf(quoted), (statement) =>
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
