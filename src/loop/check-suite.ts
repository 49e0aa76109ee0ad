import { holdsForGood } from "../checks/baseline-stand.ts";
import { definitionHash } from "../checks/definition.ts";
import { runSuite } from "../checks/suite.ts";
import type { RunDefinition } from "../evidence/checklist.ts";
import { countsJson } from "../evidence/counts-json.ts";
import type { Evidence, EvidencePurpose } from "../evidence/evidence.ts";
import { commitView } from "../formats/commit-view.ts";
import { mutantsJson } from "../formats/mutation/mutation-text.ts";
import { treeOf } from "../git/changes.ts";
import type { Checkout } from "../git/checkout.ts";
import type { Write } from "../store/records.ts";
import { setUp, setupKeyAt } from "./prepare-checkout.ts";
import { BASELINE_TURN } from "./records/task-reader.ts";
import type { Stand } from "./stand.ts";
import { tellingLines } from "./telling-lines.ts";

/** A checkout and its name in the events of its setups. */
export interface CheckPlace {
	readonly checkout: Checkout;
	readonly name: string;
}

export interface TaskSuite {
	/** Default: the checkout for the checks of a turn. */
	readonly place?: CheckPlace;
	readonly commit: string;
	readonly tree: string;
	/** Default: `turn`. */
	readonly purpose?: EvidencePurpose;
	readonly checks: readonly RunDefinition[];
	readonly attempt: number;
	readonly cold?: boolean;
	readonly baseline?: ReadonlyMap<string, Evidence>;
	readonly isKept?: boolean;
}

export async function checkSuite(ground: Stand, suite: TaskSuite): Promise<Evidence[]> {
	const { commit, tree, checks, attempt, purpose = "turn", cold = false, isKept = true } = suite;
	if (checks.length === 0) return [];
	const own = suite.place ?? { checkout: ground.places.checks, name: "checks" };
	const start = purpose === "baseline" ? commit : (await ground.read.task()).startCommit;
	const startKey = start === null ? "" : await setupKeyAt(ground, start);
	const turn = turnOf(ground, purpose);
	return runSuite(
		{
			place: suitePlace(ground, own.checkout, turn, `${turn}:${purpose}:${attempt}`),
			commit,
			tree,
			view: commitView(ground.vault, start ?? commit, commit),
			purpose,
			checks,
			setup: ground.workflow.setup,
			prepare: (again) => setUp(ground, { ...own, commit, cold: again && cold ? "again" : cold }),
			setupChanged: (await setupKeyAt(ground, commit)) !== startKey,
			baseline: suite.baseline ?? new Map(),
			attempt,
			onEvidence: async (evidence) => {
				if (isKept) await keepEvidence(ground, attempt, evidence);
			},
		},
		ground.signal,
	);
}

const turnOf = ({ log }: Pick<Stand, "log">, purpose: EvidencePurpose): number =>
	purpose === "baseline" ? BASELINE_TURN : log.turn;

/** @param mark tells the processes of this suite from others of the task */
export function suitePlace(
	ground: Stand,
	checkout: Checkout,
	turn: number,
	mark: string,
): Parameters<typeof runSuite>[0]["place"] {
	const { places, run, task, masker, blobs, host } = ground;
	return {
		checkout,
		work: places.work,
		env: ground.environment([]),
		mark: `${run.runId}:${task.id}:${mark}:`,
		masker,
		blobs,
		outputs: `${places.outputs}/turn-${turn}`,
		host,
	};
}

/** Stores a piece of evidence of this turn, or of the baseline, and tells of it. */
export async function keepEvidence(
	{ commit, log }: Pick<Stand, "commit" | "log">,
	attempt: number,
	evidence: Evidence,
): Promise<void> {
	const { check, item, kind, purpose, status, reason, details, tree, ms } = evidence;
	const counts = countsJson(evidence.counts);
	// Of a replay its cases tell: what its runner printed last may be about those that pass.
	const isLost = kind === "replay" && status === "fail";
	const lines = isLost ? details.slice(0, 2) : tellingLines(evidence);
	const said = lines.length === 0 ? undefined : lines;
	const mutants = mutantsJson(evidence);
	const told = {
		check,
		kind,
		purpose,
		status,
		reason,
		said,
		tree,
		ms,
		counts,
		...(item === undefined ? {} : { item }),
		...(mutants === null ? {} : { mutants }),
	};
	const { runId, taskId } = log;
	await commit([
		{ kind: "evidence", runId, taskId, turn: turnOf({ log }, purpose), attempt, evidence },
		log.event("check-ran", told),
	]);
}

export async function takeBaseline(ground: Stand, start: string): Promise<void> {
	const tree = await treeOf(ground.vault, start);
	await ground.baselines.run(tree, () => takeMissing(ground, { start, tree }));
}

async function takeMissing(
	ground: Stand,
	{ start, tree }: { readonly start: string; readonly tree: string },
): Promise<void> {
	const { runId, taskId } = ground.log;
	const stored = await ground.read.allEvidence(BASELINE_TURN);
	// Evidence of another tree is of a start that was given up when the integration branch was merged in.
	const taken = new Set(
		stored.filter((piece) => piece.tree === tree && holdsForGood(piece)).map(({ check }) => check),
	);
	const missing = [];
	const reused: Write[] = [];
	for (const check of ground.workflow.checks) {
		if (taken.has(check.name)) continue;
		const definition = definitionHash(check, ground.workflow.setup);
		const known = await ground.records.evidenceFor(runId, tree, { check: check.name, definition });
		if (known === undefined || !holdsForGood(known)) {
			missing.push(check);
			continue;
		}
		const evidence = { ...known, purpose: "baseline" } as const;
		reused.push({ kind: "evidence", runId, taskId, turn: BASELINE_TURN, attempt: 0, evidence });
	}
	if (reused.length > 0) await ground.commit(reused);
	const baseline = { purpose: "baseline", checks: missing, attempt: 0 } as const;
	await checkSuite(ground, { ...baseline, commit: start, tree });
}
