import type { Evidence, TestCase } from "../../evidence/evidence.ts";
import { countsOf } from "../../formats/reports/parsed-report.ts";
import { hasValue } from "../../kernel/evidence-value.ts";

/** Canaries of one test file. */
export interface PlantedFile {
	readonly path: string;
	readonly names: readonly string[];
	/** Tells whether a case of a report stems from the file's own tests. */
	readonly isOwn: (caseId: string) => boolean;
}

export type Hearing =
	/** Every canary failed. The evidence is that of the other tests; null where these cannot be told apart. */
	| { readonly kind: "failed"; readonly evidence: Evidence | null }
	/** Some did not: the runner is disarmed, or it never ran them. */
	| { readonly kind: "quiet"; readonly names: readonly string[] };

/**
 * Listens to the canaries of a run. Without names of cases only their number tells, and without numbers the exit code.
 *
 * @param run judged like any run, so canaries made it fail
 * @param passedBefore how many tests passed on the base
 */
export function hear(
	run: Evidence,
	planted: readonly PlantedFile[],
	passedBefore: number,
): Hearing {
	const all = planted.flatMap(({ names }) => names);
	if (!hasValue(run.status) || run.exitCode === 0) return { kind: "quiet", names: all };
	if (run.cases !== null) return hearCases(run, run.cases, planted);
	const { counts } = run;
	if (counts === null) return { kind: "failed", evidence: null };
	const isWhole = counts.failed === all.length && counts.passed >= passedBefore;
	if (!isWhole) return { kind: "quiet", names: all };
	const rest = { ...counts, failed: 0, total: counts.total - all.length };
	return { kind: "failed", evidence: { ...run, ...PASSED, counts: rest, details: [] } };
}

const PASSED = { status: "pass", reason: null } as const;

function hearCases(
	run: Evidence,
	cases: readonly TestCase[],
	planted: readonly PlantedFile[],
): Hearing {
	const ours = new Map<string, TestCase["status"]>();
	const isOurs = ({ id, status }: TestCase): boolean => {
		const name = planted.flatMap(({ names }) => names).find((one) => endsAfter(id, one));
		if (name !== undefined) ours.set(name, status);
		return name !== undefined;
	};
	const others = cases.filter((one) => !isOurs(one));
	// A file that this check does not run has no canaries in its report.
	const present = planted.filter(({ names, isOwn }) => {
		return names.some((name) => ours.has(name)) || others.some(({ id }) => isOwn(id));
	});
	const quiet = present.flatMap(({ names }) => names).filter((name) => ours.get(name) !== "failed");
	if (quiet.length > 0 || ours.size === 0) {
		const names = quiet.length > 0 ? quiet : planted.flatMap(({ names }) => names);
		return { kind: "quiet", names };
	}
	const counts = { ...countsOf(others), knownFailing: 0 };
	const isFine = others.every(({ status }) => status !== "failed");
	const status = isFine ? PASSED : { status: run.status, reason: run.reason };
	return { kind: "failed", evidence: { ...run, ...status, cases: others, counts } };
}

/** Tells whether a case is one of the planted ones. */
export function isCanary(id: string, planted: readonly PlantedFile[]): boolean {
	return planted.some(({ names }) => names.some((name) => endsAfter(id, name)));
}

/** Tells whether the name stands in the id as a whole: `canary x 1` is not in `canary x 12`. */
function endsAfter(id: string, name: string): boolean {
	const at = id.indexOf(name);
	return at >= 0 && !/[\w]/.test(id[at + name.length] ?? "");
}

/**
 * Tells whether the product disarms the tests: a canary that fails on the base does not fail on the product.
 *
 * @param base run of the base's tests with the same canaries
 * @param before the base without them: what was red there says nothing of canaries
 */
export function isDisarmed(
	base: Evidence,
	product: Evidence,
	planted: readonly PlantedFile[],
	before: Pick<Evidence, "counts" | "exitCode"> | undefined,
): boolean {
	const names = planted.flatMap((file) => file.names);
	const failed = (cases: readonly TestCase[], name: string): boolean =>
		cases.some(({ id, status }) => status === "failed" && endsAfter(id, name));
	const had = base.cases;
	if (had !== null && product.cases !== null) {
		const has = product.cases;
		return names.some((name) => failed(had, name) && !failed(has, name));
	}
	const isRed = ({ exitCode, status }: Evidence): boolean => exitCode !== 0 || status === "error";
	const red = before?.counts?.failed ?? 0;
	const heard = base.counts === null ? 0 : base.counts.failed - red;
	if (product.counts !== null && product.counts.failed < heard) return true;
	const wasHeard =
		had === null ? before?.exitCode === 0 && isRed(base) : names.some((name) => failed(had, name));
	return wasHeard && !isRed(product);
}
