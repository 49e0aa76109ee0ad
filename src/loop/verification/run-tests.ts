import type { Evidence } from "../../evidence/evidence.ts";
import { runSuite } from "../../evidence/suite.ts";
import type { Checkout } from "../../git/checkout.ts";
import { Fault } from "../../kernel/fault.ts";
import { stepWrite } from "../../store/records.ts";
import { relativeTo } from "../../verification/hidden-tests.ts";
import type { Suite } from "../../verification/suite.ts";
import { type TestRun, testRunOf } from "../../verification/test-run.ts";
import type { Ground } from "../context.ts";
import { type SetupGround, setUp } from "../prepare-checkout.ts";
import type { TaskState } from "../state.ts";
import type { TreeCommit } from "./test-commit.ts";

/** What a verifier's tests are run with. */
export type TestGround = SetupGround & Pick<Ground, "read" | "epoch" | "blobs">;

/** Tests to run. */
export interface TestsToRun {
	readonly suite: Suite;
	/** Holds the product and the tests. */
	readonly at: TreeCommit;
	/** Where, for people and for the output's name: `commit`, `base`, `mutant-3`, `merged`. */
	readonly place: string;
	readonly checkout: Checkout;
	/** Name of the checkout, for the setup's state. */
	readonly name: string;
}

/**
 * Runs a suite in a checkout that no agent works in. The result is stored before it is used, by tests, checkout and tree:
 * nothing that an earlier process found is run again.
 */
export async function runTests(
	context: TestGround,
	state: Pick<TaskState, "items">,
	{ suite, at, place, checkout, name }: TestsToRun,
	signal: AbortSignal,
): Promise<TestRun> {
	const { log, places, workflow } = context;
	const key = log.key<TestRun>(
		`verification-run/${suite.id}/${name}/${at.tree}/${context.epoch}.${state.items}`,
	);
	const known = await context.read.step(key);
	if (known !== undefined) return known;
	const check = {
		name: `verification-${suite.id}-${place}`,
		kind: "acceptance",
		run: suite.run,
		timeoutMs: workflow.verification.runTimeoutMs,
		baseline: "strict",
	} as const;
	const [evidence] = await runSuite(
		{
			place: {
				checkout,
				work: places.work,
				env: context.environment([]),
				mark: `${context.run.runId}:${context.task.id}:${log.turn}:verification:`,
				masker: context.masker,
				blobs: context.blobs,
				outputs: `${places.outputs}/turn-${log.turn}`,
				host: context.host,
			},
			...at,
			purpose: "turn",
			checks: [check],
			setup: workflow.setup,
			prepare: () => setUp(context, { checkout, name, commit: at.commit }),
			setupChanged: false,
			baseline: new Map(),
			attempt: 0,
			onEvidence: () => Promise.resolve(),
		},
		signal,
	);
	if (evidence === undefined) throw new Error(`the tests of suite ${suite.id} left no result`);
	// Whoever reads what a test said learns nothing of where it ran.
	const placeless = (text: string) => relativeTo(text, checkout.dir);
	const cases = evidence.cases?.map(({ id, message, ...rest }) => ({
		...rest,
		id: placeless(id),
		...(message === undefined ? {} : { message: placeless(message) }),
	}));
	const outputTail = placeless(evidence.outputTail);
	const said = { ...evidence, cases: cases ?? null, outputTail };
	const run = testRunOf(said, placeless(await outputOf(context, evidence)), suite.run);
	const { status, problem, ms } = run;
	const told = { suite: suite.id, place, status, problem, ms, cases: run.ran };
	await context.commit([stepWrite(key, run), log.event("verification-ran", told)]);
	return run;
}

async function outputOf({ blobs }: Pick<Ground, "blobs">, evidence: Evidence): Promise<string> {
	const { outputPath, outputTail } = evidence;
	if (outputPath === null) return outputTail;
	const output = await blobs.read(outputPath);
	if (output !== undefined) return output;
	throw new Fault(`the output of ${evidence.check} was removed while it was read: ${outputPath}`, {
		code: "state-lost",
		hint: "Continue with `spar resume`: the tests run again.",
	});
}
