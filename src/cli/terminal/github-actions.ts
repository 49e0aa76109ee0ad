import { appendFile, stat, writeFile } from "node:fs/promises";
import type { Sparring } from "../../library/sparring.ts";
import type { RunView } from "../../view/run-view.ts";
import type { Shell } from "./shell.ts";

// GitHub refuses a step's summary above 1 MiB; below it there is room for what others write.
const MAX_SUMMARY = 1_000_000;

const MOST_ANNOTATIONS = 10;

// A summary that cannot be written is a remark and changes no exit code.
export async function tellGithub(
	shell: Pick<Shell, "env" | "err">,
	sparring: Pick<Sparring, "result">,
	runId: string,
): Promise<void> {
	const file = shell.env["GITHUB_STEP_SUMMARY"];
	if (shell.env["GITHUB_ACTIONS"] !== "true" || file === undefined || file === "") return;
	try {
		const result = await sparring.result(runId);
		const { markdownOf } = await import("../../words/report/markdown.ts");
		const { placeOf } = await import("../../words/report/sarif.ts");
		for (const line of annotations(result, placeOf)) shell.err.write(line);
		await append(file, `${markdownOf(result, MAX_SUMMARY - 1)}\n`);
	} catch (error) {
		const why = error instanceof Error ? error.message : "unknown reason";
		shell.err.print(`note: the step summary of GitHub could not be written: ${why}\n`);
	}
}

// Words that stood there before give way when both are too much.
async function append(file: string, text: string): Promise<void> {
	const before = await stat(file).then(
		({ size }) => size,
		() => 0,
	);
	const fits = before + Buffer.byteLength(text) <= MAX_SUMMARY;
	await (fits ? appendFile(file, text) : writeFile(file, text));
}

function annotations(
	{ tasks }: RunView,
	placeOf: typeof import("../../words/report/sarif.ts")["placeOf"],
): string[] {
	const lines = tasks.flatMap(({ id, findings }) =>
		findings.flatMap((finding) => {
			if (!finding.blocking) return [];
			const title = `${id} ${finding.id}, ${finding.severity}`;
			return [annotation("error", { title, text: finding.issue, place: placeOf(finding) })];
		}),
	);
	return lines.slice(0, MOST_ANNOTATIONS);
}

/** A line that a runner of GitHub shows beside the code. */
export function annotation(
	level: "error" | "warning" | "notice",
	{
		title,
		text,
		place,
	}: {
		readonly title: string;
		readonly text: string;
		readonly place: { readonly path: string; readonly line: number } | null;
	},
): string {
	const at = place === null ? "" : `file=${property(place.path)},line=${place.line},`;
	return `::${level} ${at}title=${property(title)}::${data(text)}\n`;
}

const data = (text: string): string =>
	text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");

const property = (text: string): string => data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
