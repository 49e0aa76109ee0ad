import { type CommitView, commitView } from "../evidence/commit-view.ts";
import { computedEvidence } from "../evidence/computed.ts";
import type { Evidence } from "../evidence/evidence.ts";
import { type ChangedModule, moduleMutants } from "../evidence/mutation/module-mutants.ts";
import { mutationDetails, shownSurvivors } from "../evidence/mutation/mutation-text.ts";
import { coarseFirst } from "../evidence/mutation/spread.ts";
import { type FoundTool, findTools, type MutableLines } from "../evidence/mutation/tools.ts";
import type { Sides } from "../evidence/replay/sides.ts";
import { treeOf } from "../git/changes.ts";
import { formatDuration } from "../kernel/duration.ts";
import { isModulePath, loadModuleParser } from "../syntax/module-syntax.ts";
import { mutationPolicy } from "../workflow/mutation-policy.ts";
import { checkSuite, keepEvidence } from "./check-suite.ts";
import { attemptOf } from "./environment-retries.ts";
import { type MutantGround, passedChecks, patience, runMutants } from "./mutant-runs.ts";
import { prepareCheckout } from "./prepare-checkout.ts";

/** A product whose tests are to be tried on mutants. */
export interface MutationRequest {
	/** The turn's commit, and the one that the task began on. */
	readonly commit: string;
	readonly start: string;
	/** The turn's evidence: of acceptance checks, which passed, and what is stored of mutants. */
	readonly stored: readonly Evidence[];
	/** The line between product and tests. */
	readonly sides: Pick<Sides, "tests" | "isTestWhenNew">;
	/** Questions asked so far, for the numbers of attempts. */
	readonly items: number;
}

/** Most mutants of the built-in mutator. */
const MAX_MUTANTS = 24;

const NO_TOOL =
	"no JavaScript or TypeScript changed, and there is no mutation testing tool for what did";

/** No check can have a name with a colon. */
const nameOf = (tool: string): string => `mutation:${tool}`;
const BUILT_IN = nameOf("built-in");

/** What the evidence of a tool is of. */
interface Work extends MutationRequest {
	readonly tree: string;
	readonly view: CommitView;
	/** Lines of the product that the turn changed. */
	readonly lines: readonly MutableLines[];
	/** What tools took of the time. */
	readonly spentMs: number;
}

/**
 * Has mutants made of the lines that a turn changed in the product, runs the acceptance checks on them, and stores the
 * evidence: one piece for each mutation testing tool that the repository has, and one of Sparring's own mutator for
 * JavaScript and TypeScript where no tool gave figures. A piece that is stored for the tree already is not made again.
 */
export async function testMutants(
	ground: MutantGround,
	request: MutationRequest,
): Promise<readonly Evidence[]> {
	const { commit, stored } = request;
	const tree = await treeOf(ground.vault, commit);
	const known = (name: string): Evidence | undefined =>
		stored.find((piece) => piece.check === name && piece.tree === tree);
	const product = await readyProduct(ground, request);
	if (typeof product === "string")
		return [known(BUILT_IN) ?? (await absent(ground, { ...request, tree }, product))];
	const work: Work = { ...request, ...product, tree, spentMs: 0 };
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

/** The lines that a turn changed in the product, with a checkout of it where there are any; else why not. */
async function readyProduct(
	ground: MutantGround,
	{ commit, start, sides }: MutationRequest,
): Promise<Pick<Work, "view" | "lines"> | string> {
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

const attemptNow = ({ items }: Pick<MutationRequest, "items">): number => attemptOf(items, 0);

/** A tool's own run, limited to the changed lines. One that does not end in time has no figures. */
async function byTool(ground: MutantGround, work: Work, found: FoundTool): Promise<Evidence> {
	const { commit, start, tree, stored } = work;
	const { timeoutMs } = mutationPolicy(ground.workflow);
	const checks = passedChecks(ground.workflow, stored);
	const tests = checks.map(({ check }) => `(${check.run}\n)`).join(" && ");
	const patienceMs = checks.reduce((sum, passed) => sum + patience(passed), 0);
	const [piece] = await checkSuite(ground, {
		checkout: ground.places.checks,
		name: "checks",
		commit,
		tree,
		purpose: "turn",
		checks: [
			{
				...found.run({ start, tests, timeoutMs, patienceMs }),
				name: nameOf(found.name),
				kind: "mutation",
				timeoutMs,
				baseline: "new",
			},
		],
		turn: ground.log.turn,
		attempt: attemptNow(work),
		cold: false,
		baseline: new Map(),
	});
	if (piece === undefined) throw new Error(`${found.name} left no evidence`);
	return piece;
}

/** The mutants of the built-in mutator, those that could be run in time. */
async function builtIn(ground: MutantGround, work: Work): Promise<Evidence> {
	const { masker, log, workflow } = ground;
	const paths = work.lines.map(({ path }) => path).filter(isModulePath);
	if (work.lines.length === 0) return await absent(ground, work, "no line of the product changed");
	if (paths.length === 0) return await absent(ground, work, NO_TOOL);
	const texts = await work.view.texts(paths);
	const modules = work.lines.flatMap(({ path, lines }): ChangedModule[] => {
		const text = texts.get(path);
		return text === undefined ? [] : [{ path, text, lines }];
	});
	const mutants = coarseFirst(moduleMutants(modules, await loadModuleParser(), MAX_MUTANTS));
	if (mutants.length === 0) return await absent(ground, work, "no changed line can be mutated");
	const startedAt = log.timestamp();
	const { detected, undetected, pending, ms } = await runMutants(ground, work, mutants);
	if (detected + undetected.length === 0) {
		const limit = formatDuration(mutationPolicy(workflow).timeoutMs);
		const why = pending > 0 ? `no mutant could be run within ${limit}` : "no mutant could be run";
		return await absent(ground, work, why);
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
		work,
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

async function absent(
	ground: MutantGround,
	of: Pick<Work, "tree" | "items">,
	reason: string,
): Promise<Evidence> {
	const startedAt = ground.log.timestamp();
	const part = { check: BUILT_IN, kind: "mutation", status: "absent", details: [] } as const;
	return await kept(ground, of, computedEvidence({ ...part, reason, tree: of.tree, startedAt }));
}

async function kept(
	ground: MutantGround,
	of: Pick<Work, "items">,
	piece: Evidence,
): Promise<Evidence> {
	await keepEvidence(ground, { turn: ground.log.turn, attempt: attemptNow(of) }, piece);
	return piece;
}
