import type { RunView } from "../../view/run-view.ts";
import { type Block, type Inline, pieces } from "./block.ts";
import { type Case, msBetween, suitesOf, type TaskCases } from "./cases.ts";
import { escapeMarkup } from "./escape.ts";
import { markdownOf } from "./markdown.ts";
import { outlineOf } from "./outline.ts";
import { sarifOf } from "./sarif.ts";

function junitOf(result: RunView): string {
	const suites = suitesOf(result);
	const all = suites.flatMap(({ cases }) => cases);
	const { run, created_at: start, ended_at: end } = result;
	const attributes = {
		name: run.workflow,
		...counts(all),
		time: seconds(msBetween(start, end)),
		timestamp: start,
	};
	return `<?xml version="1.0" encoding="UTF-8"?>\n${element("testsuites", attributes, suites.map(suite))}\n`;
}

function suite({ task, cases }: TaskCases): string {
	const { id, started_at: start, ended_at: end } = task;
	const time = seconds(msBetween(start, end));
	const attributes = { name: id, ...counts(cases), time, timestamp: start };
	return element(
		"testsuite",
		attributes,
		cases.map((each) => testCase(id, each)),
	);
}

function testCase(task: string, { name, status, message, details, ms }: Case): string {
	const outcome = OUTCOMES[status];
	const said = { message: message ?? "" };
	const body = details.length === 0 ? [] : [escapeMarkup(details.join("\n"))];
	return element(
		"testcase",
		{ name, classname: task, time: seconds(ms) },
		outcome === null ? [] : [element(outcome, said, body)],
	);
}

// JUnit knows no case that is under way.
const OUTCOMES = {
	passed: null,
	failed: "failure",
	error: "error",
	skipped: "skipped",
	pending: "skipped",
} as const;

function counts(cases: readonly Case[]) {
	const count = (...of: Case["status"][]): number =>
		cases.filter(({ status }) => of.includes(status)).length;
	return {
		tests: cases.length,
		failures: count("failed"),
		errors: count("error"),
		skipped: count("skipped", "pending"),
	};
}

const seconds = (ms: number): string => (ms / 1_000).toFixed(3);

function element(
	name: string,
	attributes: Readonly<Record<string, string | number | null>>,
	content: readonly string[],
): string {
	const said = Object.entries(attributes).flatMap(([key, value]) =>
		value === null ? [] : [` ${key}="${escapeMarkup(String(value)).replaceAll("\n", "&#10;")}"`],
	);
	const start = `<${name}${said.join("")}`;
	return content.length === 0 ? `${start}/>` : `${start}>${content.join("\n")}</${name}>`;
}

const STYLE = `
body { font: 16px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; color: #1c1e21; background: #fff; }
table { border-collapse: collapse; margin: 0.5rem 0 1rem; width: 100%; }
th, td { border: 1px solid #c9ccd1; padding: 0.3rem 0.6rem; text-align: left; vertical-align: top; overflow-wrap: anywhere; }
th { background: #f2f3f5; }
code { font: 0.9em ui-monospace, monospace; }
h3 { margin-top: 2.5rem; border-top: 1px solid #c9ccd1; padding-top: 1rem; }
@media (prefers-color-scheme: dark) { body { color: #e4e6ea; background: #18191b; } th { background: #26282b; } }
`;

// No script, nothing that is loaded, every text escaped.
function htmlOf(result: RunView): string {
	const { run } = result;
	return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width">
<title>${escapeMarkup(`${run.workflow} ${run.run_id}`)}</title>
<style>${STYLE}</style>
</head>
<body>
${outlineOf(result).map(blockHtml).join("\n")}
</body>
</html>
`;
}

function blockHtml(block: Block): string {
	switch (block.kind) {
		case "heading":
			return `<h${block.level}>${inlineHtml(block.text)}</h${block.level}>`;
		case "paragraph":
			return `<p>${inlineHtml(block.text)}</p>`;
		case "table": {
			const head = block.head.map((name) => `<th scope="col">${escapeMarkup(name)}</th>`).join("");
			const rows = block.rows.map(
				(cells) =>
					`<tr>${cells.map((cell) => `<td>${inlineHtml(pieces(cell))}</td>`).join("")}</tr>`,
			);
			return `<table>\n<thead><tr>${head}</tr></thead>\n<tbody>\n${rows.join("\n")}\n</tbody>\n</table>`;
		}
		case "list": {
			const items = block.items.map((item) => `<li>${inlineHtml(pieces(item))}</li>`);
			return `<ul>\n${items.join("\n")}\n</ul>`;
		}
		case "details":
			return `<details>\n<summary>${escapeMarkup(block.summary)}</summary>\n${block.blocks.map(blockHtml).join("\n")}\n</details>`;
	}
}

function inlineHtml(text: readonly Inline[]): string {
	return text
		.map((piece) => {
			if (typeof piece === "string") return escapeMarkup(piece);
			return "code" in piece
				? `<code>${escapeMarkup(piece.code)}</code>`
				: `<strong>${escapeMarkup(piece.strong)}</strong>`;
		})
		.join("");
}

// CTRF has no word for a case without a result.
const STATUS = {
	passed: "passed",
	failed: "failed",
	error: "failed",
	skipped: "skipped",
	pending: "pending",
} as const satisfies Record<Case["status"], string>;

function ctrfOf(result: RunView): string {
	const { run, created_at: created, ended_at: ended } = result;
	const start = Date.parse(created);
	// Two machines may have written the two times.
	const stop = ended === null ? start : Math.max(start, Date.parse(ended));
	const tests = suitesOf(result).flatMap(({ task, cases }) =>
		cases.map(({ name, status, message, details, ms }) => ({
			name,
			status: STATUS[status],
			duration: ms,
			suite: [run.workflow, task.id],
			rawStatus: status,
			message: message ?? undefined,
			trace: details.length === 0 ? undefined : details.join("\n"),
		})),
	);
	const count = (wanted: string): number => tests.filter(({ status }) => status === wanted).length;
	const summary = {
		tests: tests.length,
		passed: count("passed"),
		failed: count("failed"),
		pending: count("pending"),
		skipped: count("skipped"),
		other: 0,
		suites: result.tasks.length,
		start,
		stop,
	};
	const environment = { reportName: `${run.workflow} ${run.run_id}`, branchName: run.branch };
	const results = { tool: { name: "Sparring" }, summary, tests, environment };
	return `${JSON.stringify({ reportFormat: "CTRF", specVersion: "0.1.0", results }, null, 2)}\n`;
}

/** The formats of a report by name. Adding one is an entry and a file. */
export const REPORT_FORMATS: Readonly<Record<string, (result: RunView) => string>> = {
	markdown: (result) => markdownOf(result),
	junit: junitOf,
	sarif: sarifOf,
	ctrf: ctrfOf,
	html: htmlOf,
};
