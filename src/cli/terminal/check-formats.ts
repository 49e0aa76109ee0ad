import type { CheckReport } from "../../verdict/check-report.ts";
import { untoldRefusals } from "../../verdict/refusals.ts";
import { failureMessage } from "../../words/evidence-text.ts";
import { escapeMarkup, escapeMarkdown as safe } from "../../words/report/escape.ts";
import { locationOf, placeOf, sarifText } from "../../words/report/sarif.ts";
import { annotation } from "./github-actions.ts";
import { verdictText } from "./render-check.ts";

/** One thing that a check says, with its place. */
interface CheckNotice {
	readonly rule: keyof typeof RULES;
	readonly level: "error" | "warning" | "note";
	readonly title: string;
	readonly text: string;
	readonly file: string | null;
	readonly line: number | null;
}

const BY_EXIT_CODE: CheckNotice = {
	rule: "by_exit_code",
	level: "note",
	title: "by exit code alone",
	text: "Nothing tells which tests ran: they are judged by the exit code of their command alone",
	file: null,
	line: null,
};

function noticesOf(report: CheckReport): CheckNotice[] {
	const { checks, integrity, suspicions, not_counted, by_exit_code: isByExitCode } = report;
	const { places, violations } = integrity;
	const nowhere = { file: null, line: null };
	return [
		...checks
			.filter(({ blocks }) => blocks)
			.map(({ name, reason, details }): CheckNotice => {
				const text = [reason ?? "failed", ...details.slice(0, 5).map(failureMessage)].join("\n");
				return { rule: "failed", level: "error", title: name, text, ...nowhere };
			}),
		...untoldRefusals(report).map(({ rule, details }): CheckNotice => {
			return { rule: "failed", level: "error", title: rule, text: details, ...nowhere };
		}),
		...violations.map((text): CheckNotice => {
			const place = places.find(({ file }) => text.startsWith(`${file}:`)) ?? nowhere;
			const { file, line } = place;
			return { rule: "weakened", level: "error", title: "weakened", text, file, line };
		}),
		...suspicions.map(({ id, file, line, what, text }): CheckNotice => {
			const told = `${what}\n${text}`;
			return { rule: "suspicion", level: "warning", title: id, text: told, file, line };
		}),
		...(isByExitCode ? [BY_EXIT_CODE] : []),
		...not_counted.map(({ test, why }): CheckNotice => {
			const title = "not counted";
			return { rule: "not_counted", level: "note", title, text: `${test}: ${why}`, ...nowhere };
		}),
	];
}

const RULES = {
	failed: "A check fails, or gave no result",
	weakened: "What shows that the work is right was weakened",
	suspicion: "A change that a person has to look at",
	by_exit_code: "What the verdict rests on is little",
	not_counted: "A test that the verdict does not count",
} as const;

// GitHub refuses a result without a place.
function sarif(report: CheckReport): string {
	const ids = Object.keys(RULES);
	const rules = Object.entries(RULES).map(([id, text]) => ({ id, shortDescription: { text } }));
	const results = noticesOf(report).map((notice) => {
		const place = placeOf(notice) ?? { path: report.files[0] ?? "README.md", line: 1 };
		return {
			ruleId: notice.rule,
			ruleIndex: ids.indexOf(notice.rule),
			level: notice.level,
			message: { text: `${notice.title}: ${notice.text}` },
			locations: [locationOf(place)],
		};
	});
	return sarifText({ tool: { driver: { name: "Sparring", rules } }, results });
}

function junit(report: CheckReport): string {
	const { checks, integrity, suspicions, not_counted } = report;
	const cases = [
		...checks.map(({ name, status, blocks, reason, details }) => {
			const said = [reason ?? "", ...details.map(failureMessage)].join("\n").trim();
			return { name, said, outcome: blocks ? "failure" : status === "pass" ? null : "skipped" };
		}),
		{
			name: "integrity",
			said: integrity.violations.join("\n"),
			outcome: integrity.violations.length > 0 ? "failure" : null,
		},
		...untoldRefusals(report).map(({ rule, details }) => {
			return { name: `gate: ${rule}`, said: details, outcome: "failure" };
		}),
		...suspicions.map(({ id, file, what }) => {
			return { name: `suspicion ${id} ${file}`, said: what, outcome: "skipped" };
		}),
		...(report.by_exit_code
			? [{ name: BY_EXIT_CODE.title, said: BY_EXIT_CODE.text, outcome: "skipped" }]
			: []),
		...not_counted.map(({ test, why }) => {
			return { name: `not counted: ${test}`, said: why, outcome: "skipped" };
		}),
	];
	const count = (wanted: string): number =>
		cases.filter(({ outcome }) => outcome === wanted).length;
	const counts = `tests="${cases.length}" failures="${count("failure")}" errors="0" skipped="${count("skipped")}"`;
	const lines = cases.map(({ name, outcome, said }) => {
		const head = `<testcase name="${escapeMarkup(name)}" classname="spar check"`;
		const body = `<${outcome}>${escapeMarkup(said)}</${outcome}>`;
		return outcome === null ? `${head}/>` : `${head}>${body}</testcase>`;
	});
	return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites ${counts}>
<testsuite name="spar check" ${counts}>
${lines.join("\n")}
</testsuite>
</testsuites>
`;
}

function markdown(report: CheckReport): string {
	const { subject, base, files, checks } = report;
	const rows = checks.map(({ name, status, reason }) => {
		return `| ${safe(name)} | ${status} | ${safe(reason ?? "")} |`;
	});
	const notices = noticesOf(report).map(({ title, text, file, line }) => {
		const place = file === null ? "" : `${safe(file)}${line === null ? "" : `:${line}`} `;
		return `- **${safe(title)}** ${place}${safe(text)}`;
	});
	return [
		`## spar check: ${verdictText(report)}`,
		`${safe(subject)}, ${files.length} files against ${base.slice(0, 10)}`,
		...(rows.length === 0
			? []
			: [["| check | status | why |", "| --- | --- | --- |", ...rows].join("\n")]),
		...(notices.length === 0 ? [] : [notices.join("\n")]),
		"",
	]
		.join("\n\n")
		.replace(/\n\n$/, "\n");
}

function github(report: CheckReport): string {
	const lines = noticesOf(report).map(({ level, title, text, ...place }) =>
		annotation(level === "note" ? "notice" : level, { title, text, place: placeOf(place) }),
	);
	return lines.join("");
}

/** The formats of a check's report by name. */
export const CHECK_FORMATS: Readonly<Record<string, (report: CheckReport) => string>> = {
	sarif,
	junit,
	markdown,
	github,
};
