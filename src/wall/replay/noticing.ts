import type { Evidence, TestCase } from "../../evidence/evidence.ts";

type Run = Pick<Evidence, "status" | "cases" | "counts" | "exitCode">;

/** Cases that passed without a mutant and pass on it. */
export function passing(ids: readonly string[], run: Run): readonly string[] {
	const is = statusesOf(run.cases ?? []);
	return ids.filter((id) => is.get(id) === "passed");
}

/**
 * Cases that notice what is wrong with a mutant: they fail on it and do not without it. Null where nothing noticed it, or
 * where the run does not tell; empty where tests have no names.
 *
 * @param own the same tests without the mutant
 */
export function noticing(run: Run, own: Run): readonly string[] | null {
	if (run.cases !== null && own.cases !== null) {
		const was = statusesOf(own.cases);
		const red = run.cases.filter(({ id, status }) => status === "failed" && was.get(id) !== status);
		return red.length === 0 ? null : red.map(({ id }) => id);
	}
	const isWorse =
		run.counts !== null && own.counts !== null
			? run.counts.failed > own.counts.failed
			: own.exitCode === 0 && run.status === "fail";
	return isWorse ? [] : null;
}

const statusesOf = (cases: readonly TestCase[]): ReadonlyMap<string, TestCase["status"]> =>
	new Map(cases.map(({ id, status }) => [id, status]));
