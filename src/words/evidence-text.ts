import { counted } from "../kernel/counted.ts";
import { countAt, fieldAt, wordsOf } from "../kernel/fields.ts";
import { formatUsd } from "../kernel/money.ts";
import { checkBehind, checkWords } from "../kernel/replayed.ts";
import type { AnsweredPlace } from "../kernel/suspected-place.ts";
import { textAt } from "../kernel/text-at.ts";
import { oneLine } from "../kernel/visible-text.ts";
import type { EventData } from "../trace/event.ts";

/** A check by name; an item of a checklist by its text. */
export function renderCheckName({
	check,
	item,
}: {
	readonly check: string;
	readonly item?: string | undefined;
}): string {
	if (item !== undefined) return `checklist item "${oneLine(item)}"`;
	return checkBehind({ check }) === check ? `check ${check}` : checkWords(check);
}

/**
 * The reason of a check, behind what its output says of the cause: what a program printed tells a person more than that
 * no result was found.
 *
 * @example `"No module named pytest" (no tests ran)`
 */
export function withCause(
	said: readonly string[] | undefined,
	reason: string | null,
): string | null {
	if (said === undefined || said.length === 0) return reason;
	const cause = said.map((line) => `"${oneLine(line)}"`).join(", ");
	return reason === null ? cause : `${cause} (${reason})`;
}

/**
 * Counts of test cases as a short text; `""` without counts.
 *
 * @example `{ total: 12, passed: 11, failed: 1 }` gives `"11 of 12 passed, 1 failed"`
 */
export function renderCounts(counts: unknown): string {
	const total = countAt(counts, "total");
	if (total === null) return "";
	const of = (name: string): number => countAt(counts, name) ?? 0;
	const others = [
		[of("failed"), "failed"],
		[of("skipped"), "skipped"],
		[of("known_failing"), "known failing"],
	] as const;
	return [
		`${of("passed")} of ${total} passed`,
		...others.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`),
	].join(", ");
}

type Mutants = NonNullable<EventData["check-ran"]["mutants"]>;

/** @example `14 of 16 mutants of the changed lines detected, 2 survived` */
export function renderMutants({
	detected,
	undetected,
	pending,
}: Omit<Mutants, "survivors">): string {
	const open = pending === 0 ? "" : `, ${pending} not run in time`;
	return `${detected} of ${detected + undetected} mutants of the changed lines detected, ${undetected} survived${open}`;
}

export function renderSurvivor({
	file,
	line,
	operator,
	old,
	new: fresh,
}: Mutants["survivors"][number]): string {
	return `survived: ${oneLine(file)}:${line} (${oneLine(operator)}): ${oneLine(old, 200)} -> ${oneLine(fresh, 200)}`;
}

/**
 * A suspicion with what was said of it.
 *
 * @example `s-1f2e3d4c at src/a.js:3 (ends_process): accepted by the coach: the command line's own exit`
 */
export function suspicionText(suspicion: AnsweredPlace): string {
	const { id, kind, rule = kind, ok, reason, by } = suspicion;
	const why = reason === null || reason === "" ? "" : `: ${oneLine(reason, 400)}`;
	const word =
		ok === null ? "not answered" : `${ok ? "accepted" : "not accepted"} by the ${by ?? "coach"}`;
	return `${oneLine(id)} at ${oneLine(textAt(suspicion))} (${oneLine(rule)}): ${word}${why}`;
}

/**
 * A remark to follow the coach's decision if it approved without trying to break the work; else `""`.
 *
 * @param attempts undefined if the coach handed in no report
 */
export function renderUntried(
	decision: string | null,
	attempts: readonly unknown[] | undefined,
): string {
	return decision === "approve" && attempts?.length === 0
		? ", without any attempt to break the work"
		: "";
}

export function renderAttempts(
	attempts: readonly NonNullable<EventData["turn-judged"]["attempts"]>[number][],
	limit: number,
): string[] {
	return attempts.map(({ what, command, outcome }) => {
		const run = what === "" || command === "" ? `${what}${command}` : `${what} (${command})`;
		return oneLine(outcome === "" ? run : `${run}: ${outcome}`, limit);
	});
}

/**
 * A problem that a preflight found, as one visible line of at most `limit` characters.
 *
 * @example `check tests: "sh: 1: jest: not found" (exit code 127)`
 */
export function preflightProblem(
	{ kind, check, reason, said }: EventData["preflight-ended"]["problems"][number],
	limit: number,
): string {
	const what =
		kind === "setup"
			? "setup"
			: kind === "all_fail"
				? "every test case fails"
				: `check ${check ?? ""}`;
	const why = withCause(said, reason);
	return why === null || why === "" ? what : `${what}: ${oneLine(why, limit)}`;
}

/** Cost of one call in US dollars, as its event tells it; null where nobody knows. */
export function knownCost(usage: unknown): number | null {
	return countAt(usage, "costUsd");
}

/** The same after a comma; `""` where nobody knows, which a line for each call need not repeat. */
export function renderKnownCost(usage: unknown): string {
	const cost = knownCost(usage);
	return cost === null ? "" : `, ${formatUsd(cost)}`;
}

export function renderCallUsage(usage: unknown): string {
	const model = wordsOf(fieldAt(usage, "model"));
	const cost = knownCost(usage);
	const name = model === null ? "" : `, ${oneLine(model, 80)}`;
	return `${name}, ${cost === null ? "cost unknown" : formatUsd(cost)}`;
}

/** Cost of calls: `"$0.42, 1 call of unknown cost"`; `"cost unknown"` where nobody knows any. */
export function costText({
	cost_usd: cost,
	unknown_cost_calls: unknown,
}: {
	readonly cost_usd: number | null;
	readonly unknown_cost_calls: number;
}): string {
	if (cost === null) return "cost unknown";
	return `${formatUsd(cost)}${unknown === 0 ? "" : `, ${counted(unknown, "call")} of unknown cost`}`;
}

/** Numbers of scores: `"12 scores with an outcome, 3 without an outcome yet"`. */
export function scoresText({
	count,
	waiting,
	unscored,
}: Readonly<Record<"count" | "waiting" | "unscored", number>>): string {
	return [
		`${counted(count, "score")} with an outcome`,
		...(waiting === 0 ? [] : [`${waiting} without an outcome yet`]),
		...(unscored === 0 ? [] : [`${unscored} without a value`]),
	].join(", ");
}

/**
 * A failure in one line as its test tells it, without the places in code through which it came.
 *
 * @example `failureMessage("adds: 3 !== 4\n    at run (node:internal)")` is `"adds: 3 !== 4"`
 */
export function failureMessage(detail: string): string {
	const [own = ""] = detail.split(/\n\s*(?:at |\[?Error \[ERR_TEST_FAILURE\])/);
	return oneLine(own.replace(/ \{\s*$/, ""));
}

/**
 * Runs of the project's tests and setup, with what kept results saved.
 *
 * @example `"tests 3 times, 1 saved; setup once, 2 saved"`; `""` where there was none of either
 */
export function suiteWorkText(work: {
	readonly suite_runs: number;
	readonly suite_runs_saved: number;
	readonly setups: number;
	readonly setups_saved: number;
}): string {
	const told = (what: string, times: number, saved: number): string[] => {
		if (times + saved === 0) return [];
		return [`${what} ${timesText(times)}${saved === 0 ? "" : `, ${saved} saved`}`];
	};
	return [
		...told("tests", work.suite_runs, work.suite_runs_saved),
		...told("setup", work.setups, work.setups_saved),
	].join("; ");
}

const timesText = (times: number): string => (times === 1 ? "once" : `${times} times`);

/** Lines of a place that was weakened: where it is, and what stood and stands there. */
export function weakenedLines({
	before,
	after,
	...at
}: NonNullable<EventData["integrity-checked"]["weakened"]>[number]): readonly string[] {
	if (before.length + after.length === 0) return [];
	const marked = (mark: string, lines: readonly string[]): string[] =>
		lines.map((line) => `  ${mark} ${oneLine(line, 160)}`);
	return [`weakened: ${oneLine(textAt(at))}`, ...marked("-", before), ...marked("+", after)];
}
