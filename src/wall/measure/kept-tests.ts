import { declared } from "../integrity/declarations.ts";
import { disarmingLines, STANDS_IN } from "../integrity/disarming-lines.ts";
import { type Line, reordered, rewritten } from "../integrity/vanished.ts";
import { assertionNames, plainModule } from "../language/bound-names.ts";
import type { SourceText } from "../language/language.ts";
import { importedNames, languageOf } from "../language/languages.ts";
import { depthOf } from "../reading/added-lines.ts";
import type { Notices } from "./notices.ts";

/** A file of the base's tests that was changed. */
export interface ChangedFile extends SourceText {
	/** Its text in the work; empty where it is gone. */
	readonly head: string;
}

/** Facts about all that changed among the tests. */
export interface ChangedTests {
	readonly isTest: (path: string) => boolean;
	/** Texts in the work, by path; what stands in another one only moved. */
	readonly heads: ReadonlyMap<string, string>;
}

const ASSERTS =
	/^\s*assert\b|\.should\b|\b(?:assert|expect|should|raises|verif|throws|fail|equal|is|check)\w*(?:\.\w+)*\s*\(/i;

/** Does something by itself, as a step of a test: what it does to the product is not in any answer. */
const ACTS =
	/^(?:await\s+)?[\w$][\w$.]*\([^{]*\)\s*;?$|^[\w$.[\]"']+\s*[-+*/]=|^[\w$]+(?:\.[\w$]+)+\s*=(?![=>])/;

/** Puts something in the place of a part of a name. */
const PUT = /^\s*([\w$]+)(?:\.[\w$]+|\[[^\]]*\])+\s*=(?![=>])/;

/**
 * Tells whether what changed in a file is something that was measured. Each line that asserts or acts and went noticed
 * something; lines that stay stand in their order; what helpers of the tests do, and where they come from, is as it was; and
 * nothing was added that could disarm lines that stay and noticed nothing, nor all tests beside a helper.
 */
export function isMeasured(
	file: ChangedFile,
	{ lines, left, measured, trials }: Notices,
	{ isTest, heads }: ChangedTests,
): boolean {
	const { path, text: base, head } = file;
	const elsewhere = [...heads].flatMap(([other, text]) => (other === path ? [] : [text]));
	const { gone, fresh } = rewritten(base, head, elsewhere);
	const all = base.split("\n").map((text, at) => ({ number: at + 1, text }));
	const isNoticed = ({ number }: Line): boolean => lines.has(`${path}:${number}`);
	const linesOf = (places: ReadonlySet<string>): number[] =>
		[...places].flatMap((place) =>
			place.startsWith(`${path}:`) ? Number(place.slice(path.length + 1)) : [],
		);
	const starts = [...linesOf(measured), ...linesOf(left)].sort((a, b) => a - b);
	const startOf = ({ number }: Line): number | undefined =>
		starts.findLast((start) => start <= number);
	// Of a case's lines with one text the first that fails ends it; how often a case asks is counted elsewhere.
	const keyOf = (line: Line): string => `${startOf(line)} ${line.text.trim()}`;
	const noticed = new Set(all.filter(isNoticed).map(keyOf));
	const isSilent = (line: Line): boolean => !noticed.has(keyOf(line));
	const disarming = disarmingLines(fresh, { path, base, head });
	// What is noticed then is noticed of something else than the product.
	const imported = new Set(importedNames(path, head).map(({ name }) => name));
	const isReplaced = ({ text }: Line): boolean => imported.has(PUT.exec(text)?.[1] ?? "");
	if (fresh.some((line) => STANDS_IN.test(line.text) || isReplaced(line))) return false;
	if (declared(base, path) === 0) return disarming.length === 0 && !gone.some(isSilent);
	if (starts.length === 0) return false;
	const isLeft = (line: Line): boolean => left.has(`${path}:${startOf(line)}`);
	const isBlind = (line: Line): boolean => ASSERTS.test(line.text) && isSilent(line);
	// A step that an assertion looks at now is still taken.
	const isTaken = (line: Line): boolean =>
		fresh.some(({ text }) => text.includes(line.text.trim().replace(/;$/, "")));
	const isStep = (line: Line): boolean => ACTS.test(line.text) && isSilent(line) && !isTaken(line);
	if (gone.some((line) => isBlind(line) || isStep(line) || isLeft(line))) return false;
	if (losesExpected(gone, [head, ...elsewhere].join("\n"), trials)) return false;
	if (gone.length === 0 && reordered(path, base, head, elsewhere).length > 0) return false;
	if (hasOtherHelpers(file, isTest)) return false;
	const blind = new Set(all.filter(isBlind).map(({ text }) => text.trim()));
	return disarming.every((line) => !reachOf(line, head).some((text) => blind.has(text.trim())));
}

const LITERAL =
	/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`[^`$]*`|(?<![\w.])\d[\d_]*(?:\.\d+)?(?![\w.])/g;

/**
 * Tells whether a value that was expected is written nowhere in the changed tests any longer: then the product itself says what
 * to expect, and is right whatever it gives, as long as it always gives that.
 */
function losesExpected(gone: readonly Line[], now: string, trials: Notices["trials"]): boolean {
	const answers = new Set([...trials.keys()].map((what) => what.split(" instead of ").at(-1)));
	const valuesIn = (text: string): string[] =>
		[...text.matchAll(LITERAL)].map(([part]) =>
			/^\d/.test(part) ? part.replaceAll("_", "") : JSON.stringify(part.slice(1, -1)),
		);
	const still = new Set(valuesIn(now));
	const isWritten = (value: string): boolean =>
		still.has(value) || (value.startsWith('"') && now.includes(value.slice(1, -1)));
	return gone.some(({ text }) =>
		valuesIn(text).some((value) => answers.has(value) && !isWritten(value)),
	);
}

const CASE =
	/^\s*(?:(?:test|it|specify)\b(?:\.\w+)*\s*[(`].*(?:\{|=>)|(?:async\s+)?def\s+test\w*\(.*:)\s*$/;
const HEAD =
	/^[}\s]*(?:(?:async\s+)?(?:with|for)|if|elif|else|while|try|except|catch|finally|switch|case|do)\b.*[:{]$/;

/** Lines on which an added one may act: those of its case where it opens a block of it, and all others. */
function reachOf({ number, text }: Line, head: string): readonly string[] {
	const lines = head.split("\n");
	const start = lines.findLastIndex((line, at) => at < number - 1 && CASE.test(line));
	const depth = depthOf(lines[start] ?? "");
	const isWithin = depthOf(lines[number - 1] ?? "") > depth;
	if (start < 0 || !isWithin || !HEAD.test(text.trim())) return lines;
	const after = lines.findIndex(
		(line, at) => at > start && line.trim() !== "" && depthOf(line) <= depth,
	);
	return lines.slice(start, after < 0 ? lines.length : after);
}

/** A name that came from a file of the tests comes from elsewhere now, or an assertion of other, less strict ones. */
function hasOtherHelpers(
	{ path, text, head }: ChangedFile,
	isTest: (path: string) => boolean,
): boolean {
	const now = new Map(importedNames(path, head).map(({ name, module }) => [name, module]));
	const asserts = new Set(assertionNames(text));
	return importedNames(path, text).some(({ name, module }) => {
		const isHelper = languageOf(path)?.placesOf(path, module).some(isTest) === true;
		const other = now.get(name) ?? module;
		const isOther = asserts.has(name) && plainModule(other) !== plainModule(module);
		const isStrict = plainModule(other) === "assert/strict";
		return (isHelper && other !== module) || (isOther && !isStrict);
	});
}
