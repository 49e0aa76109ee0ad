import { whoseFault } from "../checks/fault-side.ts";
import { judgeCheck } from "../checks/judge.ts";
import { failedIds, splitFailing } from "../checks/judge-results.ts";
import type { Evidence, TestCase } from "../evidence/evidence.ts";
import { hasValue } from "../kernel/evidence-value.ts";
import { type Suspicion, suspicion } from "../wall/suspicion.ts";
import type { CheckDefinition } from "../workflow/workflow.ts";
import { keepEvidence } from "./check-suite.ts";
import { ENVIRONMENT_RETRIES, type Stand } from "./stand.ts";
import { runTrial } from "./surroundings.ts";

/** Said of what passed on the base when its evidence was kept. */
export const BY_NOW = "it fails on the base by now, too";

/**
 * The base's evidence for a check whose work is red. Where it is kept from an earlier run or check it is made again, once;
 * what is red now and was not when it was kept is marked. What is kept stays: its being green is what asks.
 */
async function baseByNow(ground: Stand, start: string, before: Evidence): Promise<Evidence> {
	if (before.startedAt >= ground.run.createdAt) return before;
	const check = ground.workflow.checks.find(({ name }) => name === before.check);
	if (before.status !== "pass" || check?.kind !== "acceptance" || check.baseline === "strict")
		return before;
	const tried = await runTrial(ground, start, { short: [before], files: null });
	const again = "evidence" in tried ? tried.evidence.get(before.check) : undefined;
	if (again === undefined || !hasValue(again.status)) return before;
	const wasRed = failedIds(before.cases);
	const cases = again.cases?.map((one): TestCase => {
		const isNews = one.status === "failed" && !wasRed.has(one.id);
		return isNews ? { ...one, byNow: true } : one;
	});
	const now = { ...again, cases: cases ?? null };
	await keepEvidence(ground, 0, now);
	return now;
}

/** Cases that a base fails by now, and did not when its evidence was kept. */
export function redByNow(base: Evidence | undefined): ReadonlySet<string> {
	return new Set((base?.cases ?? []).flatMap(({ id, byNow }) => (byNow === true ? [id] : [])));
}

/**
 * Suspicions of cases that do not count since the base fails them by now: the work ran before the base did, and may be
 * what made it red.
 */
export function excusedByNow({ baseline, checked }: Compared): Suspicion[] {
	return checked.flatMap(({ check, cases }) => {
		const base = baseline.get(check);
		const news = redByNow(base);
		const ids = splitFailing(cases, base).known.flatMap(({ id }) => (news.has(id) ? [id] : []));
		if (ids.length === 0) return [];
		const text = ids.map((id) => `- ${id}`).join("\n");
		return [suspicion({ rule: "red_by_now", file: check, line: null, text }, ids)];
	});
}

/** Evidence of a commit's checks, and of its base by their names. */
export interface Compared {
	readonly baseline: ReadonlyMap<string, Evidence>;
	readonly checked: readonly Evidence[];
}

/** Asks a base that was kept once more where the work is red, before that is blamed on the work. */
export async function comparedByNow(
	ground: Stand,
	start: string,
	given: Compared,
): Promise<Compared> {
	const baseline = new Map(given.baseline);
	const checked: Evidence[] = [];
	for (const piece of given.checked) {
		const before = baseline.get(piece.check);
		const check = ground.workflow.checks.find(({ name }) => name === piece.check);
		const isRed = piece.status === "fail" && whoseFault(piece, before) === "player";
		const now = isRed && before !== undefined ? await baseByNow(ground, start, before) : before;
		if (now === undefined || before === undefined || now === before || check === undefined) {
			checked.push(piece);
			continue;
		}
		baseline.set(piece.check, now);
		const again = judgedAgainst(piece, check, now);
		// Another execution gave it, which is not made again.
		const last = ground.evidence.attempt(ENVIRONMENT_RETRIES);
		if (again !== piece) await keepEvidence(ground, last, again, true);
		checked.push(again);
	}
	return { baseline, checked };
}

// Without cases only its reason tells of it.
function judgedAgainst(piece: Evidence, check: CheckDefinition, now: Evidence): Evidence {
	const { exitCode, cases } = piece;
	if (now.status === "pass" || exitCode === null) return piece;
	if (cases === null) return { ...piece, reason: `${piece.reason}; ${BY_NOW}` };
	const process = { exitCode, signal: null, timedOut: false, started: true, startError: null };
	const report = { kind: "cases", cases } as const;
	const { status, reason, counts } = judgeCheck({ check, process, report, baseline: now });
	const news = redByNow(now);
	const { newly, known } = splitFailing(cases, now);
	const details = [
		...piece.details.filter((text) => newly.some(({ id }) => text.startsWith(id))),
		...known.map(({ id }) => `known failing: ${id}${news.has(id) ? `: ${BY_NOW}` : ""}`),
	];
	return { ...piece, status, reason, counts, details };
}
