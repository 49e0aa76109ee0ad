import type { Finding } from "./finding.ts";

/** Whether a finding was decided against the coach, by a tie-breaker or a person. */
function isRuledOut({ state, ruling }: Finding): boolean {
	return state === "overruled" && ruling?.decision === "PASS";
}

/** The findings of a subtask that were decided against the coach: it must not raise them again. */
export function overruledFindings(all: readonly Finding[], subtask: string | null): Finding[] {
	return all.filter((finding) => isRuledOut(finding) && (finding.subtask ?? null) === subtask);
}

/**
 * The criteria that a ruling settled: an overruled finding names them, and nothing was raised against them since.
 *
 * A finding on the criterion that was raised after the ruling is new ground, and ends what the ruling says of it, unless
 * it was withdrawn or overruled itself. One that stood beside the overruled finding does not.
 *
 * @param all every finding of the task, in any state
 * @param subtask the one that is worked on; null where the task has none
 */
export function settledCriteria(
	all: readonly Finding[],
	subtask: string | null,
): ReadonlySet<string> {
	const counted = all.filter(
		({ subtask: place, state }) =>
			(place ?? null) === subtask && state !== "withdrawn" && state !== "overruled",
	);
	const standing = overruledFindings(all, subtask).filter(
		({ criterion, ruling }) =>
			!counted.some(
				(other) => other.criterion === criterion && other.raisedTurn > (ruling?.turn ?? 0),
			),
	);
	return new Set(standing.flatMap(({ criterion }) => (criterion === null ? [] : [criterion])));
}
