import { isTolerated } from "../checks/judge.ts";
import { splitFailing } from "../checks/judge-results.ts";
import { idsOf } from "../checks/uncounted.ts";
import type { Evidence } from "../evidence/evidence.ts";
import { checkBehind } from "../kernel/replayed.ts";
import { BY_NOW, redByNow } from "./base-by-now.ts";

/** A test that the verdict does not count. */
export interface NotCounted {
	readonly test: string;
	readonly why: string;
}

/** Tests that say nothing for the verdict, such as those that fail on the base too. Each once, with the reason said first. */
export function notCountedIn(
	evidence: readonly Evidence[],
	baseline: ReadonlyMap<string, Evidence>,
): NotCounted[] {
	return onceEach(
		evidence.flatMap((piece) => uncountedOf(piece, baseline.get(checkBehind(piece)))),
	);
}

/** Each test once, with the reason said first. */
export function onceEach(all: readonly NotCounted[]): NotCounted[] {
	const named = all.map((one) => [one.test, one] as const);
	return [...new Map(named.toReversed()).values()].toReversed();
}

function uncountedOf(piece: Evidence, before: Evidence | undefined): NotCounted[] {
	const { check, kind, reason, counts, cases } = piece;
	const known = (counts?.knownFailing ?? 0) > 0 ? splitFailing(cases, before).known : [];
	const news = redByNow(before);
	const wasSkipped = new Set(idsOf(before?.cases ?? null, "skipped"));
	const skipped = kind === "acceptance" ? idsOf(cases, "skipped") : [];
	return [
		...(isTolerated(piece) ? [{ test: check, why: String(reason) }] : []),
		...known.map(({ id }) => ({ test: id, why: news.has(id) ? BY_NOW : FAILS_TOO })),
		...skipped.filter((id) => !wasSkipped.has(id)).map((test) => ({ test, why: NEWLY_SKIPPED })),
	];
}

/** Reason of a test that was red before. */
export const FAILS_TOO = "it fails on the base too";
const NEWLY_SKIPPED = "it is skipped, and on the base it is not";
