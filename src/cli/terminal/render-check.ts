import { counted } from "../../kernel/counted.ts";
import { checkWords } from "../../kernel/replayed.ts";
import { oneLine, visibleText } from "../../kernel/visible-text.ts";
import {
	type CheckReport,
	type CheckResult,
	isRedOnBase,
	isUnjudged,
} from "../../verdict/check-report.ts";
import { untoldRefusals } from "../../verdict/refusals.ts";
import { failureMessage, renderCounts } from "../../words/evidence-text.ts";
import type { Paint } from "./paint.ts";
import { hanging } from "./table.ts";

export const VERDICT_TONES = { pass: "good", review: "attention", fail: "bad" } as const;
const MOST_DETAILS = 8;
const MOST_TEXT = 10;
const LONGEST = 300;
const WIDEST = 80;

const MOST_RED = 2;

/** The number of tests that a verdict does not count, as in `1 test not counted`, with the first that were red before. */
function notCountedText(tests: CheckReport["not_counted"]): string {
	const red = tests.filter(isRedOnBase).map(({ test }) => oneLine(test, 60));
	const more = red.length > MOST_RED ? ` and ${red.length - MOST_RED} more` : "";
	const named = red.length === 0 ? "" : ` (red base: ${red.slice(0, MOST_RED).join(", ")}${more})`;
	return `${counted(tests.length, "test")} not counted${named}`;
}

/** The verdict in words, with what it rests on where that is little, and what it does not count. */
export const verdictText = ({ verdict, by_exit_code, not_counted }: CheckReport): string =>
	[
		verdict,
		...(by_exit_code ? ["by exit code alone"] : []),
		...(not_counted.length === 0 ? [] : [notCountedText(not_counted)]),
	].join(", ");

/** Work that was judged, and against what. */
export function judgedText({ subject, files, base, base_is: is }: CheckReport): string {
	const against = `${base.slice(0, 10)}${is === null ? "" : `, ${is}`}`;
	return `${oneLine(subject)}, ${counted(files.length, "file")} against ${oneLine(against)}`;
}

export function renderCheck(
	report: CheckReport,
	{ paint, columns }: { readonly paint: Paint; readonly columns: number },
): string {
	const width = Math.min(WIDEST, Math.max(columns, 40));
	const { verdict, checks, integrity, suspicions, allowed, findings, next } = report;
	const line = (indent: number, text: string): string => {
		const [first = ""] = visibleText(text).split("\n");
		const cut = first.length > LONGEST ? `${first.slice(0, LONGEST - 3)}...` : first;
		return `${" ".repeat(indent)}${hanging(cut, indent + 2, width)}`;
	};
	const more = verdictText(report).length - verdict.length;
	return [
		`${paint(VERDICT_TONES[verdict], verdictText(report))}  ${hanging(judgedText(report), 6, width - more)}`,
		...(verdict === "review" ? [line(2, reviewText(report))] : []),
		...checks.flatMap((check) => checkLines(check, line)),
		...untoldRefusals(report).map(({ rule, status, details }) =>
			line(2, `${rule}  ${status}: ${details}`),
		),
		...notCountedLines(report.not_counted, line),
		...(report.ran ? [] : [line(2, "nothing was run (--quick): the trees alone were compared")]),
		...(integrity.violations.length === 0 ? [] : [line(2, "weakened:")]),
		...integrity.violations.map((text) => line(4, text.replace(/; restore .*$/s, ""))),
		...integrity.places.flatMap((place) => placeLines(place, line)),
		...suspicions.flatMap(({ id, file, line: at, what, text }) => [
			line(2, `suspicion ${id}  ${file}${at === null ? "" : `:${at}`}`),
			line(4, what),
			...text
				.split("\n")
				.slice(0, MOST_TEXT)
				.map((each) => line(4, each)),
		]),
		...findings.map(({ id, severity, file, line: at, issue }) => {
			const place = file === null ? "" : `  ${file}${at === null ? "" : `:${at}`}`;
			return line(2, `${id} ${severity}${place}  ${issue}`);
		}),
		...allowed.map(({ path, change, reason }) =>
			line(2, `allowed: ${change} of ${path}: ${reason}`),
		),
		...integrity.notes.map((note) => line(2, `note: ${note}`)),
		...next.map((step, index) => {
			// A command is pasted as it stands.
			if (step.startsWith("spar ")) return `      ${visibleText(step)}`;
			return line(index === 0 ? 0 : 6, `${index === 0 ? "next: " : ""}${step}`);
		}),
	].join("\n");
}

function reviewText({ suspicions: { length }, checks, ran, rules }: CheckReport): string {
	if (length === 0 && checks.some(isUnjudged))
		return "nothing could be judged: all tests fail on the base too";
	if (length === 0) {
		const asking = rules.filter(({ status }) => status === "ask");
		return `nothing failed, and ${asking.map(({ details }) => details).join("; ")}`;
	}
	const why = ran ? "no run can tell" : "nothing was run";
	const verb = length === 1 ? "is" : "are";
	return `nothing failed; ${counted(length, "suspicion")} ${verb} for a person to see, since ${why}`;
}

type Line = (indent: number, text: string) => string;

function checkLines(
	{ name, status, reason, counts, details, blocks }: CheckResult,
	line: Line,
): string[] {
	const label = checkWords(name);
	const told = renderCounts(counts);
	const aside = status === "pass" || blocks ? "" : " (does not block)";
	const why = reason === null ? "" : `: ${reason}`;
	const head = `${label}  ${status}${told === "" ? "" : `, ${told}`}${why}${aside}`;
	const rest = details.length - MOST_DETAILS;
	const shown = status === "pass" ? [] : details.slice(0, MOST_DETAILS);
	return [
		line(2, head),
		...shown.map((detail) => line(4, failureMessage(detail))),
		...(status !== "pass" && rest > 0 ? [line(4, `... and ${rest} more`)] : []),
	];
}

function notCountedLines(tests: CheckReport["not_counted"], line: Line): string[] {
	const rest = tests.length - MOST_DETAILS;
	return [
		...tests.slice(0, MOST_DETAILS).map(({ test, why }) => line(2, `not counted: ${test}: ${why}`)),
		...(rest > 0 ? [line(2, `... and ${rest} more`)] : []),
	];
}

type Place = CheckReport["integrity"]["places"][number];

const placeLines = ({ file, line: at, before, after }: Place, line: Line): string[] =>
	before.length + after.length === 0
		? []
		: [
				line(4, `${file}${at === null ? "" : `:${at}`}`),
				...before.map((text) => line(6, `- ${text}`)),
				...after.map((text) => line(6, `+ ${text}`)),
			];
