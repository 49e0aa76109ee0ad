import type { Evidence } from "../../evidence/evidence.ts";
import { hasValue } from "../../kernel/evidence-value.ts";
import { checkBehind } from "../../kernel/replayed.ts";
import { type Suspicion, suspicion } from "../suspicion.ts";
import type { ReplayInput } from "./judge-replay.ts";

const UNSTEADY = "flaky: red, then green, in two replays of the same tree";

type Sides = Pick<ReplayInput, "before" | "own" | "isExcused">;

/** Cases that a judged replay blames on the work, although its own run passed them; without names the check. */
export function redIn({ before, own, isExcused }: Sides, { cases, status }: Evidence): string[] {
	if (before?.cases == null || cases === null) return status === "fail" ? [own.check] : [];
	const now = new Map(cases.map((one) => [one.id, one.status]));
	const turn = new Map((own.cases ?? []).map((one) => [one.id, one.status]));
	const failed = cases.filter((one) => one.status === "failed");
	const ids = new Set([...before.cases, ...failed].map(({ id }) => id));
	return [...ids].filter(
		(id) => now.get(id) !== "passed" && !isExcused(id) && (turn.get(id) ?? "passed") === "passed",
	);
}

/** A replay whose cases gave two results; as it is where there are none. */
export function unsteady(piece: Evidence, ids: readonly string[]): Evidence {
	return ids.length === 0 ? piece : { ...piece, status: "pass", reason: UNSTEADY, details: ids };
}

/** Tells whether a replay passed at a second try alone. */
export function isUnsteady({ kind, status, reason }: Evidence): boolean {
	return kind === "replay" && status === "pass" && reason === UNSTEADY;
}

/** Of two replays of one tree: what is red in both is the work's, and what is red in one is asked about. */
export function judgedTwice(sides: Sides, first: Evidence, second: Evidence): Evidence {
	if (first.status !== "fail" || !hasValue(second.status)) return first;
	const [was, again] = [redIn(sides, first), redIn(sides, second)];
	const isApart = was.length > 0 && again.length > 0 && !was.some((id) => again.includes(id));
	if (second.status === "fail" && !isApart) return first;
	const ids = [...was, ...again];
	return unsteady(second, ids.length === 0 ? [sides.own.check] : ids);
}

/** Suspicions of cases that gave two results on one tree: chance blames nobody, and clears nobody. */
export function unsteadyIn(evidence: readonly Evidence[]): Suspicion[] {
	const found = evidence.filter(isUnsteady).map((piece) => {
		const { details } = piece;
		const text = details.map((id) => `- ${id}`).join("\n");
		const file = checkBehind(piece);
		return suspicion({ rule: "flaky", file, line: null, text }, details);
	});
	return [...new Map(found.map((one) => [one.id, one])).values()];
}
