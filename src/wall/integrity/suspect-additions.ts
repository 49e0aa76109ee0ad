import { basename } from "node:path/posix";
import { shown } from "../../evidence/path-match.ts";
import type { FileChange } from "../../git/file-change.ts";
import { sha256 } from "../../kernel/json.ts";
import { linesIn, type SyntaxNode } from "../../syntax/module-syntax.ts";
import { assertionNames } from "../language/bound-names.ts";
import { languageOf } from "../language/languages.ts";
import type { PlainNames } from "../language/plain-names.ts";
import { type AddedLine, addedLines } from "../reading/added-lines.ts";
import { importedBy } from "../reading/imported.ts";
import { isAside } from "../reading/path-classes.ts";
import type { Sides } from "../reading/sides.ts";
import { isCode, isShell } from "../reading/test-places.ts";
import type { TreePair } from "../reading/tree-pair.ts";
import { edited, type Violation } from "../reading/violation.ts";
import { type GrownFile, specialCases } from "../special-cases/find-special-cases.ts";
import { type Suspicion, type SuspicionRule, suspicion, suspicionWhat } from "../suspicion.ts";
import { ADDITION_RULES, type AdditionRule } from "./addition-rules.ts";
import { reachingLines } from "./disarming-lines.ts";
import { withoutKept } from "./kept-remarks.ts";
import { leftMarkers } from "./left-markers.ts";
import { shownLines } from "./shown-lines.ts";

const ALIAS = /\b(?:const|let|var)\s+(\w+)\s*=\s*(?:await\s+)?(\w+)(?:\s*\.\s*\w+)*\s*(?:;|$)/gm;
const PYTHON_IMPORT = /^[ \t]*import[ \t]+((?:unittest|_?pytest)[\w.]*)[ \t]+as[ \t]+(\w+)/gm;
const PYTHON_FROM = /^[ \t]*from[ \t]+(?:unittest|_?pytest)[\w.]*[ \t]+import[ \t]+\(?([^)\n]+)/gm;

/**
 * Lines that replace a part of an assertion library or of a test runner under a name that the file gives it.
 *
 * @example `import check from "node:assert"` and then `check.equal = () => {}`
 */
function libraryPatches(text: string, lines: readonly AddedLine[]): AddedLine[] {
	const names = namesOfLibraries(text);
	if (names.size === 0) return [];
	const part = String.raw`(?:\s*\.\s*\w+|\s*\[[^\]]+\])+\s*=(?![=>])`;
	const name = `(?:${[...names].map((each) => each.replaceAll("$", String.raw`\$`)).join("|")})`;
	const replaces = new RegExp(
		String.raw`(?<![\w$.])${name}${part}|\b(?:setattr|assign|definePropert(?:y|ies)|set)\s*\(\s*${name}\s*[.,]`,
	);
	return lines.filter((line) => replaces.test(line.text));
}

function namesOfLibraries(text: string): ReadonlySet<string> {
	const names = new Set(assertionNames(text));
	for (const [, , name = ""] of text.matchAll(PYTHON_IMPORT)) names.add(name);
	for (const [, list = ""] of text.matchAll(PYTHON_FROM)) {
		for (const each of list.split(",")) {
			const name = /(\w+)\s*$/.exec(each)?.[1];
			if (name !== undefined) names.add(name);
		}
	}
	for (const [, alias = "", root = ""] of text.matchAll(ALIAS))
		if (names.has(root)) names.add(alias);
	return names;
}

/** Comparisons and conversions that answer the same whatever they are asked, and that assertions ask. */
const CONSTANT: readonly RegExp[] = [
	/\bdef\s+__(?:eq|ne|lt|le|gt|ge|contains|instancecheck)__\s*\([^)\n]*\)[^:\n]*:(?:\s*#[^\n]*)?\s*(?:"""[^"]*"""\s*)?return\s+(?:True|False)\b/g,
	/\b__(?:eq|ne|lt|le|gt|ge|contains)__\s*=\s*lambda\b[^:\n]*:\s*(?:True|False)\b/g,
	/(?:\b(?:asymmetricMatch|equals|isEqual|compareTo)|\[\s*Symbol\.(?:hasInstance|toPrimitive)\s*\])\s*(?:=\s*)?\([^)\n]*\)[^{;\n]*(?:\{\s*return\s+|=>\s*)(?:true|false|0)\b/g,
];

/** A value of the language whose class says itself what it is like, or equal to. */
const ANSWERING =
	/^([ \t]*)class\s+\w+\s*\((?:[^)\n]*[\s,.])?(?:float|int|str|bytes|list|tuple|dict|set|Decimal|Fraction)\s*[,)][^\n]*(?:\n(?:\1[ \t][^\n]*|\r?))*?\n\1[ \t]+(?:async\s+)?def\s+__(?:eq|ne|lt|le|gt|ge|contains|hash|repr|str|format)__[^\n]*/gm;

const MOST = 100;

function constantComparisons(text: string, added: readonly AddedLine[]): AddedLine[] {
	const lineAt = linesIn(text);
	const found = [...CONSTANT, ANSWERING].flatMap((pattern) =>
		[...text.matchAll(pattern)].slice(0, MOST).map(({ index, 0: match }) => {
			return { first: lineAt(index), last: lineAt(index + match.length) };
		}),
	);
	return added.filter(({ number }) =>
		found.some(({ first, last }) => first <= number && number <= last),
	);
}

/** A benchmark, and lines that do nothing but import names of its runner. */
const TAKES_RUNNER =
	/\.bench\.[cm]?[jt]sx?(?:\n\+ import \{(?:\s|,|bench|describe)*\} from "vitest";?)+$/;
/** Code that loads a benchmark in whatever way. */
const LOADS_BENCH = /\.bench\b|\bimport\.meta\.glob\b/;

/** Most changed files that are read. Beyond them, one suspicion says how many were not. */
const MOST_FILES = 2_000;

const LONGEST = 160;

const AROUND = 3;

interface Grown {
	readonly file: GrownFile;
	readonly isProduct: boolean;
}

/** Has null bytes, or is no code and no UTF-8. */
const isBinary = ({ path, text }: Pick<GrownFile, "path" | "text">): boolean =>
	text.includes("\0") || (!isCode(path) && text.includes("\uFFFD"));

export interface Additions {
	readonly violations: readonly Violation[];
	readonly suspicions: readonly Suspicion[];
}

/**
 * Lines that the change adds and that can make work look done: one violation or one suspicion for each kind and file. Lines
 * that moved within a file, or with a file, are not added.
 *
 * @param told what the task says
 */
export async function suspectAdditions(
	pair: TreePair,
	sides: Sides,
	told: readonly string[] = [],
): Promise<Additions> {
	const present = pair.changes.filter(({ kind }) => kind !== "deleted");
	const gone = pair.changes.filter(({ kind }) => kind === "deleted").slice(0, MOST_FILES);
	const moved = (await Promise.all(gone.map(({ path }) => pair.readBase(path)))).join("\n");
	const isTest = (path: string): boolean => sides.tests.has(path) || sides.isTestWhenNew(path);
	const violations: Violation[] = [];
	const suspicions: Suspicion[] = [];
	const grown: Grown[] = [];
	for (const change of present.slice(0, MOST_FILES)) {
		suspicions.push(...toldByName(change));
		const file = await grownFile(pair, change, moved);
		if (file === null) {
			suspicions.push(...unnamed(change));
			continue;
		}
		violations.push(...leftMarkers(file.path, file.added));
		if (isBinary(file)) {
			suspicions.push(...unread(change, file));
			continue;
		}
		const isProduct = isCode(file.path) && !isTest(file.path);
		grown.push({ file, isProduct });
		const hasExamples = isCode(file.path) ? isTest(file.path) : EXAMPLES.test(file.text);
		if (change.kind === "added" && hasExamples) suspicions.push(...reaching(file));
	}
	const product = grown.flatMap(({ file, isProduct }) => (isProduct ? [file] : []));
	const trees = await pair.trees(product);
	const treeOf = new Map(product.map((file, at) => [file, trees[at] ?? null]));
	const code = new Map(product.map((file) => [file.path, file.text]));
	// A benchmark or a script of a release may end its own process, and a benchmark has a runner.
	const isBeside = ({ rule, file, text: lines }: Suspicion): boolean =>
		(rule === "ends_process" &&
			(isAside(file) || (sides.classOf(file, code) !== "product" && !sides.isNamed(file)))) ||
		(rule === "disarms_tests" &&
			TAKES_RUNNER.test(`${file}\n${lines}`) &&
			![...code].some(([other, text]) => other !== file && LOADS_BENCH.test(text)) &&
			sides.testsOf([file]).length === 0);
	for (const { file, isProduct } of grown) {
		const found = additionsIn(file, isProduct, namesOf(file, treeOf.get(file) ?? null));
		violations.push(...found.violations);
		suspicions.push(...found.suspicions.filter((one) => !isBeside(one)));
	}
	const tests = [...sides.tests.keys()];
	const taken = grown.map((one) => taking(one, { pair, tests }));
	const manifest = (await pair.readBase("package.json")) ?? "";
	suspicions.push(...(await Promise.all(taken)).flat(), ...unloaded(grown, sides, manifest));
	const special = await specialCases(pair, {
		product,
		trees,
		tests,
		isTest,
		told: [...told, moved],
	});
	suspicions.push(...special.map(({ file, lines }) => suspected("special_cased", file, lines)));
	const rest = present.slice(MOST_FILES);
	if (rest.length > 0) suspicions.push(notRead(rest));
	return { violations, suspicions };
}

async function grownFile(
	pair: TreePair,
	{ path, kind }: FileChange,
	moved: string,
): Promise<GrownFile | null> {
	const text = await pair.readHead(path);
	if (text === null) return null;
	const base = kind === "added" ? "" : ((await pair.readBase(path)) ?? "");
	return { path, base, text, added: addedLines(`${base}\n${moved}`, text) };
}

/** A file that git and readers take for binary, so that no diff shows what it says; media are meant to be. */
function unread({ kind }: FileChange, { path: file, base, text }: GrownFile): Suspicion[] {
	const wasText = kind !== "added" && !base.includes("\0");
	if (!(isCode(file) || wasText)) return [];
	return [suspicion({ rule: "not_text", file, line: null, text: "it has null bytes" }, [text])];
}

/** Code whose name is no text (see `pathText`), so that it cannot be asked for. */
function unnamed({ path: file, newOid }: FileChange): Suspicion[] {
	if (!(isCode(file) && /\\x[0-9a-f]{2}/.test(file))) return [];
	const text = "its name is not UTF-8";
	return [suspicion({ rule: "unreadable_name", file, line: null, text }, [`${file} ${newOid}`])];
}

/** Suspects a new file by its name alone: a text for a judge, or characters that nobody sees. */
function toldByName({ kind, path: file }: FileChange): Suspicion[] {
	if (kind !== "added") return [];
	const words = { number: 1, text: file.replaceAll(/[-_./\\]+/g, " ") };
	return ADDITION_RULES.filter(
		({ inNames, fires }) =>
			(inNames === "words" && fires(words, file)) ||
			(inNames === "letters" && fires({ number: 1, text: file }, file)),
	).map(({ rule }) => suspicion({ rule, file, line: null, text: `+ ${shown(file)}` }, [file]));
}

/** A document whose examples may be run. */
const EXAMPLES = /^[ \t]*>>> /m;

function reaching(file: GrownFile): Suspicion[] {
	const { path, text } = file;
	// Of a document the examples run.
	const lines = isCode(path)
		? reachingLines(path, text)
		: reachingLines("examples.py", text.replaceAll(/^[ \t]*(?:(?:>>>|\.\.\.) ?)?/gm, ""));
	return lines.length === 0 ? [] : [suspected("reaches_tests", file, lines)];
}

/** Names that tests and what stands beside them share: functions of a shell, fixtures. */
const SHARED = {
	shell: /^[ \t]*(?:function\s+)?([\w-]+)\s*\(\)/gm,
	fixture: /^@(?:pytest\.)?fixture\b[^\n]*\n(?:async\s+)?def\s+(\w+)/gm,
};

const namesIn = (text: string, pattern: RegExp): string[] =>
	[...text.matchAll(pattern)].map(([, name = ""]) => name);

/** Code that gives another meaning to a name of the base's tests: a function of the same shell, a nearer fixture. */
async function taking(
	{ file: { path, text, base, added }, isProduct }: Grown,
	{ pair, tests }: { readonly pair: TreePair; readonly tests: readonly string[] },
): Promise<Suspicion[]> {
	const isOfShell = isProduct && isShell(path);
	if (!isOfShell && !(base === "" && /(?:^|\/)conftest\.py$/.test(path))) return [];
	const pattern = isOfShell ? SHARED.shell : SHARED.fixture;
	const had = new Set(namesIn(base, pattern));
	const own = new Set(namesIn(text, pattern).filter((name) => !had.has(name)));
	const taken: string[] = [];
	for (const test of tests.filter((each) => isShell(each) === isOfShell && isCode(each)))
		taken.push(...namesIn((await pair.readBase(test)) ?? "", pattern));
	const both = taken.filter((name) => own.has(name));
	const lines = added.filter((line) =>
		both.some((name) => new RegExp(String.raw`(?<![\w-])${name}\s*\(`).test(line.text)),
	);
	return lines.length === 0 ? [] : [suspected("name_taken", { path, text }, lines)];
}

/** A word by which a command asks for a measure of coverage. */
const MEASURES = /\bcov(?:erage)?\b/i;

/** New code that no test leads to: a measure that counts what is loaded never hears of it. */
function unloaded(grown: readonly Grown[], sides: Sides, manifest: string): Suspicion[] {
	if (![...sides.words].some((word) => MEASURES.test(word))) return [];
	const texts = new Map(grown.map(({ file }) => [file.path, file.text]));
	const tree = {
		files: new Set(texts.keys()),
		texts: new Map(texts).set("package.json", manifest),
	};
	const isLeading = ({ file: { path }, isProduct }: Grown): boolean =>
		!isProduct || sides.testsOf([path]).length > 0;
	const loaded = new Set(grown.filter(isLeading).map(({ file }) => file.path));
	for (const path of loaded) for (const target of importedBy(path, tree)) loaded.add(target);
	const told = grown.flatMap(({ file, isProduct }) => (isProduct ? [] : [file.text])).join("\n");
	return grown.flatMap(({ file, isProduct }) => {
		const { path, base, added } = file;
		const isRead = languageOf(path) !== null;
		const isNew = isProduct && base === "" && isRead && added.length > 0;
		return isNew && !loaded.has(path) && !told.includes(basename(path))
			? [suspected("unmeasured", file, added.slice(0, 1))]
			: [];
	});
}

/** The names of a module as they would be without a disguise; null for other languages. */
function namesOf({ path, text }: GrownFile, tree: SyntaxNode | null): PlainNames | null {
	return tree === null ? null : (languageOf(path)?.plainNames(tree, text) ?? null);
}

function additionsIn(file: GrownFile, isProduct: boolean, names: PlainNames | null): Additions {
	const { path, added } = file;
	const violations: Violation[] = [];
	const suspicions: Suspicion[] = [];
	const plain = plainLines(added, names);
	const parts = new Map(
		added.map((line, at) => [line, [line, ...(plain[at] ?? [])].flatMap(windowsOf)]),
	);
	/** The lines of which some window is what a rule looks for. */
	const where = (fires: AdditionRule["fires"]): AddedLine[] =>
		added.filter((line) => parts.get(line)?.some((part) => fires(part, path)));
	for (const { rule, where: place, fires, certain: blocks, isRemark } of ADDITION_RULES) {
		if (!isProduct && place === "product") continue;
		const more = rule === "disarms_tests" ? disarming(file, names, plain.flat()) : NOTHING;
		const certain = [...(blocks === undefined ? [] : where(blocks)), ...more.certain];
		const told = where(fires);
		const lines = [...(isRemark ? withoutKept(file, told, fires) : told), ...more.lines];
		if (certain.length > 0) violations.push(certainly(rule, path, certain));
		else if (lines.length > 0) suspicions.push(suspected(rule, file, lines));
	}
	return { violations, suspicions };
}

const NOTHING = { certain: [], lines: [] } as const;

function disarming(
	{ text, added }: GrownFile,
	names: PlainNames | null,
	plain: readonly AddedLine[],
): { readonly certain: readonly AddedLine[]; readonly lines: readonly AddedLine[] } {
	const patches = [
		...libraryPatches(text, added),
		...(names === null ? [] : libraryPatches(names.text, plain)),
	];
	const unknown = added.filter(({ number }) => names?.unknown.has(number));
	return { certain: patches, lines: [...constantComparisons(text, added), ...unknown] };
}

function plainLines(added: readonly AddedLine[], names: PlainNames | null): AddedLine[][] {
	if (names === null) return [];
	const lines = names.text.split(/\r?\n/);
	return added.map(({ number, text: written }) => {
		const text = (lines[number - 1] ?? written).replaceAll(/^[ \t]+|[ \t]+$/g, "");
		return text === written ? [] : [{ number, text }];
	});
}

/** Length of line that a rule is tried on at once, and that of the overlap: patterns cost its square. */
const WINDOW = 4_000;
const OVERLAP = 500;

function windowsOf(line: AddedLine): readonly AddedLine[] {
	const { number, text } = line;
	if (text.length <= WINDOW) return [line];
	const count = Math.ceil(text.length / (WINDOW - OVERLAP));
	return Array.from({ length: count }, (_none, at) => {
		const from = at * (WINDOW - OVERLAP);
		return { number, text: text.slice(from, from + WINDOW) };
	});
}

function certainly(rule: SuspicionRule, path: string, lines: readonly AddedLine[]): Violation {
	const [first] = lines;
	const text = shown((first?.text ?? "").slice(0, LONGEST));
	return edited(path, `line ${first?.number ?? 1}: ${suspicionWhat(rule)}: ${text}; remove it`);
}

function suspected(
	rule: SuspicionRule,
	{ path: file, text: head }: Pick<GrownFile, "path" | "text">,
	lines: readonly AddedLine[],
): Suspicion {
	const all = head.split(/\r?\n/);
	const around = lines.flatMap(({ number }) => [
		...all.slice(Math.max(0, number - 1 - AROUND), number + AROUND),
		"",
	]);
	const text = shownLines("+", lines).join("\n");
	return suspicion({ rule, file, line: lines[0]?.number ?? null, text }, around);
}

function notRead(changes: readonly FileChange[]): Suspicion {
	const all = changes.map(({ path, newOid }) => `${path} ${newOid}`);
	const digest = sha256(all.join("\n")).slice(0, 8);
	const text = `${changes.length} more changed files, of which nobody read the added lines (${digest})`;
	return suspicion({ rule: "not_read", file: changes[0]?.path ?? "", line: null, text }, all);
}
