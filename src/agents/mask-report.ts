import { isFields, jsonIn } from "../kernel/fields.ts";
import { ROLES } from "../kernel/roles.ts";
import type { Masker } from "../masking/masking.ts";
import { maskCaptured } from "../process/capture.ts";
import type { AgentOutcome } from "./agent.ts";
import { after, endOfString, SPACE } from "./json-text.ts";
import { reportSchema } from "./report.ts";

type ReportWords = Map<string, Set<unknown>>;

function collectWords(schema: unknown, words: ReportWords): void {
	if (!isFields(schema)) return;
	collectWords(schema["items"], words);
	const { properties } = schema;
	if (!isFields(properties)) return;
	for (const [name, field] of Object.entries(properties)) {
		const known = words.get(name) ?? new Set();
		words.set(name, known);
		const allowed = isFields(field) ? field["enum"] : undefined;
		if (Array.isArray(allowed)) for (const word of allowed) known.add(word);
		collectWords(field, words);
	}
}

function allWords(): ReportWords {
	const words: ReportWords = new Map();
	for (const role of ROLES) collectWords(reportSchema(role), words);
	return words;
}

const WORDS: ReportWords = allWords();

const decides = (key: string | null, text: string): boolean =>
	key !== null && WORDS.get(key)?.has(text) === true;

/** @param key of the field whose value the text is; null inside a list */
type Rewriter = (text: string, key: string | null) => string;

// Each string of a JSON text is decoded and encoded again; what does not change stays as it is written. Duplicate keys
// stay two keys.
function rewriteStrings(
	text: string,
	rewrite: Rewriter,
	rewriteKey: (key: string) => string = (key) => key,
): string {
	const pieces: string[] = [];
	const marks = /["{}[\]]/g;
	let from = 0;
	let field: string | null = null;
	for (let found = marks.exec(text); found !== null; found = marks.exec(text)) {
		const start = found.index;
		if (found[0] !== '"') {
			field = null;
			continue;
		}
		const { at: end } = endOfString(text, start);
		marks.lastIndex = end;
		// A text in quotes of a JSON text is a JSON text, and its value a text.
		const said = JSON.parse(text.slice(start, end)) as string;
		const isKey = text.charAt(after(SPACE, text, end)) === ":";
		const changed = isKey ? rewriteKey(said) : rewrite(said, field);
		field = isKey ? said : null;
		if (changed === said) continue;
		pieces.push(text.slice(from, start), JSON.stringify(changed));
		from = end;
	}
	return pieces.length === 0 ? text : pieces.join("") + text.slice(from);
}

const skeletonOf = (json: string): string =>
	rewriteStrings(json, (text, key) => (decides(key, text) ? text : ""));

// `"\u0061\/"` becomes `"a/"`, so that no spelling hides a secret. Quotes, backslashes and what cannot be printed stay
// escaped.
function plainEscapes(text: string): string {
	return text.replaceAll(/\\(?:u00([2-7][0-9a-f])|[\s\S])/gi, (found, hex: string | undefined) => {
		if (hex === undefined) return found === "\\/" ? "/" : found;
		const char = String.fromCharCode(Number.parseInt(hex, 16));
		return /["\\\u007f]/.test(char) ? found : char;
	});
}

// A value that is a secret by the name of its field.
function maskedField(masker: Masker, text: string, key: string | null): string {
	if (key === null || decides(key, text)) return text;
	const after = jsonIn(masker.mask(JSON.stringify({ [key]: text })));
	if (!isFields(after) || Object.keys(after).length !== 1) return text;
	const masked = after[key];
	return typeof masked === "string" ? masked : text;
}

// As one text, since what stands around a value can tell that it is a secret; field by field where that tears.
function maskedAsText(masker: Masker, json: string): string {
	const plain = plainEscapes(json);
	const masked = masker.mask(plain);
	if (masked === plain) return json;
	if (jsonIn(masked) !== undefined && skeletonOf(masked) === skeletonOf(plain)) return masked;
	return rewriteStrings(json, (text, key) => maskedField(masker, text, key));
}

const maskedAsRead = (masker: Masker, json: string): string =>
	rewriteStrings(
		json,
		(text, key) => (decides(key, text) ? text : masker.mask(text)),
		(key) => (WORDS.has(key) ? key : masker.mask(key)),
	);

/**
 * A report without secrets, that decides what it decided: the names of a report's fields, their words (`critical`,
 * `approve`) and its numbers stay, even where a secret reads like one of them. Free text is masked both as it reads and
 * as it is written; a text that is not JSON as it is written.
 *
 * @example with the secret `severity`, `{"severity":"critical","issue":"no severity"}` changes in its issue alone
 */
export function maskReport(masker: Masker, report: string): string {
	if (!report.includes("\\") && masker.mask(report) === report) return report;
	const json = report.startsWith("\u{feff}") ? report.slice(1) : report;
	if (jsonIn(json) !== undefined) return maskedAsText(masker, maskedAsRead(masker, json));
	const plain = plainEscapes(report);
	const masked = masker.mask(plain);
	return masked === plain ? report : masked;
}

// Lines that are JSON are masked as they read; the text as it is written is masked after that.
function maskJsonLines(masker: Masker, text: string): string {
	if (!text.includes("\\")) return text;
	return text
		.split("\n")
		.map((line) => {
			if (!/^\s{0,8}[{[]/.test(line) || !line.includes("\\")) return line;
			return jsonIn(line) === undefined ? line : maskedAsRead(masker, line);
		})
		.join("\n");
}

/** Masks everything that the outcome of a call says, before anything of it is cut. */
export function maskOutcome(masker: Masker, outcome: AgentOutcome): AgentOutcome {
	const output = maskCaptured(maskJsonLines(masker, outcome.output), masker);
	if (outcome.kind === "failed") {
		return { ...outcome, output, message: masker.mask(outcome.message) };
	}
	const report = outcome.report === null ? null : maskReport(masker, outcome.report);
	const { reportProblem } = outcome;
	const problem = reportProblem === undefined ? undefined : masker.mask(reportProblem);
	return { ...outcome, output, report, reportProblem: problem };
}
