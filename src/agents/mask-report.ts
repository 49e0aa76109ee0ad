import { isFields, jsonIn } from "../kernel/fields.ts";
import { ROLES } from "../kernel/roles.ts";
import type { Masker } from "../masking/masking.ts";
import { maskCaptured } from "../process/capture.ts";
import type { AgentOutcome } from "./agent.ts";
import { duplicateKey } from "./json-text.ts";
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

/** A text of a report; one that is a secret by the name of its field is masked beside that. */
function maskedText(masker: Masker, text: string, key: string | null): string {
	if (decides(key, text)) return text;
	const masked = masker.mask(text);
	if (key === null || masked !== text) return masked;
	const beside = jsonIn(masker.mask(JSON.stringify({ [key]: text })));
	const found = isFields(beside) && Object.keys(beside).length === 1 ? beside[key] : text;
	return typeof found === "string" ? found : text;
}

/** @param key of the field whose value it is; null inside of a list */
function maskedValue(masker: Masker, value: unknown, key: string | null): unknown {
	if (typeof value === "string") return maskedText(masker, value, key);
	if (Array.isArray(value)) return value.map((item) => maskedValue(masker, item, null));
	if (!isFields(value)) return value;
	return Object.fromEntries(
		Object.entries(value).map(([name, inner]) => [
			WORDS.has(name) ? name : masker.mask(name),
			maskedValue(masker, inner, name),
		]),
	);
}

/** A JSON text with its values masked, as it stands where none of them is a secret; null of what cannot be read so. */
function maskedJson(masker: Masker, text: string): string | null {
	try {
		const value: unknown = JSON.parse(text);
		const before = JSON.stringify(value);
		const after = JSON.stringify(maskedValue(masker, value, null));
		return before === after ? text : after;
	} catch {
		// No JSON, or nested too deeply to be walked through.
		return null;
	}
}

/**
 * A report without secrets, that decides what it decided: the names of a report's fields, their words (`critical`,
 * `approve`) and its numbers stay, even where a secret reads like one of them. One that says something twice, which no
 * reader takes, and a text that is not JSON are masked as they are written.
 *
 * @example with the secret `severity`, `{"severity":"critical","issue":"no severity"}` changes in its issue alone
 */
export function maskReport(masker: Masker, report: string): string {
	if (!report.includes("\\") && masker.mask(report) === report) return report;
	const json = report.startsWith("\u{feff}") ? report.slice(1) : report;
	const masked = duplicateKey(json) === null ? maskedJson(masker, json) : null;
	return masked ?? masker.mask(report);
}

// Lines that are JSON are masked as they read; the text as it is written is masked after that.
function maskJsonLines(masker: Masker, text: string): string {
	if (!text.includes("\\")) return text;
	return text
		.split("\n")
		.map((line) => {
			if (!/^\s{0,8}[{[]/.test(line) || !line.includes("\\")) return line;
			return maskedJson(masker, line) ?? line;
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
