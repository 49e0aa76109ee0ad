import { appendFile, stat, writeFile } from "node:fs/promises";
import type { RunResult } from "../app/report/run-result.ts";
import type { Sparring } from "../app/sparring.ts";
import type { Shell } from "./shell.ts";

/** GitHub refuses a step's summary above 1 MiB; below it there is room for what others write. In bytes. */
const MAX_SUMMARY = 1_000_000;

/** GitHub shows ten annotations of a kind a step. */
const MOST_ANNOTATIONS = 10;

/**
 * On GitHub Actions, adds the report of a run to the summary of the step, and annotates findings that block, at
 * their places. Elsewhere nothing. A summary that cannot be written is a remark and changes no exit code.
 */
export async function tellGithub(
	shell: Pick<Shell, "env" | "err">,
	sparring: Pick<Sparring, "result">,
	runId: string,
): Promise<void> {
	const file = shell.env["GITHUB_STEP_SUMMARY"];
	if (shell.env["GITHUB_ACTIONS"] !== "true" || file === undefined || file === "") return;
	try {
		const result = await sparring.result(runId);
		const { markdownOf } = await import("../app/report/markdown.ts");
		const { placeOf } = await import("../app/report/sarif.ts");
		for (const line of annotations(result, placeOf)) shell.err.write(line);
		await append(file, `${markdownOf(result, MAX_SUMMARY - 1)}\n`);
	} catch (error) {
		const why = error instanceof Error ? error.message : "unknown reason";
		shell.err.print(`note: the step summary of GitHub could not be written: ${why}\n`);
	}
}

/** What stood there before gives way when both are too much. */
async function append(file: string, text: string): Promise<void> {
	const before = await stat(file).then(
		({ size }) => size,
		() => 0,
	);
	const fits = before + Buffer.byteLength(text) <= MAX_SUMMARY;
	await (fits ? appendFile(file, text) : writeFile(file, text));
}

type Place = typeof import("../app/report/sarif.ts")["placeOf"];

function annotations({ tasks }: RunResult, placeOf: Place): string[] {
	const lines = tasks.flatMap(({ id, findings }) =>
		findings.flatMap((finding) => {
			if (!finding.blocking) return [];
			const place = placeOf(finding);
			const at = place === null ? "" : `file=${property(place.path)},line=${place.line},`;
			const title = property(`${id} ${finding.id}, ${finding.severity}`);
			return [`::error ${at}title=${title}::${data(finding.issue)}\n`];
		}),
	);
	return lines.slice(0, MOST_ANNOTATIONS);
}

/** What would end a workflow command, or begin another part of it, is written as GitHub's runner reads it. */
const data = (text: string): string =>
	text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");

const property = (text: string): string => data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
