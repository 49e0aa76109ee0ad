import { isFields, jsonIn } from "../kernel/fields.ts";
import { ROLES } from "../kernel/roles.ts";
import type { Masker } from "../masking/masking.ts";
import { maskCaptured } from "../process/capture.ts";
import type { AgentOutcome } from "./agent.ts";
import { stringsIn } from "./json-text.ts";
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

const maskedName = (masker: Masker, name: string): string =>
	WORDS.has(name) ? name : masker.mask(name);

/** A text of a report; one that is a secret by the name of its field is masked beside that. */
function maskedText(masker: Masker, text: string, key: string | null): string {
	if (decides(key, text)) return text;
	const masked = masker.mask(text);
	if (key === null || masked !== text) return masked;
	const beside = jsonIn(masker.mask(JSON.stringify({ [key]: text })));
	const found = isFields(beside) && Object.keys(beside).length === 1 ? beside[key] : text;
	return typeof found === "string" ? found : text;
}

// Strings alone change, each where it stands: numbers, order and keys that stand twice are kept.
function maskedJson(masker: Masker, json: string): string {
	const pieces: string[] = [];
	let kept = 0;
	for (const { from, to, said, isKey, field } of stringsIn(json)) {
		const masked = isKey ? maskedName(masker, said) : maskedText(masker, said, field);
		if (masked === said) continue;
		pieces.push(json.slice(kept, from), JSON.stringify(masked));
		kept = to;
	}
	return pieces.join("") + json.slice(kept);
}

const ESCAPE = /\\(?:u([0-9a-f]{4})|([\s\S]))/gi;
const NAMED: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", b: "\b", f: "\f" };

// A reader may undo its escapes all the same, so that they are undone where they hide something.
function maskedAsText(masker: Masker, text: string): string {
	const masked = masker.mask(text);
	const plain = masked.replaceAll(ESCAPE, (_, hex: string | undefined, char: string) =>
		hex === undefined ? (NAMED[char] ?? char) : String.fromCharCode(Number.parseInt(hex, 16)),
	);
	const found = masker.mask(plain);
	return found === plain ? masked : found;
}

const withoutSecrets = (masker: Masker, text: string): string =>
	jsonIn(text) === undefined ? maskedAsText(masker, text) : maskedJson(masker, text);

/**
 * A report without secrets, that decides what it decided: the names of a report's fields, their words (`critical`,
 * `approve`), its numbers and all that is no secret stay, even where a secret reads like one of them. A text that is not
 * JSON is masked as it is written and as it reads.
 *
 * @example with the secret `severity`, `{"severity":"critical","issue":"no severity"}` changes in its issue alone
 */
export function maskReport(masker: Masker, report: string): string {
	if (!report.includes("\\") && masker.mask(report) === report) return report;
	return withoutSecrets(masker, report.startsWith("\u{feff}") ? report.slice(1) : report);
}

const MAY_HIDE = /^\s{0,8}[{[]|\\u[0-9a-f]{4}/i;

// Lines that may hide something behind escapes are masked as they read; the text as it is written is masked after that.
function maskLines(masker: Masker, text: string): string {
	if (!text.includes("\\")) return text;
	const isPlain = (line: string): boolean => !line.includes("\\") || !MAY_HIDE.test(line);
	const lines = text.split("\n");
	return lines.map((line) => (isPlain(line) ? line : withoutSecrets(masker, line))).join("\n");
}

/** Masks everything that the outcome of a call says, before anything of it is cut. */
export function maskOutcome(masker: Masker, outcome: AgentOutcome): AgentOutcome {
	const output = maskCaptured(maskLines(masker, outcome.output), masker);
	if (outcome.kind === "failed") {
		return { ...outcome, output, message: masker.mask(outcome.message) };
	}
	const report = outcome.report === null ? null : maskReport(masker, outcome.report);
	const { reportProblem } = outcome;
	const problem = reportProblem === undefined ? undefined : masker.mask(reportProblem);
	return { ...outcome, output, report, reportProblem: problem };
}
