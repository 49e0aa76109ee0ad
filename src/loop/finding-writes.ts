import type { Finding } from "../review/finding.ts";
import { isBlocking } from "../review/finding-state.ts";
import type { Write } from "../store/records.ts";
import type { FindingArgument } from "../trace/event.ts";
import { eventWrite, type Site, type TaskContext } from "./context.ts";

/** Longest text and longest evidence of an argument in an event, in UTF-16 code units; reports have all of it. */
const LONGEST_ARGUMENT = 4_000;

/** A text as an event holds it: trimmed, and cut with an ellipsis. */
function shortened(text: string): string {
	const whole = text.trim();
	return whole.length <= LONGEST_ARGUMENT
		? whole
		: `${whole.slice(0, LONGEST_ARGUMENT - 1)}…`.toWellFormed();
}

function argumentOf(argument: FindingArgument | null): FindingArgument | null {
	if (argument === null) return null;
	const text = shortened(argument.text);
	const evidence = shortened(argument.evidence ?? "");
	if (text === "" && evidence === "") return null;
	return { by: argument.by, text, evidence: evidence === "" ? null : evidence };
}

/**
 * A finding as it is from now on, with the event that says so.
 *
 * @param argument what was said for the change, masked already; null where nothing was. Blank ones are left out of
 * the event, long ones are cut there
 */
export function findingWrites(
	context: Pick<TaskContext, "run" | "task" | "clock">,
	site: Site,
	finding: Finding,
	argument: FindingArgument | null = null,
): Write[] {
	const said = argumentOf(argument);
	return [
		{ kind: "finding", runId: context.run.runId, taskId: context.task.id, finding },
		eventWrite(context, site, "finding-changed", {
			finding: finding.id,
			state: finding.state,
			severity: finding.severity,
			issue: finding.issue,
			blocking: isBlocking(finding),
			...(said === null ? {} : { argument: said }),
		}),
	];
}
