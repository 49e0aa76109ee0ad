import { spliced } from "../language/splice.ts";
import { isCode } from "../reading/test-places.ts";

/** A way in which values of the tests become others that are near to them. */
interface NearValues {
	/** Ends a sentence: `"with longer numbers"`. */
	readonly told: string;
	readonly change: (text: string, isData: boolean) => string;
}

const QUOTED = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`[^`\\$]*`/g;
const NUMBER = /(?<![\w.$]|\d[eE][-+])\d[\d_]*(?:\.\d+)?(?![\w.])/g;
const LIST = /\[([^[\]{}()\n]{0,300},[^[\]{}()\n]{0,300})\]/g;
/** Paths, names of files and encodings: with another one a test reads nothing. */
const IS_NAME = /\/|^(?!\d*\.\d+$)\w*\.\w+$|^utf-?8$/i;
/** Characters before a value that say what it is. */
const NEARBY = 40;
const IMPORTS = /(?:\bfrom|\bimport|\brequire\(|\bimport\()\s*$/;

/** Changes what stands in quotes, escapes as they are; of data every line. */
const inTexts =
	(change: (part: string) => string): NearValues["change"] =>
	(text, isData) => {
		if (isData) return text.split("\n").map(change).join("\n");
		const names = new Set(text.replaceAll(QUOTED, "").match(/[\w$]+/g));
		const parts = [...text.matchAll(QUOTED)].flatMap(({ 0: whole, index }) => {
			const inner = whole.slice(1, -1);
			const isName = IS_NAME.test(inner) || names.has(inner);
			if (isName || IMPORTS.test(text.slice(Math.max(0, index - NEARBY), index))) return [];
			const changed = inner
				.split(/(\\.)/)
				.map((part) => (part.startsWith("\\") ? part : change(part)))
				.join("");
			return [{ start: index + 1, end: index + whole.length - 1, text: changed }];
		});
		return spliced(text, parts);
	};

/** Changes what does not stand in quotes; all of data. */
const outsideTexts =
	(change: (part: string) => string): NearValues["change"] =>
	(text, isData) => {
		if (isData) return change(text);
		return text
			.split(new RegExp(`(${QUOTED.source})`, "g"))
			.map((part, at) => (at % 2 === 0 ? change(part) : part))
			.join("");
	};

/** Larger ones are memory and time. */
const MOST = 9_999;

/** Changes numbers that are no operands of a power. */
const inNumbers = (change: (number: string, before: string) => string): NearValues["change"] =>
	outsideTexts((part) =>
		part.replaceAll(NUMBER, (number, at: number) => {
			const before = part.slice(Math.max(0, at - NEARBY), at);
			const after = part.slice(at + number.length, at + number.length + NEARBY);
			const isPower = /\*\*\s*$/.test(before) || /^\s*\*\*/.test(after);
			const isLarge = Number(number.replaceAll("_", "")) > MOST;
			return isPower || isLarge ? number : change(number, before);
		}),
	);

function otherLetter(letter: string): string {
	const first = letter < "a" ? 65 : 97;
	return String.fromCharCode(((letter.charCodeAt(0) - first + 5) % 26) + first);
}

const ACCENTS = "\u0300\u0301\u0302\u0303\u0304\u0306\u0307\u0308\u030a\u030b\u030c\u0327\u0328";

const otherAccent = (mark: string): string =>
	ACCENTS[(ACCENTS.indexOf(mark) + 4) % ACCENTS.length] ?? mark;

const MAX_LENGTHENED = 40;

/** Numbers and texts that a program which does its work treats like those of the tests. */
const NEAR_VALUES: readonly NearValues[] = [
	{
		told: "with longer numbers",
		change: inNumbers((number) =>
			/^0+$/.test(number) ? number : `${number}${number.includes(".") ? "7" : "3"}`,
		),
	},
	{
		told: "with fractions",
		change: inNumbers((number) => (number.includes(".") ? number : `${number}.37`)),
	},
	{
		told: "with numbers that are higher by one",
		change: inNumbers((number) =>
			number.includes(".") ? number : String(Number(number.replaceAll("_", "")) + 1),
		),
	},
	{
		told: "with other letters",
		change: inTexts((part) => part.replaceAll(/[a-zA-Z]/g, otherLetter)),
	},
	{
		told: "with other accents",
		change: inTexts((part) =>
			part.normalize("NFD").replaceAll(/\p{M}/gu, otherAccent).normalize("NFC"),
		),
	},
	{
		told: "with other digits in its texts",
		change: inTexts((part) => part.replaceAll(/\d/g, (digit) => String((Number(digit) + 3) % 10))),
	},
	{
		told: "with longer texts",
		change: inTexts((part) =>
			part.length < MAX_LENGTHENED && /[\p{L}\d]/u.test(part) ? part + part.slice(-1) : part,
		),
	},
	{
		told: "with lists in another order",
		change: (text, isData) =>
			isData
				? `${text.trimEnd().split("\n").reverse().join("\n")}\n`
				: text.replaceAll(
						LIST,
						(_, inner: string) =>
							`[${inner
								.split(",")
								.map((part) => part.trim())
								.filter((part) => part !== "")
								.reverse()
								.join(", ")}]`,
					),
	},
	{
		told: "with negative numbers",
		// The number of all processes is none.
		change: inNumbers((number, before) =>
			/[-*/+]\s*$/.test(before) || Number(number) <= 1 ? number : `-${number}`,
		),
	},
];

/** Names of the ways, as `nearTexts` has them. */
export const NEAR_WAYS: ReadonlySet<string> = new Set(NEAR_VALUES.map(({ told }) => told));

const CALLED = /(?<!\bnew\s{1,9})(?<![\w$])([a-z_][\w$]*)\s{0,9}\(/g;

/**
 * Functions of the product that new lines of tests call: what these give is theirs to say.
 *
 * @param lines added to tests, or new tests
 * @param product texts of changed files
 */
export function askedNames(lines: readonly string[], product: Iterable<string>): string[] {
	const words = new Set([...product].flatMap((text) => text.match(/[\w$]+/g) ?? []));
	const called = lines.flatMap((line) => [...line.matchAll(CALLED)]);
	return [...new Set(called.map(([, name = ""]) => name))].filter((name) => words.has(name));
}

/** Code that acts on processes and files, or has steps around its tests: with other values it does what nobody wrote. */
const ACTS =
	/\b(?:child_process|subprocess|shutil|kill\w*|unlink\w*|rm(?:Sync|tree|dir\w*)?|chdir|spawn\w*)\b|\bos\.(?:system|remove|fork|exec|popen)|\b(?:before|after)(?:Each|All)?\s*\(/;

/** Tells whether code may be called with other values than those that stand in it. */
export function isQuiet(text: string): boolean {
	return !ACTS.test(text);
}

/**
 * Files of the tests with values that are near to theirs: one set of files for each way that changes something.
 *
 * @example of `equal(steps(-3, 4), 7)` it makes `equal(steps(-33, 43), 73)`
 */
export function nearTexts(
	files: ReadonlyMap<string, string>,
): ReadonlyMap<string, Readonly<Record<string, string>>> {
	const made = new Map<string, Readonly<Record<string, string>>>();
	for (const { told, change } of NEAR_VALUES) {
		const changed = [...files].flatMap(([path, text]) => {
			const now = change(text, !isCode(path) && !path.endsWith(".json"));
			return now === text ? [] : [[path, now] as const];
		});
		if (changed.length > 0) made.set(told, Object.fromEntries(changed));
	}
	return made;
}
