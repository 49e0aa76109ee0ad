import type { FindingReport } from "../../app/sparring.ts";
import { EXIT } from "../exit-code.ts";
import { type Paint, paintFor } from "../paint.ts";
import { printJson, type Shell, withSparring } from "../shell.ts";
import { indented, oneLine } from "../visible-text.ts";

/** Options of `spar findings`. */
export interface FindingsFlags {
	readonly run?: string;
	readonly json?: boolean;
}

function placeOf({ file, line }: FindingReport): string {
	if (file === null) return "";
	return `  ${oneLine(file)}${line === null ? "" : `:${line}`}`;
}

function lifeOf({ raised_turn: raised, changed_turn: changed, state }: FindingReport): string {
	return changed === raised
		? `raised in turn ${raised}`
		: `raised in turn ${raised}, ${state} since turn ${changed}`;
}

function findingText(finding: FindingReport, paint: Paint): string {
	const { id, state, severity, blocking, late, criterion, suggestion, subtask, dispute } = finding;
	const marks = [
		...(blocking ? [paint("bad", "blocking")] : []),
		...(late ? [paint("quiet", "late")] : []),
	];
	const notes = [
		...(criterion === null ? [] : [`criterion: ${criterion}`]),
		...(suggestion === null ? [] : [`suggestion: ${suggestion}`]),
		...(subtask === null ? [] : [`subtask: ${subtask}`]),
		...(dispute === null ? [] : [`disputed in turn ${dispute.turn}: ${dispute.reason}`]),
		...(dispute?.evidence == null ? [] : [`its evidence: ${dispute.evidence}`]),
	];
	return [
		`${[paint("strong", id), severity, state, ...marks].join(" ")}  ${lifeOf(finding)}${placeOf(finding)}`,
		indented(finding.issue, "  "),
		...notes.map((note) => indented(note, "    ")),
	].join("\n");
}

/** `spar findings`: every finding of a task with its life, settled ones too. */
export async function findings(shell: Shell, task: string, flags: FindingsFlags): Promise<number> {
	return await withSparring(shell, "read", async (sparring) => {
		const all = await sparring.findings(task, flags.run);
		const paint = paintFor(shell.out, shell.env);
		if (flags.json === true) printJson(shell, all);
		else if (all.length === 0) shell.err.write("no findings\n");
		else shell.out.write(`${all.map((finding) => findingText(finding, paint)).join("\n")}\n`);
		return EXIT.done;
	});
}
