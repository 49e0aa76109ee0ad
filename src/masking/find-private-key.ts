import { looksSecret } from "./looks-secret.ts";
import type { SecretSpot } from "./scanning.ts";
import { at, endOf, startOfRun } from "./scanning.ts";

const MOST = 16_384;

/** Around the type in the first and last line (RFC 7468). */
const FENCE = "-----";
const LABEL: RegExp = at("-----(?:BEGIN|END) [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----");

const LINE_END = /\r?\n|\\{1,4}r\\{1,4}n|\\{1,4}n/;

/** Between two lines of a key: a line end, raw or escaped, and what quotes, diffs and code put around it. */
const GAP: RegExp = at("(?:[\\r\\n \\t>|\"'`,-]|\\\\{1,4}[rnt\"']){0,80}");

/** A line such as `Proc-Type: 4,ENCRYPTED`. */
const HEADER: RegExp = at("[A-Z][A-Za-z-]{2,20}: [\\w ,.()/:-]{1,100}");

const BASE64 = "A-Za-z0-9+/=";
const RUN: RegExp = at(`[${BASE64}]{0,${MOST}}`);

/** Runs of base64 that are lines of a key; the last may be shorter. */
const SHORTEST_LINE = 16;
const FULL_LINE = 60;
const QUOTED_LINE = 40;

const RUNS = /[A-Za-z0-9+/=]{32,}/g;
const LEAST_SHARE = 0.6;

function isKeyBody(body: string): boolean {
	const runs = body.match(RUNS) ?? [];
	const length = runs.reduce((sum, run) => sum + run.length, 0);
	return runs.some((run) => looksSecret(run, "bare")) && length >= LEAST_SHARE * body.length;
}

/** The value is only what a key is made of, so that it has one mark however its lines are written. */
function spotOf(start: number, end: number, body: string): SecretSpot | null {
	if (!isKeyBody(body)) return null;
	const value = body.split(LINE_END).join("");
	return { start, end, rule: "private-key", value: value.replaceAll(/[^A-Za-z0-9/=]/g, "") };
}

/** Behind a quote another text may begin, such as the next name of a JSON document: there only a long line counts. */
function isFurtherLine(run: string, gap: string, behindFull: boolean): boolean {
	if (/["'`,]/.test(gap)) return run.length >= QUOTED_LINE && looksSecret(run, "bare");
	if (run.length >= SHORTEST_LINE) return true;
	return run !== "" && behindFull && LINE_END.test(gap);
}

function linesEnd(text: string): number {
	let end = 0;
	let behindFull = false;
	for (;;) {
		const from = endOf(GAP, text, end);
		const gap = text.slice(end, from);
		const header = LINE_END.test(gap) ? endOf(HEADER, text, from) : from;
		const to = header > from ? header : endOf(RUN, text, from);
		if (header === from && !isFurtherLine(text.slice(from, to), gap, behindFull)) return end;
		behindFull = to - from >= FULL_LINE;
		end = to;
	}
}

function linesStart(text: string): number {
	const lines = text.split(/((?:\r?\n|\\{1,4}r\\{1,4}n|\\{1,4}n))/);
	let lineStart = text.length;
	let start = text.length;
	for (let index = lines.length - 1; index >= 0; index -= 2) {
		const line = lines[index] ?? "";
		lineStart -= line.length;
		const lineEnd = lineStart + line.trimEnd().length;
		const runStart = startOfRun(BASE64, text, lineEnd, lineEnd - lineStart);
		const isShort = lineEnd - runStart < SHORTEST_LINE && start < text.length;
		if (isShort || (lineEnd > lineStart && runStart === lineEnd)) return start;
		if (runStart < lineEnd) start = runStart;
		// What stands before the key on its first line is not part of it.
		if (/[^ \t>|"'`]/.test(text.slice(lineStart, runStart))) return start;
		lineStart -= (lines[index - 1] ?? "").length;
	}
	return start;
}

/** The key whose first line starts at `start`; what is there of it when its end was cut off. */
export function findPrivateKey(text: string, start: number): SecretSpot | null {
	const bodyStart = endOf(LABEL, text, start);
	if (bodyStart === start) return null;
	const window = text.slice(bodyStart, bodyStart + MOST);
	const next = window.indexOf(FENCE);
	const last = next < 0 ? bodyStart : endOf(LABEL, text, bodyStart + next);
	if (next >= 0 && last > bodyStart + next && window.startsWith("-----END", next)) {
		return spotOf(start, last, window.slice(0, next));
	}
	const body = next < 0 ? window : window.slice(0, next);
	const end = linesEnd(body);
	return spotOf(start, bodyStart + end, body.slice(0, end));
}

/** The rest of a key whose last line starts at `start` and whose beginning was cut off. */
export function findKeyRest(text: string, start: number): SecretSpot | null {
	const end = endOf(LABEL, text, start);
	if (end === start) return null;
	const before = text.slice(Math.max(0, start - MOST), start);
	const window = before.slice(before.lastIndexOf(FENCE) + 1);
	const body = window.slice(linesStart(window));
	return spotOf(start - body.length, end, body);
}

/** Before a line of PuTTY's keys: a line end, and what a diff, a quotation or an indentation adds. */
const PUTTY_LINE: RegExp = at(
	`(?:\\r?\\n|\\\\{1,4}r\\\\{1,4}n|\\\\{1,4}n)[ \\t>|+-]{0,40}(?=[${BASE64}])`,
);
const PUTTY_RUN: RegExp = at(`[${BASE64}]{1,64}`);
const PUTTY_COUNT = /^Private-Lines: (\d{1,3})(?!\d)/;

/** The private lines of PuTTY's format, whose number stands at `start`; what is there of them when they were cut off. */
export function findPuttyKey(text: string, start: number): SecretSpot | null {
	const [label = "", count = ""] = PUTTY_COUNT.exec(text.slice(start, start + 24)) ?? [];
	const lines: string[] = [];
	let first = 0;
	let end = start + label.length;
	while (lines.length < Number(count)) {
		const from = endOf(PUTTY_LINE, text, end);
		if (from === end) break;
		if (lines.length === 0) first = from;
		end = endOf(PUTTY_RUN, text, from);
		lines.push(text.slice(from, end));
	}
	return lines.length === 0 ? null : spotOf(first, end, lines.join(""));
}
