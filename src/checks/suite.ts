import { rmSync } from "node:fs";
import { join, normalize } from "node:path/posix";
import type { RunDefinition } from "../evidence/checklist.ts";
import type { Evidence, EvidencePurpose } from "../evidence/evidence.ts";
import type { CommitView } from "../formats/commit-view.ts";
import type { Checkout } from "../git/checkout.ts";
import type { ProcessHost } from "../process/process.ts";
import type { SetupResult } from "../setups/setup.ts";
import { definitionHash } from "./definition.ts";
import { type CheckRequest, labelOf, runCheck } from "./run-check.ts";

export interface SuiteRequest {
	readonly place: Pick<
		CheckRequest,
		"work" | "env" | "home" | "shown" | "warms" | "mark" | "masker" | "blobs"
	> & {
		readonly checkout: Checkout;
		readonly outputs: string;
		readonly host: ProcessHost;
	};
	readonly commit: string;
	readonly tree: string;
	readonly view?: CommitView;
	readonly purpose: EvidencePurpose;
	readonly checks: readonly RunDefinition[];
	readonly setup: readonly string[];
	/** Of the surroundings, for `definitionHash`. */
	readonly variant: string;
	/** Brings the checkout to the commit and to what its setup made, before each check. `again`: it was for another one. */
	readonly prepare: (again: boolean) => Promise<SetupResult>;
	readonly setupChanged: boolean;
	readonly baseline: ReadonlyMap<string, Evidence>;
	readonly attempt: number;
	/** Told before a check runs, once its checkout is ready. */
	readonly onRun?: ((check: RunDefinition) => Promise<void>) | undefined;
	/** Awaited before the next check starts, so that a kill loses at most one result. */
	readonly onEvidence: (evidence: Evidence) => Promise<void>;
}

/** Prepares the checkout, then runs the checks one after another. */
export async function runSuite(request: SuiteRequest, signal: AbortSignal): Promise<Evidence[]> {
	if (request.checks.length === 0) return [];
	let setup = await request.prepare(false);
	const evidence: Evidence[] = [];
	for (const check of request.checks) {
		if (evidence.length > 0 && setup.status === "pass") setup = await request.prepare(true);
		const piece =
			setup.status === "pass"
				? await judgeTouched(request, check, await runOne(request, check, signal))
				: notRun(request, check, setup);
		await request.onEvidence(piece);
		evidence.push(piece);
	}
	return evidence;
}

async function runOne(
	request: SuiteRequest,
	check: RunDefinition,
	signal: AbortSignal,
): Promise<Evidence> {
	await request.onRun?.(check);
	const { place, purpose, attempt } = request;
	// Other tools compare commits, and what they say does not rest on a product that knows no test.
	if (check.kind !== "acceptance") await place.checkout.borrowAll(request.commit);
	const file = `${purpose}-${check.name}${attempt === 0 ? "" : `-${attempt}`}.log`;
	return await runCheck(
		{
			...place,
			check,
			checkout: place.checkout.dir,
			tree: request.tree,
			definition: definitionHash(check, request.setup, request.variant),
			purpose,
			baseline: request.baseline.get(check.name),
			view: request.view,
			mark: `${place.mark}${check.name}`,
			confines: place.host.confines,
			outputPath: `${place.outputs}/${file}`,
		},
		signal,
		place.host.run,
	);
}

// Any run rewrites it, and some repositories track it. Its sources are compared anyway.
const BYTE_CODE = /(?:^|\/)__pycache__\/|\.py[co]$/;

/**
 * A run that changed tracked files may not have tested the commit: a pass becomes an error. Files that the check also
 * changed at the baseline are allowed. The checkout is then forced back to the commit.
 */
async function judgeTouched(
	request: SuiteRequest,
	check: RunDefinition,
	evidence: Evidence,
): Promise<Evidence> {
	const { checkout } = request.place;
	const changed = await checkout.changedFiles(request.commit);
	if (changed.length === 0) return evidence;
	// The run is expected to write the report, even if it is tracked.
	const report = check.report?.path === undefined ? null : normalize(check.report.path);
	const touched = changed
		.filter((path) => path !== report && !BYTE_CODE.test(path))
		.map((path) => request.place.masker.mask(path));
	if (report !== null) removeReport(checkout.dir, report);
	await checkout.forceTo(request.commit);
	const habit = new Set(request.baseline.get(evidence.check)?.touched ?? []);
	const foreign = touched.filter((path) => !habit.has(path));
	if (evidence.status !== "pass" || request.purpose === "baseline" || foreign.length === 0) {
		return { ...evidence, touched };
	}
	const named = foreign.slice(0, 5).join(", ");
	return {
		...evidence,
		touched,
		status: "error",
		reason: `the run changed tracked files, so its result does not apply to the commit: ${named}${foreign.length > 5 ? ", ..." : ""}`,
	};
}

// It has been read, and what stands beside the commit's files costs four git commands. A link in place of a folder would
// lead elsewhere.
function removeReport(dir: string, report: string): void {
	if (report.includes("/")) return;
	try {
		rmSync(join(dir, report), { force: true, recursive: true });
	} catch {
		// It goes with all else that stands there.
	}
}

const NO_SETUP = "the check did not run because the setup failed: ";

/** Tells whether a check did not run, since its setup failed. */
export const lacksSetup = ({ reason }: Pick<Evidence, "reason">): boolean =>
	reason?.startsWith(NO_SETUP) === true;

function notRun(request: SuiteRequest, check: RunDefinition, setup: SetupResult): Evidence {
	return {
		...labelOf(check, request.place.masker),
		status: "error",
		reason: `${NO_SETUP}${setup.reason ?? "no reason given"}`,
		purpose: request.purpose,
		tree: request.tree,
		definition: definitionHash(check, request.setup, request.variant),
		exitCode: null,
		counts: null,
		details: [],
		cases: null,
		outputPath: null,
		outputTail: setup.output.slice(-4_000),
		startedAt: new Date().toISOString(),
		ms: 0,
		touched: [],
		started: request.setupChanged,
	};
}
