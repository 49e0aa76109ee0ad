import { BASE64, endOfRun, startOfRun } from "./alphabet.ts";
import type { Finding, Work } from "./finding.ts";
import { looksSecret } from "./looks-secret.ts";

/** A longer key is masked up to here. In characters. */
const MOST = 16_384;

/** What stands around the type in the first and last line (RFC 7468). */
const FENCE = "-----";
const BEGIN = "-----BEGIN ";
const END = "-----END ";
const LABEL = /^[A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?$/;
const LONGEST_LABEL = 48;

const LINE_END = /\r?\n|\\{1,4}r\\{1,4}n|\\{1,4}n/;

/** What stands between two lines of a key: a line end, raw or escaped, and what quotes, diffs and code put around it. */
const GAP = /(?:[\r\n \t>|"'`,-]|\\{1,4}[rnt"']){0,80}/y;

/** A line such as `Proc-Type: 4,ENCRYPTED`. */
const HEADER = /[A-Z][A-Za-z-]{2,20}: [\w ,.()/:-]{1,100}/y;

/** Runs of base64 that are lines of a key; the last may be shorter. */
const SHORTEST_LINE = 16;
const FULL_LINE = 60;
const QUOTED_LINE = 40;

/** Long runs, and the share of a key's body that they make up; in text and code that speak of keys it is less. */
const RUNS = /[A-Za-z0-9+/=]{32,}/g;
const LEAST_SHARE = 0.6;

function isKeyBody(body: string): boolean {
	const runs = body.match(RUNS) ?? [];
	const length = runs.reduce((sum, run) => sum + run.length, 0);
	return runs.some((run) => looksSecret(run, "bare")) && length >= LEAST_SHARE * body.length;
}

/** Only what a key is made of, so that it has one mark however its lines are written. */
const keyOf = (body: string): string =>
	body
		.split(LINE_END)
		.join("")
		.replaceAll(/[^A-Za-z0-9/=]/g, "");

function finding(start: number, end: number, body: string): Finding | null {
	return isKeyBody(body) ? { start, end, rule: "private-key", value: keyOf(body) } : null;
}

/** The length of the label that a fence closes; null when it is not that of a private key. */
function labelLength(text: string, from: number): number | null {
	const end = text.slice(from, from + LONGEST_LABEL + FENCE.length).indexOf(FENCE);
	return end >= 0 && LABEL.test(text.slice(from, from + end)) ? end : null;
}

function lengthAt(pattern: RegExp, text: string, at: number): number {
	pattern.lastIndex = at;
	return pattern.exec(text)?.[0].length ?? 0;
}

/**
 * Whether a run of base64 is a further line of a key, by what stands before it.
 *
 * Behind a quote another text may begin, such as the next name in a JSON document: only a long line counts there. A
 * short one is the last line, behind a full one and nothing but a line end.
 */
function isFurtherLine(run: string, gap: string, behindFull: boolean): boolean {
	if (/["'`,]/.test(gap)) return run.length >= QUOTED_LINE && looksSecret(run, "bare");
	if (run.length >= SHORTEST_LINE) return true;
	return run !== "" && behindFull && LINE_END.test(gap);
}

/** Where the lines of a key end that begin at the start of a text, without what only encloses them. */
function linesEnd(text: string): number {
	let end = 0;
	let behindFull = false;
	for (;;) {
		const from = end + lengthAt(GAP, text, end);
		const gap = text.slice(end, from);
		const header = LINE_END.test(gap) ? lengthAt(HEADER, text, from) : 0;
		const to = header > 0 ? from + header : endOfRun(BASE64, text, from, text.length);
		if (header === 0 && !isFurtherLine(text.slice(from, to), gap, behindFull)) return end;
		behindFull = to - from >= FULL_LINE;
		end = to;
	}
}

/** Where the lines of a key begin that end at the end of a text, without what only encloses them. */
function linesStart(text: string): number {
	const lines = text.split(/((?:\r?\n|\\{1,4}r\\{1,4}n|\\{1,4}n))/);
	let lineStart = text.length;
	let start = text.length;
	for (let index = lines.length - 1; index >= 0; index -= 2) {
		const line = lines[index] ?? "";
		lineStart -= line.length;
		const lineEnd = lineStart + line.trimEnd().length;
		const runStart = startOfRun(BASE64, text, lineEnd, lineStart);
		const isShort = lineEnd - runStart < SHORTEST_LINE && start < text.length;
		if (isShort || (lineEnd > lineStart && runStart === lineEnd)) return start;
		if (runStart < lineEnd) start = runStart;
		// What stands before the key on its first line is none of it.
		if (/[^ \t>|"'`]/.test(text.slice(lineStart, runStart))) return start;
		lineStart -= (lines[index - 1] ?? "").length;
	}
	return start;
}

/** The key whose first line starts at `start`; what is there of it when its end was cut off. */
export function findPrivateKey(text: string, start: number, work: Work): Finding | null {
	const length = labelLength(text, start + BEGIN.length);
	if (length === null) return null;
	const bodyStart = start + BEGIN.length + length + FENCE.length;
	const window = text.slice(bodyStart, bodyStart + MOST);
	const next = window.indexOf(FENCE);
	const body = next < 0 ? window : window.slice(0, next);
	work.characters += body.length;
	const endStart = bodyStart + next + END.length;
	const endLength = window.startsWith(END, next) ? labelLength(text, endStart) : null;
	if (next >= 0 && endLength !== null) {
		return finding(start, endStart + endLength + FENCE.length, body);
	}
	const end = linesEnd(body);
	return finding(start, bodyStart + end, body.slice(0, end));
}

/** The rest of a key whose last line starts at `start` and whose beginning was cut off. */
export function findKeyRest(text: string, start: number, work: Work): Finding | null {
	const length = labelLength(text, start + END.length);
	if (length === null) return null;
	const before = text.slice(Math.max(0, start - MOST), start);
	const window = before.slice(before.lastIndexOf(FENCE) + 1);
	work.characters += window.length;
	const body = window.slice(linesStart(window));
	return finding(start - body.length, start + END.length + length + FENCE.length, body);
}

/** What stands before a line of PuTTY's keys: a line end, and what a diff, a quotation or an indentation adds. */
const PUTTY_GAP = /(?:\r?\n|\\{1,4}r\\{1,4}n|\\{1,4}n)[ \t>|+-]{0,40}/y;
const PUTTY_LINE = 64;
const PUTTY_COUNT = /^Private-Lines: (\d{1,3})(?!\d)/;

/** The private lines of PuTTY's format, whose number stands at `start`; what is there of them when they were cut off. */
export function findPuttyKey(text: string, start: number, work: Work): Finding | null {
	const [label = "", count = ""] = PUTTY_COUNT.exec(text.slice(start, start + 24)) ?? [];
	const lines: string[] = [];
	let first = start + label.length;
	let end = first;
	while (lines.length < Number(count)) {
		const gap = lengthAt(PUTTY_GAP, text, end);
		const from = end + gap;
		const to = endOfRun(BASE64, text, from, from + PUTTY_LINE);
		work.characters += to - end + 1;
		if (gap === 0 || to === from) break;
		if (lines.length === 0) first = from;
		lines.push(text.slice(from, to));
		end = to;
	}
	return lines.length === 0 ? null : finding(first, end, lines.join(""));
}
