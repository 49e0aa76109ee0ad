import type { Field } from "./field.ts";
import type { Reporter } from "./reporter.ts";

/** Tasks run one after another for now; the contract's default is 2. */
const MOST_PARALLEL = 2;

/**
 * Reports each use of a feature that this version lacks, at the key; what equals a default is no use.
 *
 * Looks at the file as written, so that it also works on one that the schema refused.
 */
export function reportUnavailable(root: Field, report: Reporter): void {
	const say = sayer(report);
	const parallel = root.at("max_parallel");
	say(
		parallel,
		typeof parallel.value === "number" && parallel.value > MOST_PARALLEL,
		`max_parallel above ${MOST_PARALLEL}`,
	);
	for (const key of ["verifier", "planner"]) say(root.at(key), root.at(key).present, key);
	reportTask(root.at("defaults"), say);
	for (const { field: task } of root.at("tasks").entries()) reportTask(task, say);
}

type Say = (field: Field, isUsed: boolean, what: string) => void;

function sayer(report: Reporter): Say {
	return (field, isUsed, what) => {
		if (isUsed) report.keyError(field, `${what} is not available yet`, "leave it out for now");
	};
}

function reportTask(task: Field, say: Say): void {
	const verification = task.at("requires_verification");
	say(verification, verification.value === true, "requires_verification: true");
}
