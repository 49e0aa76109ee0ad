import { commitView } from "../evidence/commit-view.ts";
import type { Evidence } from "../evidence/evidence.ts";
import { whoseFault } from "../evidence/fault-side.ts";
import { allowedChange, isCaseOf } from "../evidence/replay/excuses.ts";
import { canCompare, judgeReplay, type ReplayInput } from "../evidence/replay/judge-replay.ts";
import { readSides } from "../evidence/replay/read-sides.ts";
import { planReplay, type ReplayPlan } from "../evidence/replay/replay-plan.ts";
import { checkBehind, replayOf } from "../evidence/replay/replayed.ts";
import type { Sides } from "../evidence/replay/sides.ts";
import { changesBetween, readFileAt, treeOf } from "../git/changes.ts";
import type { Checkout } from "../git/checkout.ts";
import { keptAnswers } from "../git/kept-answers.ts";
import { commitMerge } from "../git/merging.ts";
import { writeTree } from "../git/write-tree.ts";
import type { CheckDefinition } from "../workflow/workflow.ts";
import { type CheckGround, checkSuite, keepEvidence } from "./check-suite.ts";
import type { Ground } from "./context.ts";
import { attemptOf, ENVIRONMENT_RETRIES } from "./environment-retries.ts";

/** What a replay runs with. */
export type ReplayGround = CheckGround & Pick<Ground, "refs">;

/** A product to run the base's own tests on. */
export interface ReplayRequest {
	/** The player's commit, or the merge commit. */
	readonly commit: string;
	/** The commit whose tests are run, and on which the baseline was taken. */
	readonly start: string;
	readonly baseline: ReadonlyMap<string, Evidence>;
	readonly purpose: "turn" | "assembled";
	/** Where it runs. */
	readonly checkout: Checkout;
	readonly name: string;
	/** Evidence on this tree that is stored already: of the checks, and of replays. */
	readonly stored: readonly Evidence[];
	/** Questions asked so far, for the numbers of attempts. */
	readonly items: number;
	/** True: only when something that the base's tests consist of differs. */
	readonly early: boolean;
}

/** What became of a replay. */
export interface Replay extends Pick<ReplayPlan, "differs" | "restored" | "leftOut"> {
	/** One piece for each acceptance check; none when it was too early. */
	readonly evidence: readonly Evidence[];
}

/** The line between product and tests depends on a commit and the checks, which stay the same in a run. */
const lines = keptAnswers<Sides>(20);

/**
 * Runs the base's own tests, with their data and configuration, on the product of a commit, and stores the evidence: of
 * each acceptance check one piece, for the tree of that commit. What is stored for it already is not run again. Where no
 * file of the tests differs, the run of the check itself is the replay.
 */
export async function replay(context: ReplayGround, request: ReplayRequest): Promise<Replay> {
	const { vault, task, workflow } = context;
	const { commit, start, early } = request;
	const changes = await changesBetween(vault, start, commit);
	const sides = await lines.of(vault, [start], "", () =>
		readSides(commitView(vault, start, start), workflow.checks),
	);
	const textAt = async (of: string, file: string): Promise<string | null> =>
		(await readFileAt(vault, of, file))?.toString("utf8") ?? null;
	const isAllowed = allowedChange(task.allow ?? []);
	const readBase = (file: string) => textAt(start, file);
	const readHead = (file: string) => textAt(commit, file);
	const plan = await planReplay({ changes, sides, isAllowed, readBase, readHead });
	const told = { differs: plan.differs, restored: plan.restored, leftOut: plan.leftOut };
	if (early && plan.differs !== "changed") return { ...told, evidence: [] };
	const loosened = changes.filter((change) => sides.tests.has(change.path) && isAllowed(change));
	const texts = await Promise.all(
		loosened.map(async ({ path }) => ({ path, text: (await readBase(path)) ?? "" })),
	);
	const isExcused = (id: string): boolean =>
		texts.some(({ path, text }) => isCaseOf(id, path, text));
	const evidence = await replayChecks(context, request, { plan, isExcused, excused: 0 });
	return { ...told, evidence };
}

interface Prepared extends Pick<ReplayInput, "isExcused" | "excused"> {
	readonly plan: ReplayPlan;
}

async function replayChecks(
	context: ReplayGround,
	request: ReplayRequest,
	prepared: Prepared,
): Promise<Evidence[]> {
	const { commit, baseline, stored, items } = request;
	const tree = await treeOf(context.vault, commit);
	const byName = new Map<string, Evidence>();
	for (const piece of stored) if (piece.tree === tree) byName.set(piece.check, piece);
	const acceptance = context.workflow.checks.filter(({ kind }) => kind === "acceptance");
	const names = acceptance.map(({ name }) => replayOf(name));
	const isWanted = ({ name }: CheckDefinition): boolean => {
		const known = byName.get(replayOf(name));
		return known === undefined || whoseFault(known, baseline.get(name)) === "environment";
	};
	for (let attempt = 0; attempt <= ENVIRONMENT_RETRIES; attempt += 1) {
		const wanted = acceptance.filter(isWanted);
		if (wanted.length === 0) break;
		const pieces = await replayOnce(context, request, {
			...prepared,
			tree,
			wanted,
			ran: byName,
			attempt: attemptOf(items, attempt),
		});
		for (const piece of pieces) byName.set(piece.check, piece);
	}
	return names.flatMap((name) => byName.get(name) ?? []);
}

interface Once extends Prepared {
	readonly tree: string;
	readonly wanted: readonly CheckDefinition[];
	/** Evidence on this tree by check. */
	readonly ran: ReadonlyMap<string, Evidence>;
	readonly attempt: number;
}

async function replayOnce(
	context: ReplayGround,
	{ commit, baseline, purpose, checkout, name }: ReplayRequest,
	{ plan, isExcused, excused, tree, wanted, ran, attempt }: Once,
): Promise<readonly Evidence[]> {
	const judge = (now: Evidence): Evidence => {
		const before = baseline.get(checkBehind(now));
		const verdict = judgeReplay({ before, now, isExcused, excused });
		return { ...now, ...verdict, kind: "replay", tree };
	};
	const turn = { turn: context.log.turn, attempt };
	const told: Evidence[] = [];
	const runs: CheckDefinition[] = [];
	for (const check of wanted) {
		const own = ran.get(check.name);
		const isRun = plan.differs !== "none" && canCompare(baseline.get(check.name));
		if (isRun) runs.push({ ...check, name: replayOf(check.name) });
		else if (own !== undefined) told.push(judge({ ...own, check: replayOf(check.name) }));
	}
	for (const piece of told) await keepEvidence(context, turn, piece);
	if (runs.length === 0) return told;
	const replayed = await replayedCommit(context, commit, plan);
	const pieces = await checkSuite(context, {
		...turn,
		checkout,
		name,
		purpose,
		cold: false,
		baseline: new Map([...baseline].map(([check, piece]) => [replayOf(check), piece])),
		commit: replayed.commit,
		tree: replayed.tree,
		checks: runs,
		judge,
	});
	return [...told, ...pieces];
}

/** The commit with the tree of the replay. It is the same one whenever it is made. */
async function replayedCommit(
	{ vault, refs, log }: ReplayGround,
	commit: string,
	{ edits }: ReplayPlan,
): Promise<{ readonly commit: string; readonly tree: string }> {
	const tree = await writeTree(vault, commit, edits);
	const message = "Replay: the product of a commit with the tests of its base\n";
	const made = await commitMerge(vault, { tree, parents: [commit], message, at: 0 });
	await refs.keep(`replay-${log.turn}`, made);
	return { commit: made, tree };
}
