import { isFields, jsonIn } from "../../kernel/fields.ts";
import { boundBy, changedBy } from "../language/bound-names.ts";
import { importedNames } from "../language/languages.ts";
import { depthOf } from "../reading/added-lines.ts";
import { isCode, isReadWell } from "../reading/test-places.ts";
import { actingLines, additionsTo, type TextPair } from "./acting-lines.ts";
import { isSubsequence, type Line } from "./vanished.ts";

/** Code that puts something else in the place of what is tested. */
export const STANDS_IN =
	/\b(?:vi|jest|mock|sinon|td)\.(?:(?:do[Mm]|m)ock|stub|spyOn|module|method|getter|replace)\b|\bmonkeypatch\b|\bpatch\s*[(.]|\bsetattr\s*\(|\bautouse\b|\bhookimpl\b|\.prototype\b|\bdefinePropert(?:y|ies)\s*\(|\bReflect\.set\b/;

/** Code that can disarm the tests around it; an annotation that only declares a test is none. */
const DISARMING = new RegExp(
	`${STANDS_IN.source}|${
		/\breturn;?\s*$|^(?:continue|break)\b|^@(?!(?:Parameterized)?Test$|test ["'])\w|\b(?:vi|jest|mock|sinon|td)\.fn\b|\btry\b|\bcatch\b|\bexcept\b|\bfinally\b|process\.(?:exit|on)\b|\bos\._exit\b|\bsys\.(?:exit|modules)\b|\bexpect\.extend\b|\buseFakeTimers\b|\bretry\b|\btimeout\b|\b(?:assert|expect)\w*\s*=|\b(?:function|def)\s+(?:assert|expect)|\bdef\s+(?:pytest_\w+|load_tests)\b/
			.source
	}`,
);

/** Code of a new test by which it acts on those beside it. */
const REACHES = /\b(?:vi|jest)\.(?:(?:do)?[mM]ock|spyOn)\b|\bautouse\b|\bhookimpl\b/;

/**
 * A call that is given a thing and the name of one of its parts, and does something with it that lasts.
 *
 * @example `mock.getter(Limiter.prototype, "tokens", () => 2)`
 */
const PART_BY_NAME =
	/(?<![\w$.])(?!(?:[\w$]{1,80}\.){0,6}(?:assert|expect|equal|is|same|deep|match|include)\w*\()[\w$]{1,80}(?:\.[\w$]{1,80}){1,6}\(\s{0,9}([A-Za-z_$][\w$]{0,80})(?:\.[\w$]{1,80}){0,4}\s{0,9},\s{0,9}["'`][\w$]{1,80}["'`]\s{0,9}[,)]/gi;

/** Names of numbers that say how far values may differ. */
const TOLERANCE = /toleran|epsilon|(?:^|_)eps(?:$|_)|delta|max_?(?:diff|error|deviation)/i;

/** The head of a block that may not run. */
const CONDITION =
	/^[}\s]*(?:else\b|elif\b|if\b|for\b|while\b|unless\b|until\b|switch\b|match\b|case\b|when\b)|(?:&&|\|\||\?)$/;

/**
 * Added lines that can make lines of the base notice less although those stay as they are: the head of a block around
 * them, another meaning or value of a name that they use, a part of the product that is set, a tolerance.
 *
 * @param told the lines that the change added
 */
export function disarmingLines(
	told: readonly Line[],
	{ path, base, head }: TextPair,
): readonly Line[] {
	const names = namesOfFile(path, base);
	const imported = new Set(importedNames(path, head).map(({ name }) => name));
	const handsOver = ({ text }: Line): boolean =>
		[...text.matchAll(PART_BY_NAME)].some(([, name = ""]) => imported.has(name));
	const texts = head.split(/\r?\n/);
	const before = base.split(/\r?\n/);
	const inserted = additionsTo(before, texts);
	// Where lines of the base moved, nobody can tell which ones are new.
	const isNew = inserted.filter(Boolean).length === texts.length - before.length ? inserted : [];
	const fresh = placed(told, texts, isNew);
	// Also one that stands elsewhere in the base too.
	const isFresh = new Set(fresh.map(({ number }) => number));
	for (const [at, isOne] of isNew.entries()) if (isOne) isFresh.add(at + 1);
	const isAroundKept = ({ number, text }: Line): boolean => {
		if (!CONDITION.test(text)) return false;
		const next = texts.findIndex((line, at) => at >= number && /[\p{L}\p{N}]/u.test(line));
		return next >= 0 && !isFresh.has(next + 1);
	};
	const isRead = isReadWell(path);
	const added = new Set(fresh.map(({ text }) => text));
	const acting = isCode(path)
		? actingLines(added, { path, base, head })
		: actingRows(path, base, head);
	const found = fresh.filter((line) => {
		const bound = boundBy(line.text);
		const changed = changedBy(line.text);
		return (
			(isRead ? REACHES : DISARMING).test(line.text) ||
			(!isRead && isAroundKept(line)) ||
			(isRead && handsOver(line)) ||
			bound.some((name) => names.has(name) || TOLERANCE.test(name)) ||
			(changed !== null && imported.has(changed) && !IN_TESTS.test(line.text)) ||
			isOfKept(changed ?? ASSIGNED.exec(line.text)?.[1], { at: line.number - 1, texts, isFresh })
		);
	});
	const known = new Set(found.map(({ number }) => number));
	const all = [...found, ...acting.filter(({ number }) => !known.has(number))];
	return all.toSorted((one, other) => one.number - other.number);
}

/** Of several lines of one text those that were added, by the order of all. */
function placed(
	lines: readonly Line[],
	texts: readonly string[],
	isNew: readonly boolean[],
): readonly Line[] {
	const taken = new Set(lines.map(({ number }) => number));
	return lines.map((line) => {
		if (isNew[line.number - 1]) return line;
		const at = texts.findIndex(
			(text, one) => isNew[one] && !taken.has(one + 1) && text.trim() === line.text,
		);
		if (at < 0) return line;
		taken.add(at + 1);
		return { ...line, number: at + 1 };
	});
}

const ASSIGNED = /^([\w$]+)\s*=(?![=>])/;

interface Place {
	readonly at: number;
	readonly texts: readonly string[];
	readonly isFresh: ReadonlySet<number>;
}

/** Number of lines above that are looked at; no test is longer. */
const FARTHEST = 300;

function isOfKept(name: string | undefined, { at, texts, isFresh }: Place): boolean {
	if (name === undefined) return false;
	let depth = depthOf(texts[at] ?? "");
	for (let above = at - 1; above >= Math.max(0, at - FARTHEST); above -= 1) {
		const text = texts[above] ?? "";
		// A brace alone opens a block that runs with what is around it.
		if (!/[\p{L}\p{N}]/u.test(text) || depthOf(text) > depth) continue;
		if (text.match(/[\w$]+/g)?.includes(name) === true) return !isFresh.has(above + 1);
		if (depthOf(text) === depth) continue;
		if (isFresh.has(above + 1)) return false;
		depth = depthOf(text);
	}
	return false;
}

const IN_TESTS = /^(?:process\s*\.\s*env|os\s*\.\s*environ)\b/;

const HOOKS = /\bautouse\s*=\s*True\b|\bhookimpl\b|\bdef\s+pytest_\w+|\bdef\s+load_tests\b/;

/**
 * Lines of a new file on the tests' side that act on the tests beside it: what it sets of an imported module as soon as it
 * is loaded, and hooks.
 */
export function reachingLines(path: string, text: string): Line[] {
	const imported = new Set(importedNames(path, text).map(({ name }) => name));
	return text.split(/\r?\n/).flatMap((line, at) => {
		const changed = changedBy(line);
		const sets = changed !== null && imported.has(changed) && !IN_TESTS.test(line);
		return sets || HOOKS.test(line) ? [{ number: at + 1, text: line.trim() }] : [];
	});
}

/**
 * Added lines of data by which what was there may be read otherwise: a value of JSON that no longer stands at its place, or
 * twice; a row whose quotation marks do not end; a line that goes on in one that stays.
 */
function actingRows(path: string, base: string, head: string): Line[] {
	const [before, after] = [base.split(/\r?\n/), head.split(/\r?\n/)];
	const had = new Set(before);
	const isJson = /\.json$/i.test(path);
	const isOther = isJson && !holdsAll(base, head);
	return after.flatMap((text, at) => {
		if (had.has(text) || text.trim() === "") return [];
		const goesOn = text.endsWith("\\") && had.has(after[at + 1] ?? "");
		const isOpen = !isJson && (text.split('"').length - 1) % 2 === 1 && ROWS.test(path);
		return isOther || goesOn || isOpen ? [{ number: at + 1, text: text.trim() }] : [];
	});
}

const ROWS = /\.(?:[ct]sv|tab|psv|dsv)$/i;

/** Tells whether a text of JSON has all that another has, and no key twice. */
function holdsAll(base: string, head: string): boolean {
	const [old, fresh] = [base, head].map((text) => (isDeep(text) ? undefined : jsonIn(text)));
	if (old === undefined || fresh === undefined) return old === fresh;
	const keys = [...head.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?/g)].filter(
		([, sign]) => sign !== undefined,
	);
	return keys.length === keysIn(fresh) && isWithin(old, fresh);
}

const DEEPEST = 500;

function isDeep(text: string): boolean {
	let depth = 0;
	for (const [sign] of text.matchAll(/[[\]{}]/g)) {
		depth += sign === "[" || sign === "{" ? 1 : -1;
		if (depth > DEEPEST) return true;
	}
	return false;
}

function isWithin(old: unknown, fresh: unknown): boolean {
	if (Array.isArray(old)) {
		return Array.isArray(fresh) && isSubsequence<unknown>(old, fresh, isWithin);
	}
	if (!isFields(old)) return old === fresh;
	return isFields(fresh) && Object.keys(old).every((key) => isWithin(old[key], fresh[key]));
}

function keysIn(value: unknown): number {
	if (typeof value !== "object" || value === null) return 0;
	const parts = Object.values(value);
	const own = Array.isArray(value) ? 0 : parts.length;
	return parts.reduce<number>((sum, part) => sum + keysIn(part), own);
}

const DECLARED = [
	/^(?:export\s+)?(?:const|let|var|class|def|(?:async\s+)?(?:function\s*\*?|def))\s+([\w$]+)/gm,
	/^(?:function\s+)?([\w-]+)\s*\(\)\s*\{/gm,
];

/** The names that hold in a whole file: those that it imports, and those that it declares outside of any block. */
function namesOfFile(file: string, text: string): ReadonlySet<string> {
	const declared = DECLARED.flatMap((pattern) =>
		[...text.matchAll(pattern)].map(([, name = ""]) => name),
	);
	return new Set([...importedNames(file, text).map(({ name }) => name), ...declared]);
}
