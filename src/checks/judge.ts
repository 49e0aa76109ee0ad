import type { Evidence } from "../evidence/evidence.ts";
import { countsOf, type InvalidReport } from "../formats/reports/parsed-report.ts";
import { newResults } from "../formats/sarif/new-results.ts";
import type { PlacedResult } from "../formats/sarif/place-results.ts";
import { formatDuration } from "../kernel/duration.ts";
import { hasValue } from "../kernel/evidence-value.ts";
import { limitOf } from "./definition.ts";
import { failedIds, failsNewly, judgeResults } from "./judge-results.ts";
import {
	type BaselineView,
	type JudgeInput,
	type Judgement,
	type ListedProblems,
	noValue,
	type ReportOutcome,
} from "./judgement.ts";

/**
 * A problem that the baseline has too is known and does not count; a new one fails the check, whatever its exit code.
 */
function judgeProblems(
	{ results, ignored }: ListedProblems,
	exitCode: number,
	baseline: BaselineView | undefined,
): Judgement {
	const before = (baseline?.results?.fingerprints ?? []).map((fingerprint) => ({ fingerprint }));
	const { fresh, silenced, known, weight } = newResults(results, before);
	// Suppressed results and those of level `none` do not explain a non-zero exit code.
	const open = known.filter(({ suppressed, level }) => !suppressed && level !== "none");
	const details = [
		...fresh.map(described),
		...silenced.map((result) => `new and suppressed: ${described(result)}`),
		...open.map((result) => `known: ${described(result)}`),
		...(ignored === 0 ? [] : [`${ignored} outside of the checkout were ignored`]),
	];
	const fingerprints = results.map(({ fingerprint }) => fingerprint);
	const figures = { fresh: fresh.length, weight, fingerprints };
	const judged = (status: Judgement["status"], reason: string | null): Judgement => {
		return { status, reason, counts: null, details, started: true, results: figures };
	};
	if (results.length === 0 && ignored > 0) {
		return judged("error", `all ${ignored} problems of the report are outside of the checkout`);
	}
	if (fresh.length > 0) {
		const problems = fresh.length === 1 ? "problem" : "problems";
		return judged("fail", `${fresh.length} ${baseline === undefined ? "" : "new "}${problems}`);
	}
	if (exitCode === 0) return judged("pass", null);
	const unexplained = whyUnexplained(open.length, baseline);
	return unexplained === undefined
		? judged("pass", null)
		: judged("fail", `exit code ${exitCode}, although ${unexplained}`);
}

function whyUnexplained(known: number, baseline: BaselineView | undefined): string | undefined {
	if (known === 0) return "the report lists no problem";
	return baseline?.exitCode === 0
		? "the baseline exited with 0 despite the same problems"
		: undefined;
}

function described({ rule, level, path, line, message }: PlacedResult): string {
	const place = path === null ? "" : `${path}${line === null ? "" : `:${line}`} `;
	return `${place}${level} ${rule}: ${message}`;
}

const TOLERATED = "tolerated: ";

const HOW_TO_REPORT =
	"have the check write a report (`report: { format: junit, path: ... }`), or judge it by its exit code alone (`report: { format: exit }`)";

export function isTolerated(evidence: Pick<Evidence, "status" | "reason">): boolean {
	return evidence.status === "absent" && evidence.reason?.startsWith(TOLERATED) === true;
}

/**
 * Judges one run of a check. It passes only if the command finished, its results exist and are valid, at least one
 * test ran if tests are expected, nothing newly fails, and the exit code is 0 or known failures explain it.
 *
 * @example exit code 0 with a report without cases is `absent`, "no tests ran (exit code 0)"
 */
export function judgeCheck(input: JudgeInput): Judgement {
	const { exitCode, signal } = input.process;
	const stopped = judgeStart(input);
	if (stopped !== undefined) return stopped;
	if (signal !== null || exitCode === null) {
		// Nobody's own work ends like this: somebody killed it, or the machine ran out of memory.
		const fromOutside = signal === "SIGKILL";
		return noValue("error", `the command was killed by ${signal ?? "a signal"}`, !fromOutside);
	}
	return judgeExecution(exitCode) ?? judgeReport(input, exitCode);
}

/** The results of a run that did not start or was stopped do not count. */
function judgeStart({ process, check, baseline }: JudgeInput): Judgement | undefined {
	if (!process.started) {
		return noValue("error", `could not start: ${process.startError ?? "unknown cause"}`, false);
	}
	if (!process.timedOut) return undefined;
	const took =
		baseline !== undefined && hasValue(baseline.status)
			? `; the base took ${formatDuration(baseline.ms)}`
			: "";
	return noValue("error", `${TIMED_OUT}${formatDuration(limitOf(check, baseline))}${took}`);
}

const TIMED_OUT = "timed out after ";

/** Tells whether a limit of time ended a run. */
export const isTimedOut = ({ status, reason }: Pick<Evidence, "status" | "reason">): boolean =>
	status === "error" && reason?.startsWith(TIMED_OUT) === true;

const KILLED = 137;

const EXECUTION: ReadonlyMap<number, string> = new Map([
	[126, "could not be executed"],
	[127, "was not found"],
	[KILLED, "was killed by SIGKILL"],
]);

// The shell's exit codes for a program that it could not run, or that was killed, as a machine short of memory does.
// The shell itself did start, so if the check had a value at the baseline, the player broke a program that is not
// there.
function judgeExecution(exitCode: number): Judgement | undefined {
	const cause = EXECUTION.get(exitCode);
	if (cause === undefined) return undefined;
	const reason = `a program in the command ${cause} (exit code ${exitCode})`;
	return noValue("error", reason, exitCode !== KILLED);
}

function judgeReport(input: JudgeInput, exitCode: number): Judgement {
	const { report } = input;
	const known = input.check.baseline === "strict" ? undefined : input.baseline;
	switch (report.kind) {
		case "missing":
			return noValue("absent", report.reason);
		case "blocked":
			return noValue("error", report.reason);
		case "invalid":
			return judgeBroken(input, report, known);
		case "none":
			return judgeUnread(input, report, exitCode);
		case "coverage":
		case "mutants":
			return judgeExit(input, exitCode);
		case "results":
			return redAgain(judgeProblems(report, exitCode, known), input);
		case "cases": {
			const results = { counts: countsOf(report.cases), cases: report.cases };
			return redAgain(judgeResults(results, exitCode, known), input);
		}
		case "counts":
			return redAgain(
				withHint(
					judgeResults({ counts: report.counts, cases: null }, exitCode, known),
					report.hint,
				),
				input,
			);
	}
}

// An invalid report is an error, unless it contains a failure that the baseline does not have.
function judgeBroken(
	input: JudgeInput,
	{ reason, failed = [] }: InvalidReport,
	known: JudgeInput["baseline"],
): Judgement {
	const error = noValue("error", `the report is invalid: ${reason}`);
	// It cannot be determined which problems are new.
	if ((known?.results?.fingerprints.length ?? 0) > 0) return error;
	const before = failedIds(known?.cases);
	const newly = failed.filter((name) => !before.has(name));
	if (newly.length === 0) return error;
	const what = newly.length === 1 ? "1 failure is" : `${newly.length} failures are`;
	const said = `${what} in an invalid report: ${reason}`;
	const judged: Judgement = { ...error, status: "fail", reason: said, details: newly };
	return known?.cases == null ? redAgain(judged, input) : judged;
}

function withHint(judgement: Judgement, hint: string | undefined): Judgement {
	return hint === undefined || judgement.status !== "absent"
		? judgement
		: { ...judgement, reason: `${judgement.reason}; ${hint}` };
}

/** Without results an acceptance check has a value only where the file says that its exit code is one. */
function judgeUnread(
	input: JudgeInput,
	{ line, noTests }: Extract<ReportOutcome, { kind: "none" }>,
	exitCode: number,
): Judgement {
	if (noTests !== undefined) {
		return noValue("absent", `no tests ran: the output says "${noTests}" (exit code ${exitCode})`);
	}
	if (input.check.kind !== "acceptance" || input.check.report?.format === "exit") {
		return judgeExit(input, exitCode);
	}
	const unread = line === undefined ? "" : `; not understood: "${line}"`;
	return noValue(
		"absent",
		`no test results were recognised in the output (exit code ${exitCode}${unread}); ${HOW_TO_REPORT}`,
	);
}

function judgeExit(input: JudgeInput, exitCode: number): Judgement {
	const judged = { counts: null, details: [], started: true };
	if (exitCode === 0) return { ...judged, status: "pass", reason: null };
	return redAgain({ ...judged, status: "fail", reason: `exit code ${exitCode}` }, input);
}

// Without names nobody can tell whether these are the same.
const redBefore = ({ counts, cases }: BaselineView): string =>
	cases === null && (counts?.failed ?? 0) > 0 ? `${counts?.failed} failed` : "it failed";

function redAgain(judgement: Judgement, { check, baseline, report }: JudgeInput): Judgement {
	if (judgement.status !== "fail" || baseline?.status !== "fail") return judgement;
	if (check.baseline === "strict") return judgement;
	if (failsNewly(judgement, baseline, report.kind === "cases")) return judgement;
	const reason = String(judgement.reason);
	return check.baseline === "tolerate"
		? {
				...judgement,
				status: "absent",
				reason: `${TOLERATED}it failed at the baseline and still fails (${reason})`,
			}
		: {
				...judgement,
				reason: `${reason}; ${redBefore(baseline)} at the baseline too and must pass`,
			};
}
