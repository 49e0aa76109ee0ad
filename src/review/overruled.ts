import type { Finding, Ruling } from "./finding.ts";
import { isBlocking } from "./finding-state.ts";

function isRuledOut({ state, ruling }: Finding): boolean {
	return state === "overruled" && ruling?.decision === "PASS";
}

/** The findings of a subtask that were decided against the coach: it must not raise them again. */
export function overruledFindings(all: readonly Finding[], subtask: string | null): Finding[] {
	return all.filter((finding) => isRuledOut(finding) && (finding.subtask ?? null) === subtask);
}

/** The findings of the coach that were decided against it in this turn; a verifier's tests are none. */
export function overruledIn(all: readonly Finding[], turn: number): Finding[] {
	return all.filter(
		(finding) =>
			isRuledOut(finding) && finding.ruling?.turn === turn && finding.source !== "verification",
	);
}

export interface Remainder {
	readonly closed: readonly Finding[];
	readonly open: readonly Finding[];
	readonly met: ReadonlySet<string>;
	/** Whether the refusal rested on what was overruled: then, with nothing else in the way, it is an approval. */
	readonly isAllThatStood: boolean;
}

/**
 * A coach's round as if it had withdrawn the overruled findings, and called the criteria that they name met.
 *
 * A criterion stays unmet while a finding of the coach's own speaks against it, or one that was disputed by itself: each
 * dispute has its own ruling, and one must not undo another. A refusal rested on what was overruled when a finding that
 * blocked was among it and what is left open is minor, or nothing is left at all: a grave finding that came too late to
 * block may be why the coach refused.
 *
 * @param overruled of this turn
 * @param left the findings that are open beside them
 */
export function remainder(overruled: readonly Finding[], left: readonly Finding[]): Remainder {
	const rulings = new Map<string, Ruling>();
	for (const { criterion, ruling } of overruled) {
		if (criterion !== null && ruling != null) rulings.set(criterion, ruling);
	}
	const against = left
		.filter(({ source, state }) => source === "coach" || state === "upheld")
		.map(({ criterion }) => criterion);
	const met = new Set([...rulings.keys()].filter((criterion) => !against.includes(criterion)));
	const closed = left.flatMap((finding): Finding[] => {
		const { source, criterion } = finding;
		const ruling = criterion !== null && met.has(criterion) ? rulings.get(criterion) : undefined;
		if (source !== "criterion" || ruling === undefined) return [];
		return [{ ...finding, state: "overruled", ruling }];
	});
	const gone = new Set(closed.map(({ id }) => id));
	const open = left.filter(({ id }) => !gone.has(id));
	return {
		met,
		open,
		closed,
		isAllThatStood:
			open.length === 0 ||
			(overruled.some((finding) => isBlocking({ ...finding, state: "upheld" })) &&
				open.every(({ severity }) => severity === "minor")),
	};
}
