import { createHash } from "node:crypto";
import type { FindingReport } from "../../review/finding-report.ts";
import { isOpen } from "../../review/finding-state.ts";
import type { RunView, TaskView } from "../../view/run-view.ts";

const LEVELS = { critical: "error", major: "error", minor: "warning" } as const;

const RULES = (["critical", "major", "minor"] as const).map((severity) => ({
	id: `${severity}-finding`,
	name: `${severity}Finding`,
	shortDescription: { text: `A ${severity} finding of a coach or verifier` },
	fullDescription: {
		text: `An agent that reviewed the work raised a ${severity} finding, which is neither fixed, withdrawn nor overruled.`,
	},
	defaultConfiguration: { level: LEVELS[severity] },
}));

/**
 * The open findings of a run as SARIF 2.1.0. GitHub closes the alert of a finding that a newer report does not have, shows one
 * that is listed even as suppressed, and refuses a report with a result that has no place: one without stands at the
 * workflow file.
 */
export function sarifOf(result: RunView): string {
	const { workflow_file: fallback } = result;
	const results = result.tasks.flatMap((task) =>
		task.findings.filter(isOpen).map((finding) => resultOf(task, finding, fallback)),
	);
	const driver = { name: "Sparring", rules: RULES };
	return sarifText({ tool: { driver }, automationDetails: { id: "sparring/" }, results });
}

/** SARIF 2.1.0 of one run, in its words. */
export function sarifText(run: object): string {
	const $schema = "https://json.schemastore.org/sarif-2.1.0.json";
	return `${JSON.stringify({ $schema, version: "2.1.0", runs: [run] }, null, 2)}\n`;
}

function resultOf({ id: task }: TaskView, finding: FindingReport, fallback: string | null) {
	const { severity, issue, suggestion, criterion, state, blocking, id } = finding;
	const ruleId = `${severity}-finding`;
	const text = [
		issue,
		...(criterion === null ? [] : [`Criterion: ${criterion}`]),
		...(suggestion === null ? [] : [`Suggestion: ${suggestion}`]),
	].join("\n\n");
	const place = placeOf(finding) ?? (fallback === null ? null : { path: fallback, line: 1 });
	return {
		ruleId,
		ruleIndex: RULES.findIndex((rule) => rule.id === ruleId),
		level: LEVELS[severity],
		message: { text: withoutLinks(`${task} ${id}: ${text}`) },
		locations: place === null ? [] : [locationOf(place)],
		partialFingerprints: { primaryLocationLineHash: fingerprint(task, finding) },
		properties: { task, finding: id, state, blocking },
	};
}

// SARIF makes a link of `[text](target)`, also in plain text.
const withoutLinks = (text: string): string =>
	text.replaceAll(/\[(?=[^[\]]*\]\()/g, "\\[").replaceAll("](", "\\](");

export function locationOf({
	path,
	line,
}: {
	readonly path: string;
	readonly line: number;
}): object {
	const uri = path.toWellFormed().split("/").map(encodeURIComponent).join("/");
	const artifactLocation = { uri, uriBaseId: "%SRCROOT%" };
	return { physicalLocation: { artifactLocation, region: { startLine: line } } };
}

/** Place of a finding; null unless its file can be one of the repository: an agent wrote it. */
export function placeOf({
	file,
	line,
}: Pick<FindingReport, "file" | "line">): { readonly path: string; readonly line: number } | null {
	if (file === null || /^[A-Za-z][\w+.-]*:|\\|\p{Cc}/u.test(file)) return null;
	const path = file.replace(/^(?:\.\/)+/, "");
	if (path.split("/").some((part) => ["", ".", ".."].includes(part))) return null;
	return { path, line: line === null || line < 1 ? 1 : line };
}

// The same for the same words about the same file in any run, so that an alert is not opened twice.
function fingerprint(task: string, { file, issue }: FindingReport): string {
	const words = issue.toLowerCase().replaceAll(/\s+/g, " ").trim();
	const hash = createHash("sha256").update(JSON.stringify([task, file, words]));
	return `${hash.digest("hex").slice(0, 16)}:1`;
}
