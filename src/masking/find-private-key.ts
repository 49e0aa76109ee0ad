import { looksSecret } from "./looks-secret.ts";
import { at, endOf, type SecretSpot, startOfRun } from "./scanning.ts";

const MOST = 16_384;

/** Around the type in the first and last line (RFC 7468). */
const FENCE = "-----";
const BEGIN: RegExp = at("-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----");
const END: RegExp = at(BEGIN.source.replace("BEGIN", "END"));

const LINE_END = /\r?\n|\\{1,4}r\\{1,4}n|\\{1,4}n/;
const LINE_ENDS = new RegExp(`(${LINE_END.source})`);

/** A number of a line, as `cat -n`, `grep -n`, `nl` and frames of code write it. */
const NUMBER = "\\d{1,6}[ \\t]{0,4}[\\t :|)\u2192\u2502.-]";

const LINE_START = new RegExp(`(?:${LINE_END.source})(?:[ \\t>|"'\`+-]{0,40}${NUMBER})?`);

/** Between two lines of a key: a line end, raw or escaped, and what quotes, diffs, numbers of lines and code put around it. */
const GAP: RegExp = at(
	`(?:[\\r\\n \\t>|"'\`,\u2502-]|\\\\{1,4}[rnt"']|${NUMBER}|\\+(?=[ \\t]|${NUMBER})){0,80}`,
);

/** A line such as `Proc-Type: 4,ENCRYPTED`; the last of PuTTY's format is no part of the key. */
const HEADER: RegExp = at("(?!Private-MAC)[A-Z][A-Za-z-]{2,20}: [\\w ,.()/:-]{1,100}");

const BASE64 = /[A-Za-z0-9+/=]/;
const RUN: RegExp = at(`${BASE64.source}{0,${MOST}}`);

/** Runs of base64 that are lines of a key; the last may be shorter. */
const SHORTEST_LINE = 16;
const FULL_LINE = 60;
const QUOTED_LINE = 40;

const RUNS = /[A-Za-z0-9+/=]{32,}/g;
const LEAST_SHARE = 0.6;

/** The value is only what a key is made of, so that it has one mark however its lines are written. */
function spotOf(start: number, end: number, body: string): SecretSpot | null {
	const runs = body.match(RUNS) ?? [];
	const isBody = runs.join("").length >= LEAST_SHARE * body.length;
	if (!isBody || !runs.some((run) => looksSecret(run, "bare"))) return null;
	const value = body.split(LINE_START).join("");
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

/** An escape of JSON, which is no part of the line behind it. */
const ESCAPED: RegExp = at("(?<=\\\\)(?:u[\\da-fA-F]{4}|[a-z])");
const MARKS = `[ \\t>|"'\`+-]{0,40}(?:${NUMBER})?[ \\t>|"'\`\u2502+-]{0,40}$`;
const BEFORE_LINE = new RegExp(`^${MARKS}`);
const BEFORE_FENCE = new RegExp(`(?:${LINE_END.source})${MARKS}`);

function linesStart(text: string): number {
	const lines = text.split(LINE_ENDS);
	let lineStart = text.length;
	let start = text.length;
	for (let index = lines.length - 1; index >= 0; index -= 2) {
		const line = lines[index] ?? "";
		lineStart -= line.length;
		const lineEnd = lineStart + line.trimEnd().length;
		const run = startOfRun(BASE64, text, lineEnd, lineEnd - lineStart);
		const runStart = endOf(ESCAPED, text, run);
		const isShort = lineEnd - runStart < SHORTEST_LINE && start < text.length;
		if (isShort || (lineEnd > lineStart && runStart === lineEnd)) return start;
		if (runStart < lineEnd) start = runStart;
		// What stands before the key on its first line is not part of it.
		if (!BEFORE_LINE.test(text.slice(lineStart, runStart))) return start;
		lineStart -= (lines[index - 1] ?? "").length;
	}
	return start;
}

/** The key whose first line starts at `start`; what is there of it when its end was cut off. */
export function findPrivateKey(text: string, start: number): SecretSpot | null {
	const bodyStart = endOf(BEGIN, text, start);
	if (bodyStart === start) return null;
	const window = text.slice(bodyStart, bodyStart + MOST);
	const [body = ""] = window.split(FENCE, 1);
	const next = bodyStart + body.length;
	const last = endOf(END, text, next);
	if (last > next) return spotOf(start, last, body);
	const end = linesEnd(body);
	return spotOf(start, bodyStart + end, body.slice(0, end));
}

/** The rest of a key whose last line starts at `start` and whose beginning was cut off. */
export function findKeyRest(text: string, start: number): SecretSpot | null {
	const end = endOf(END, text, start);
	if (end === start) return null;
	const before = text.slice(Math.max(0, start - MOST), start);
	const window = before.slice(before.lastIndexOf(FENCE) + 1);
	const body = window.slice(linesStart(window.replace(BEFORE_FENCE, "")));
	return spotOf(start - body.length, end, body);
}

const PUTTY: RegExp = at("Private-Lines: \\d{1,3}");

/** The private lines of PuTTY's format, whose number stands at `start`; what is there of them when they were cut off. */
export function findPuttyKey(text: string, start: number): SecretSpot | null {
	const label = endOf(PUTTY, text, start);
	const first = endOf(GAP, text, label);
	if (label === start || first === label) return null;
	const window = text.slice(first, first + MOST);
	const end = linesEnd(window);
	return spotOf(first, first + end, window.slice(0, end));
}
