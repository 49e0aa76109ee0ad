import type { Evidence, TestCase } from "../evidence/evidence.ts";
import { namedCases } from "./named-cases.ts";
import { isNotLoaded, isRunNotLoaded, wantsNetwork } from "./not-loaded.ts";

/** Why a run says nothing of the product. */
export type RunProblem =
	/** It did not end in time, or was killed. */
	| "stopped"
	/** No program of the command could be started. */
	| "not_started"
	/** The setup of the checkout failed. */
	| "setup"
	/** No test ran. */
	| "no_tests"
	/** The tests could not be loaded. */
	| "not_loaded"
	/** They wanted the network. */
	| "network"
	/** They changed files of the product. */
	| "touched"
	/** What the runner printed contradicts itself. */
	| "unclear";

/** One run of a verifier's tests on one tree. Plain data. */
export interface TestRun {
	/** `none`: it says nothing, and `problem` says why. */
	readonly status: "pass" | "fail" | "none";
	readonly problem: RunProblem | null;
	/** What ran, as far as the runner named it; of one that names nothing the whole run is one case. */
	readonly cases: readonly TestCase[];
	/** Ids of failed cases whose code could not be loaded. */
	readonly notLoaded: readonly string[];
	/** Whether cases that passed are named as well. */
	readonly namesPassed: boolean;
	/** Tests that ran; null where nothing counted them. */
	readonly ran: number | null;
	/** End of the output, masked. */
	readonly tail: string;
	/** File with the output, relative to the state directory. */
	readonly outputPath: string | null;
	readonly ms: number;
}

/** The name of a run whose runner names no case: its command. */
export const wholeRun = (command: string): string => command.trim().replaceAll(/\s+/g, " ");

/**
 * What one run of the tests amounts to.
 *
 * @param evidence the run as Sparring judged it, as an acceptance check without a report
 * @param output all of its output, masked
 * @param command that was run
 */
export function testRunOf(evidence: Evidence, output: string, command: string): TestRun {
	const { counts, outputPath, ms, exitCode } = evidence;
	const tail = evidence.outputTail;
	const named = evidence.cases ?? namedCases(output);
	const failed = named.some(({ status }) => status === "failed");
	const isFail = (counts?.failed ?? 0) > 0 || (exitCode !== null && exitCode !== 0);
	const known = named.length > 0 && (failed || !isFail);
	const status = isFail ? ("failed" as const) : ("passed" as const);
	const whole: TestCase = { id: wholeRun(command), status, ...(isFail ? { message: tail } : {}) };
	const cases = known ? named : [whole];
	const counted = (counts?.failed ?? 0) > 0;
	const run = {
		cases,
		notLoaded: cases
			.filter((each) => each.status === "failed")
			.filter((each) => (known ? isNotLoaded(each) : isRunNotLoaded(tail, counted)))
			.map(({ id }) => id),
		namesPassed: known && named.some((each) => each.status === "passed"),
		ran: counts === null ? null : counts.total - counts.skipped,
		tail,
		outputPath,
		ms,
	};
	const problem = problemOf(evidence, run, isFail);
	if (problem !== null) return { ...run, status: "none", problem };
	return { ...run, status: isFail ? "fail" : "pass", problem: null };
}

function problemOf(
	{ status, outputPath, started, exitCode, touched, counts }: Evidence,
	{ cases, notLoaded, tail }: Pick<TestRun, "cases" | "notLoaded" | "tail">,
	isFail: boolean,
): RunProblem | null {
	if (outputPath === null) return "setup";
	if (!started) return "not_started";
	if (exitCode === null) return "stopped";
	if (exitCode === 126 || exitCode === 127) return "not_started";
	if (touched.length > 0) return "touched";
	if (counts !== null && counts.total - counts.skipped === 0) return "no_tests";
	if (!isFail) return status === "error" ? "unclear" : null;
	const failed = cases.filter((each) => each.status === "failed");
	if (failed.every(({ message }) => wantsNetwork(message ?? tail))) return "network";
	return failed.every(({ id }) => notLoaded.includes(id)) ? "not_loaded" : null;
}
