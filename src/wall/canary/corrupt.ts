import { linesIn, type SyntaxNode } from "../../syntax/module-syntax.ts";
import type { SourceText } from "../language/language.ts";
import { languageOf } from "../language/languages.ts";
import { type Splice, spliced } from "../language/splice.ts";
import { isCode } from "../reading/test-places.ts";

/** An expected value of the tests, and a wrong one in its place. */
export interface WrongValue {
	readonly path: string;
	/** From 1. */
	readonly line: number;
	readonly splice: Splice;
}

type Read = SourceText & { readonly tree: SyntaxNode | null };

/**
 * Wrong values for all that the tests expect: by syntax tree where there is one, else for comparisons in lines of code,
 * and for lines of data.
 *
 * @param files on the tests' side
 * @param mayBeData whether data may be changed; what only a command reads may be no expected value
 */
export function corruptions(files: readonly Read[], mayBeData: boolean): WrongValue[] {
	return files
		.filter(({ path, text }) => isCode(path) || (mayBeData && !isList(path, text)))
		.flatMap((file) => {
			const lineOf = linesIn(file.text);
			const { path } = file;
			return splicesIn(file).map((splice) => ({ path, line: lineOf(splice.start), splice }));
		})
		.slice(0, MAX);
}

/** Files of the tests with some of their wrong values. */
export function corrupted(
	values: readonly WrongValue[],
	texts: ReadonlyMap<string, string>,
): Pick<SourceText, "path" | "text">[] {
	return [...Map.groupBy(values, ({ path }) => path)].map(([path, own]) => {
		const splices = own.map(({ splice }) => splice);
		return { path, text: spliced(texts.get(path) ?? "", splices) };
	});
}

const MAX = 500;

function splicesIn({ path, text, tree }: Read): readonly Splice[] {
	const language = tree === null ? null : languageOf(path);
	if (tree !== null && language !== null) return language.wrongValues(tree, text);
	let at = 0;
	return text.split("\n").flatMap((line) => {
		const start = at;
		at += line.length + 1;
		const other = isCode(path) ? wrongInCode(line) : wrongInData(line);
		return other === undefined ? [] : [{ start, end: start + line.length, text: other }];
	});
}

/** Tells whether a file is a list of names, such as those of suites: a wrong one keeps tests from running at all. */
function isList(path: string, text: string): boolean {
	const lines = text.split("\n").filter((line) => line.trim() !== "");
	const isNames =
		lines.length > 1 && lines.every((line) => /^[\w./-]*[A-Za-z][\w./-]*$/.test(line.trim()));
	return isNames || /\.(?:list|lst|mk)$|(?:^|\/)(?:GNUm|M|m)akefile$/.test(path);
}

/** Lines of a text file that hold data: the last letter or digit becomes another one. */
function wrongInData(line: string): string | undefined {
	const at = /[\p{L}\p{N}](?=[^\p{L}\p{N}]*$)/u.exec(line)?.index;
	// A broken word of JSON or YAML keeps the whole file from being read.
	if (at === undefined || line.startsWith("#") || /\b(?:true|false|null)\W*$/.test(line))
		return undefined;
	return `${line.slice(0, at)}${line[at] === "7" ? "8" : "7"}${line.slice(at + 1)}`;
}

const COMPARES =
	/\b(?:assert\w*|expect\w*|equal\w*|same|check\w*|should|is|eq|test|diff)\b|===|==|!=|\[ .* = |-eq\b|-ne\b/i;
const ROW = /^[^\p{L}\p{N}]*(?:["'`][^"'`]*["'`]|-?\d[\d.]*)[^\p{L}\p{N}]+(?:["'`]|-?\d)/u;
const SKIPPED = /^\s*(?:import|from|use|using|package|#|\/\/|\*|\/\*|@)|^\s*$/;
/** Lines that declare a test, and assertions that hold for all but one value. */
const NAMES_OR_DENIES =
	/^\s*(?:describe|context|it|specify|scenario|feature|func|def|class)\b(?!\s*=)|^\s*test\s+["']|\.Run\(|\bnot_|_not\b|[a-z]Not[A-Z]|refute|\bnot\b/;
const OPERATOR = /[!=]==?|\[ .* = |-eq\b|-ne\b/;
const TELLS =
	/\|\||&&|\b(?:console|print\w*|echo|throw|raise|exit\w*|log|import|read\w*|open|URL)\b/;

function wrongInCode(line: string): string | undefined {
	if (SKIPPED.test(line) || NAMES_OR_DENIES.test(line)) return undefined;
	const tells = TELLS.exec(line)?.index;
	if (tells === undefined)
		return COMPARES.test(withoutTexts(line)) || ROW.test(line) ? wrongLiteral(line) : undefined;
	// What it compares before it tells: `[ "$(sh mean.sh)" = 2 ] || exit 1`
	const compared = wrongLiteral(line.slice(0, tells));
	const isCompared = compared !== undefined && OPERATOR.test(line.slice(0, tells));
	return isCompared ? compared + line.slice(tells) : undefined;
}

/** A word of a text, such as a path, compares nothing: `touch "$dir/checking"`. */
const withoutTexts = (line: string): string =>
	line.replace(LITERALS, (whole) => (/^["']/.test(whole) ? '""' : whole));

const LITERALS = /"([^"\\\n]+)"|'([^'\\\n]+)'|(?<![\w.])\d+(?:\.\d+)?(?![\w.])/g;

/** A line with another value in the place of its last one, which is no message; undefined for a line without one. */
function wrongLiteral(line: string): string | undefined {
	// A text that something is added to is a name or a message.
	const found = [...line.matchAll(LITERALS)].filter(
		({ index, 0: whole }) => !/^\s*\+/.test(line.slice(index + whole.length)),
	);
	const isMessage = (at: number): boolean =>
		!OPERATOR.test(line) && found.length > 2 && /\s/.test(found.at(at)?.[0] ?? "");
	const last = found.at(isMessage(-1) ? -2 : -1);
	if (last === undefined) return undefined;
	const [whole] = last;
	const quote = /^["']/.exec(whole)?.[0];
	const other = quote === undefined ? String(Number(whole) + 1) : `${whole.slice(0, -1)}~${quote}`;
	return line.slice(0, last.index) + other + line.slice(last.index + whole.length);
}
