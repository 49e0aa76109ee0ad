import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { normalize } from "node:path/posix";
import type { Checkout } from "../git/checkout.ts";
import type { Masker } from "../kernel/masking.ts";
import type { ProcessHost } from "../process/process.ts";
import type { CheckDefinition } from "../workflow/workflow.ts";
import type { CommitView } from "./commit-view.ts";
import { definitionHash } from "./definition.ts";
import type { Evidence, EvidencePurpose } from "./evidence.ts";
import { runCheck } from "./run-check.ts";
import { runSetup, type SetupResult } from "./setup.ts";

/** Where a suite runs and what it needs of its surroundings. All paths are absolute. */
export interface SuitePlace {
	readonly checkout: Checkout;
	/** Holds the key of the last good setup of this checkout; outside of it. */
	readonly setupStateFile: string;
	/** Parent of the temporary directories of single commands. */
	readonly tmpRoot: string;
	readonly env: Readonly<Record<string, string>>;
	/** Start of the marker of every process; each command adds its own part. */
	readonly mark: string;
	readonly masker: Masker;
	/** Directory for outputs, and the same relative to the state directory for the records. */
	readonly outputDir: string;
	readonly outputPrefix: string;
	/** Starts the commands. */
	readonly host: ProcessHost;
}

/** Checks to run on one commit. */
export interface SuiteRequest {
	readonly place: SuitePlace;
	readonly commit: string;
	readonly tree: string;
	/** The commit, for reports that are compared with its lines. */
	readonly view?: CommitView;
	readonly purpose: EvidencePurpose;
	readonly checks: readonly CheckDefinition[];
	readonly setup: readonly string[];
	/** Key of the setup for this commit (`setupKey`). */
	readonly setupKey: string;
	readonly setupTimeoutMs: number;
	/** True when the setup must run whatever was done before: a cold run. */
	readonly cold: boolean;
	/** True when the setup inputs differ from those of the baseline: then a broken setup is the player's doing. */
	readonly setupChanged: boolean;
	readonly baseline: ReadonlyMap<string, Evidence>;
	/** Distinguishes attempts in file names and markers. */
	readonly attempt: number;
	/** Stored before the next check starts, so that a kill loses one check at most. */
	readonly onEvidence: (evidence: Evidence) => Promise<void>;
	readonly onSetup: (result: SetupResult) => Promise<void>;
}

/** Brings the checkout to the commit, runs its setup when it must, and then the checks one after another. */
export async function runSuite(request: SuiteRequest, signal: AbortSignal): Promise<Evidence[]> {
	if (request.checks.length === 0) return [];
	const { place } = request;
	// What a setup made is gone with the directory, whatever the state file says.
	if (!existsSync(place.checkout.dir)) await rm(place.setupStateFile, { force: true });
	await place.checkout.forceTo(request.commit);
	const setup = await prepare(request, signal);
	const evidence: Evidence[] = [];
	for (const check of request.checks) {
		const piece =
			setup.status === "pass"
				? await judgeTouched(request, check, await runOne(request, check, signal))
				: notRun(request, check, setup);
		await request.onEvidence(piece);
		evidence.push(piece);
	}
	return evidence;
}

async function prepare(request: SuiteRequest, signal: AbortSignal): Promise<SetupResult> {
	const { place } = request;
	const result = await runSetup(
		{
			checkout: place.checkout.dir,
			commands: request.setup,
			key: request.setupKey,
			stateFile: place.setupStateFile,
			env: place.env,
			mark: `${place.mark}setup`,
			tmpDir: `${place.tmpRoot}/setup`,
			masker: place.masker,
			timeoutMs: request.setupTimeoutMs,
			force: request.cold,
		},
		signal,
		place.host.run,
	);
	if (!result.ran) return result;
	await request.onSetup(result);
	// A setup installs beside the tracked files; one that wrote over them would have the checks test something else.
	const touched = await place.checkout.changedFiles(request.commit);
	if (touched.length > 0) await place.checkout.forceTo(request.commit);
	return result;
}

function runOne(
	request: SuiteRequest,
	check: CheckDefinition,
	signal: AbortSignal,
): Promise<Evidence> {
	const { place, purpose, attempt } = request;
	const file = `${purpose}-${check.name}${attempt === 0 ? "" : `-${attempt}`}.log`;
	return runCheck(
		{
			check,
			checkout: place.checkout.dir,
			tree: request.tree,
			definition: definitionHash(check, request.setup),
			purpose,
			baseline: request.baseline.get(check.name),
			view: request.view,
			env: place.env,
			mark: `${place.mark}${check.name}`,
			tmpDir: `${place.tmpRoot}/${check.name}`,
			masker: place.masker,
			outputFile: `${place.outputDir}/${file}`,
			outputPath: `${place.outputPrefix}/${file}`,
		},
		signal,
		place.host.run,
	);
}

/** Compiled from sources that are compared themselves, and written anew by any run; some people track it. */
const BYTE_CODE = /(?:^|\/)__pycache__\/|\.py[co]$/;

/**
 * A pass counts only for the files that the commit holds: a run that changed tracked files may have tested others.
 * What the check changed at the baseline too is its habit, and is let pass. The next check gets the commit again.
 */
async function judgeTouched(
	request: SuiteRequest,
	check: CheckDefinition,
	evidence: Evidence,
): Promise<Evidence> {
	const { checkout } = request.place;
	const changed = await checkout.changedFiles(request.commit);
	if (changed.length === 0) return evidence;
	// A report is what the run is meant to write, also where it is tracked.
	const report = check.report?.path === undefined ? null : normalize(check.report.path);
	const touched = changed
		.filter((path) => path !== report && !BYTE_CODE.test(path))
		.map((path) => request.place.masker.mask(path));
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
		reason: `the run changed tracked files, so it does not speak of the commit: ${named}${foreign.length > 5 ? ", ..." : ""}`,
	};
}

/** A check that could not run because the setup before it failed: an error, never a failure of the check. */
function notRun(request: SuiteRequest, check: CheckDefinition, setup: SetupResult): Evidence {
	return {
		check: check.name,
		kind: check.kind,
		status: "error",
		reason: `the setup failed before the check could run: ${setup.reason ?? "no reason given"}`,
		purpose: request.purpose,
		tree: request.tree,
		definition: definitionHash(check, request.setup),
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
