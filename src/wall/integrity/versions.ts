import { type AddedLine, addedLines } from "../reading/added-lines.ts";

const VERSION = String.raw`["']?(?:v?\d[\w.+-]*|[0-9a-f]{40})["']?`;

/** A line that pins a program of others to a version, as in workflows of CI and in lists of hooks, or that says one. */
const PIN = new RegExp(
	String.raw`^(?<what>(?:-\s+)?(?:uses:\s*[\w./-]+@|rev:\s|[\w.-]*[vV]ersion\s*[:=]))\s*${VERSION}\s*(?:#.*)?$`,
);

/** A list of versions, in one line. */
const LIST = /^(?<what>(?:-\s+)?[\w.-]*[vV]ersions?\s*[:=]\s*\[)(?<all>[\w\s.,"'+-]*)\]$/;

/** An entry more of a matrix of versions, such as `- Node.js 25.x`. */
const ENTRY = /^-\s+(?:name:\s+)?["']?(?:[A-Za-z.]+[ -])?v?\d+(?:\.(?:\d+|x))*["']?$/;

/**
 * Tells whether two texts differ in nothing but versions: pins of what was there, as a changed lock file has them, or more of
 * them to try.
 */
export function onlyVersions(base: string, head: string): boolean {
	const [gone, fresh] = [addedLines(head, base), addedLines(base, head)];
	if (without(base, gone) !== without(head, fresh)) return false;
	const left = [...fresh];
	for (const { text } of gone) {
		const at = left.findIndex((line) => isSuccessor(text, line.text));
		if (at < 0) return false;
		left.splice(at, 1);
	}
	return left.every(({ text }) => ENTRY.test(text) || /[vV]ersion/.test(PIN.exec(text)?.[0] ?? ""));
}

function isSuccessor(text: string, other: string): boolean {
	const [pin, now] = [PIN.exec(text), PIN.exec(other)].map((found) => found?.groups?.["what"]);
	if (pin !== undefined) return pin === now;
	const [had, has] = [LIST.exec(text)?.groups, LIST.exec(other)?.groups];
	const all = wordsOf(has?.["all"]);
	return (
		had !== undefined &&
		had["what"] === has?.["what"] &&
		wordsOf(had["all"]).every((one) => all.includes(one))
	);
}

const wordsOf = (list: string | undefined): readonly string[] => list?.match(/[\w.+-]+/g) ?? [];

function without(text: string, lines: readonly AddedLine[]): string {
	const numbers = new Set(lines.map(({ number }) => number));
	const rest = text.split(/\r?\n/).filter((_line, at) => !numbers.has(at + 1));
	return rest.filter((line) => line.trim() !== "").join("\n");
}
