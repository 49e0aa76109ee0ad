import { whoseFault } from "../../checks/fault-side.ts";
import { computedEvidence } from "../../evidence/computed.ts";
import type { Evidence } from "../../evidence/evidence.ts";
import { type CommitView, commitView } from "../../formats/commit-view.ts";
import { mutationDetails, shownSurvivors } from "../../formats/mutation/mutation-text.ts";
import { coarseFirst } from "../../formats/mutation/spread.ts";
import { filesAt, treeOf } from "../../git/changes.ts";
import { isoTime } from "../../kernel/clock.ts";
import { formatDuration } from "../../kernel/duration.ts";
import {
	type ChangedModule,
	type CodeMutant,
	moduleMutants,
} from "../../mutation/module-mutants.ts";
import { type FoundTool, findTools, type MutableLines } from "../../mutation/tools.ts";
import { isModulePath, loadModuleParser } from "../../syntax/module-syntax.ts";
import type { Sides } from "../../wall/reading/sides.ts";
import { mutationPolicy } from "../../workflow/mutation-policy.ts";
import type { CheckDefinition, Workflow } from "../../workflow/workflow.ts";
import { checkSuite, keepEvidence } from "../check-suite.ts";
import { prepareCheckout } from "../prepare-checkout.ts";
import type { Stand } from "../stand.ts";
import { type Variant, variant } from "./variant.ts";

export interface MutationRequest {
	readonly commit: string;
	readonly start: string;
	readonly stored: readonly Evidence[];
	readonly sides: Pick<Sides, "tests" | "isTestWhenNew">;
}

const MAX_MUTANTS = 24;

const NO_TOOL =
	"no JavaScript or TypeScript changed, and there is no mutation testing tool for what did";

const nameOf = (tool: string): string => `mutation:${tool}`;
const BUILT_IN = nameOf("built-in");

interface MutationWork extends MutationRequest {
	readonly tree: string;
	readonly view: CommitView;
	readonly lines: readonly MutableLines[];
	readonly spentMs: number;
}

// One piece for each mutation testing tool that the repository has, and one of Sparring's own mutator for JavaScript
// and TypeScript where no tool gave figures. A piece that is stored for the tree already is not made again.
export async function testMutants(
	ground: Stand,
	request: MutationRequest,
): Promise<readonly Evidence[]> {
	const { commit, stored } = request;
	const tree = await treeOf(ground.vault, commit);
	const known = (name: string): Evidence | undefined =>
		stored.find((piece) => piece.check === name && piece.tree === tree);
	const product = await readyProduct(ground, request);
	if (typeof product === "string")
		return [known(BUILT_IN) ?? (await absent(ground, tree, product))];
	const work: MutationWork = { ...request, ...product, tree, spentMs: 0 };
	const evidence: Evidence[] = [];
	let rest = product.lines;
	const searchPath = ground.environment([])["PATH"] ?? "";
	for (const found of await findTools(ground.places.checks.dir, searchPath, product.lines)) {
		const piece = known(nameOf(found.name)) ?? (await byTool(ground, work, found));
		evidence.push(piece);
		// One that is there may not work.
		if (piece.mutation?.kind === "counted")
			rest = rest.filter(({ path }) => !found.files.test(path));
	}
	if (evidence.length > 0 && !rest.some(({ path }) => isModulePath(path))) return evidence;
	const spentMs = evidence.reduce((sum, { ms }) => sum + ms, 0);
	const own = known(BUILT_IN) ?? (await builtIn(ground, { ...work, lines: rest, spentMs }));
	return [...evidence, own];
}

async function readyProduct(
	ground: Stand,
	{ commit, start, sides }: MutationRequest,
): Promise<Pick<MutationWork, "view" | "lines"> | string> {
	const { vault, places } = ground;
	const view = commitView(vault, start, commit);
	const changes = await view.changes();
	if (changes.kind === "invalid") return changes.reason;
	const base = await commitView(vault, start, start).files();
	const isTest = (path: string): boolean =>
		sides.tests.has(path) || (!base.has(path) && sides.isTestWhenNew(path));
	const lines = [...changes.files.values()].filter(
		({ path, lines: changed }) => changed.length > 0 && !isTest(path),
	);
	if (lines.length === 0) return { view, lines };
	const own = { checkout: places.checks, name: "checks", commit };
	return (await prepareCheckout(ground, own)) ?? { view, lines };
}

async function byTool(ground: Stand, work: MutationWork, found: FoundTool): Promise<Evidence> {
	const { commit, start, tree, stored } = work;
	const { timeoutMs } = mutationPolicy(ground.workflow);
	const checks = passedChecks(ground.workflow, stored);
	const tests = checks.map(({ check }) => `(${check.run}\n)`).join(" && ");
	const patienceMs = checks.reduce((sum, passed) => sum + patience(passed), 0);
	const check = {
		...found.run({ start, tests, timeoutMs, patienceMs }),
		name: nameOf(found.name),
		kind: "mutation",
		timeoutMs,
		baseline: "new",
	} as const;
	const attempt = ground.evidence.attempt(0);
	const [piece] = await checkSuite(ground, { commit, tree, checks: [check], attempt });
	if (piece === undefined) throw new Error(`${found.name} left no evidence`);
	return piece;
}

async function builtIn(ground: Stand, work: MutationWork): Promise<Evidence> {
	const { masker, clock, workflow } = ground;
	const paths = work.lines.map(({ path }) => path).filter(isModulePath);
	if (work.lines.length === 0)
		return await absent(ground, work.tree, "no line of the product changed");
	if (paths.length === 0) return await absent(ground, work.tree, NO_TOOL);
	const texts = await work.view.texts(paths);
	const modules = work.lines.flatMap(({ path, lines }): ChangedModule[] => {
		const text = texts.get(path);
		return text === undefined ? [] : [{ path, text, lines }];
	});
	const mutants = coarseFirst(moduleMutants(modules, await loadModuleParser(), MAX_MUTANTS));
	if (mutants.length === 0)
		return await absent(ground, work.tree, "no changed line can be mutated");
	const startedAt = isoTime(clock.now());
	const { detected, undetected, pending, ms } = await runMutants(ground, work, mutants);
	if (detected + undetected.length === 0) {
		const limit = formatDuration(mutationPolicy(workflow).timeoutMs);
		const why = pending > 0 ? `no mutant could be run within ${limit}` : "no mutant could be run";
		return await absent(ground, work.tree, why);
	}
	const figures = {
		kind: "counted",
		detected,
		undetected: undetected.length,
		pending,
		outside: 0,
		survivors: shownSurvivors(undetected, masker),
	} as const;
	return await kept(
		ground,
		computedEvidence({
			check: BUILT_IN,
			kind: "mutation",
			status: "pass",
			reason: null,
			tree: work.tree,
			details: mutationDetails(figures),
			startedAt,
			ms,
			mutation: figures,
		}),
	);
}

async function absent(ground: Stand, tree: string, reason: string): Promise<Evidence> {
	const startedAt = isoTime(ground.clock.now());
	const part = { check: BUILT_IN, kind: "mutation", status: "absent", details: [] } as const;
	return await kept(ground, computedEvidence({ ...part, reason, tree, startedAt }));
}

async function kept(ground: Stand, piece: Evidence): Promise<Evidence> {
	await keepEvidence(ground, ground.evidence.attempt(0), piece);
	return piece;
}

interface MutantRun {
	readonly outcome: "detected" | "undetected" | "invalid";
	readonly ms: number;
}

interface PassedCheck {
	readonly check: CheckDefinition;
	readonly own: Evidence;
}

function passedChecks(
	{ checks }: Pick<Workflow, "checks">,
	stored: readonly Evidence[],
): PassedCheck[] {
	return checks.flatMap((check): PassedCheck[] => {
		const own = stored.find((piece) => piece.check === check.name && piece.kind === "acceptance");
		return own === undefined ? [] : [{ check, own }];
	});
}

const patience = ({ check, own }: PassedCheck): number =>
	Math.min(check.timeoutMs ?? Infinity, own.ms * 3 + 5_000);

// Until the time of the policy is spent. What became of a mutant is stored before the next one runs, and counts in
// the time again after a kill.
export async function runMutants(
	ground: Stand,
	{ commit, stored, spentMs }: Pick<MutationWork, "commit" | "stored" | "spentMs">,
	mutants: readonly CodeMutant[],
): Promise<{
	readonly detected: number;
	readonly undetected: readonly CodeMutant[];
	readonly pending: number;
	readonly ms: number;
}> {
	const checks = passedChecks(ground.workflow, stored);
	const usualMs = checks.reduce((sum, { own }) => sum + own.ms, 0);
	const modes = new Map(
		(await filesAt(ground.vault, commit)).map(({ path, mode }) => [path, mode]),
	);
	const { timeoutMs } = mutationPolicy(ground.workflow);
	const runs: { readonly mutant: CodeMutant; readonly run: MutantRun }[] = [];
	let leftMs = timeoutMs - spentMs;
	for (const [index, mutant] of mutants.entries()) {
		if (leftMs < usualMs) break;
		const mode = modes.get(mutant.file) ?? "100644";
		const edit = { kind: "write", path: mutant.file, mode, text: mutant.text } as const;
		const made = await variant(ground, { of: commit, edits: [edit], what: "mutant" });
		const run = await runMutant(ground, checks, { made, leftMs, nth: index + 1 });
		if (run === null) break;
		runs.push({ mutant, run });
		leftMs -= run.ms;
	}
	const of = (outcome: MutantRun["outcome"]) => runs.filter(({ run }) => run.outcome === outcome);
	return {
		detected: of("detected").length,
		undetected: of("undetected").map(({ mutant }) => mutant),
		pending: mutants.length - runs.length,
		ms: timeoutMs - spentMs - leftMs,
	};
}

/** @returns null when the time ended before the checks did, so that nothing is known of the mutant */
async function runMutant(
	ground: Stand,
	checks: readonly PassedCheck[],
	{ made, leftMs, nth }: { readonly made: Variant; readonly leftMs: number; readonly nth: number },
): Promise<MutantRun | null> {
	const name = `mutant/${made.tree}`;
	const known = await ground.evidence.part<MutantRun>(name);
	if (known !== undefined) return known;
	let ms = 0;
	let outcome: MutantRun["outcome"] = "undetected";
	for (const passed of checks) {
		const { check, own } = passed;
		const timeoutMs = Math.min(patience(passed), leftMs - ms);
		if (timeoutMs <= 0) return null;
		const startedAt = ground.clock.now();
		const mutated = { ...check, name: `mutant:${check.name}`, timeoutMs };
		const piece = await made.run({ check: mutated, before: own, attempt: nth });
		// A mutant of a file that the setup depends on is set up again.
		ms += Math.max(piece.ms, ground.clock.now() - startedAt);
		if (piece.status === "pass") continue;
		const isCut = piece.exitCode === null && timeoutMs < patience(passed);
		if (isCut) return null;
		outcome = whoseFault(piece, own) === "player" ? "detected" : "invalid";
		break;
	}
	const run = { outcome, ms };
	await ground.evidence.keepPart(name, run);
	return run;
}
