import { runSuite } from "../checks/suite.ts";
import type { Evidence } from "../evidence/evidence.ts";
import { changedTexts, sideOf, type TextPart } from "../git/changed-texts.ts";
import { filesAt } from "../git/changes.ts";
import type { Vault } from "../git/vault.ts";
import { commitEdits, type TreeEdit } from "../git/write-tree.ts";
import { type CheckPlace, suitePlace } from "../judge/check-suite.ts";
import { setUp } from "../judge/prepare-checkout.ts";
import { Fault } from "../kernel/fault.ts";
import { type ChangedModule, moduleMutants } from "../mutation/module-mutants.ts";
import { stepWrite } from "../store/records.ts";
import { isModulePath, loadModuleParser } from "../syntax/module-syntax.ts";
import { isProductCode } from "../verification/component.ts";
import { isHouseRule, relativeTo } from "../verification/hidden-tests.ts";
import { type MutableFile, mutantsOf, type SuiteMutant } from "../verification/mutants.ts";
import type { Suite } from "../verification/suite.ts";
import { type TestRun, testRunOf } from "../verification/test-run.ts";
import type { VerificationRequest } from "../verification/verification.ts";
import { isAmongTests } from "../wall/reading/test-places.ts";
import type { Ground } from "./context.ts";

interface TestsToRun extends CheckPlace {
	readonly suite: Suite;
	readonly at: { readonly commit: string; readonly tree: string };
	readonly place: string;
}

// The result is stored before it is used, by tests, checkout and tree: nothing that an earlier process found is run
// again.
export async function runTests(
	ground: Ground,
	{ suite, at, place, checkout, name }: TestsToRun,
): Promise<TestRun> {
	const { log, workflow } = ground;
	const key = log.key<TestRun>(
		`verification-run/${suite.id}/${name}/${at.tree}/${ground.epoch}.${ground.state.items}`,
	);
	const known = await ground.read.step(key);
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
			place: suitePlace(ground, checkout, log.turn, `${log.turn}:verification`),
			...at,
			purpose: "turn",
			checks: [check],
			setup: workflow.setup,
			variant: await ground.bases.variant(),
			prepare: () => setUp(ground, { checkout, name, commit: at.commit }),
			setupChanged: false,
			baseline: new Map(),
			attempt: 0,
			onEvidence: () => Promise.resolve(),
		},
		ground.signal,
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
	const run = testRunOf(said, placeless(await outputOf(ground, evidence)), suite.run);
	const { status, problem, ms } = run;
	const told = { suite: suite.id, place, status, problem, ms, cases: run.ran };
	await ground.commit([stepWrite(key, run), log.event("verification-ran", told)]);
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

export async function filesOf(
	vault: Vault,
	{ commit }: Pick<Suite, "commit">,
): Promise<Extract<TreeEdit, { kind: "put" }>[]> {
	return (await filesAt(vault, commit)).map((file) => ({ kind: "put", ...file }));
}

// No ref holds it: it is made for a checkout that is filled at once.
export async function testCommit(
	vault: Vault,
	{
		of,
		suite,
		also = [],
	}: {
		readonly of: string;
		readonly suite: Pick<Suite, "commit">;
		readonly also?: readonly TreeEdit[];
	},
): Promise<TestsToRun["at"]> {
	return await commitEdits(vault, {
		of,
		edits: [...also, ...(await filesOf(vault, suite))],
		parents: [of],
		message: "A verifier's tests over a commit",
		at: 0,
	});
}

export async function shownCommit(
	vault: Vault,
	commit: string,
	contextFiles: readonly string[],
): Promise<string> {
	const edits = (await filesAt(vault, commit))
		.filter(({ path }) => isHouseRule(path, contextFiles))
		.map(({ path }): TreeEdit => ({ kind: "remove", path }));
	const message = "The work to verify";
	return (await commitEdits(vault, { of: commit, edits, parents: [], message, at: 0 })).commit;
}

/** Most mutants of each kind, and most text of a change that is looked at for them, in bytes. */
const MAX_TAKEN_BACK = 12;
const MAX_MUTATED = 12;
const MAX_TEXT = 4_000_000;

export interface MutableChange {
	readonly touchesProduct: boolean;
	readonly mutants: readonly SuiteMutant[];
}

const PROSE = /(?:\.(?:md|mdx|rst|adoc)|(?:^|\/)(?:LICEN[CS]E|AUTHORS|NOTICE|CODEOWNERS)[\w.]*)$/i;

export async function mutableChange(
	{ vault }: Pick<Ground, "vault">,
	{ base, commit }: Pick<VerificationRequest, "base" | "commit">,
): Promise<MutableChange> {
	const changed = await changedTexts(vault, base, commit, MAX_TEXT);
	const product = changed.filter(({ path }) => !isAmongTests(path) && !PROSE.test(path));
	const files = product.flatMap(({ path, kind, mode, parts }): MutableFile[] =>
		parts === null || kind === "deleted" ? [] : [{ path, mode, parts }],
	);
	const code = files.filter(({ path }) => isProductCode(path));
	const takenBack = mutantsOf(code.length > 0 ? code : files, MAX_TAKEN_BACK);
	return {
		touchesProduct: product.length > 0,
		mutants: [...takenBack, ...(await mutated(code))],
	};
}

async function mutated(code: readonly MutableFile[]): Promise<SuiteMutant[]> {
	const modules = code.filter(({ path }) => isModulePath(path));
	if (modules.length === 0) return [];
	const modes = new Map(modules.map(({ path, mode }) => [path, mode]));
	const changed = modules.map(({ path, parts }): ChangedModule => {
		return { path, text: sideOf(parts, "fresh"), lines: freshLines(parts) };
	});
	return moduleMutants(changed, await loadModuleParser(), MAX_MUTATED).map(
		({ file: path, line, text }): SuiteMutant => {
			return { place: `${path}:${line}`, path, mode: modes.get(path) ?? "100644", text };
		},
	);
}

function freshLines(parts: readonly TextPart[]): number[] {
	const lines: number[] = [];
	let line = 1;
	for (const part of parts) {
		const stretch = "same" in part ? part.same : part.fresh;
		if (!("same" in part)) lines.push(...stretch.map((_text, at) => line + at));
		line += stretch.length;
	}
	return lines;
}
