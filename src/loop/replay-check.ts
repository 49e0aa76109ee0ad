import { randomInt } from "node:crypto";
import { corruptions } from "../evidence/canary/corrupt.ts";
import { hear, isDisarmed, type PlantedFile } from "../evidence/canary/hear.ts";
import { plant } from "../evidence/canary/plant.ts";
import { commitView } from "../evidence/commit-view.ts";
import type { Evidence } from "../evidence/evidence.ts";
import { isTestFile } from "../evidence/integrity/test-files.ts";
import { isCaseOf } from "../evidence/replay/excuses.ts";
import { canCompare, judgeReplay, type ReplayInput } from "../evidence/replay/judge-replay.ts";
import type { ReplayPlan } from "../evidence/replay/replay-plan.ts";
import { isShared } from "../evidence/replay/shared-files.ts";
import type { Sides } from "../evidence/replay/sides.ts";
import type { Checkout } from "../git/checkout.ts";
import { commitMerge } from "../git/merging.ts";
import { type TreeEdit, writeTree } from "../git/write-tree.ts";
import { counted } from "../kernel/counted.ts";
import { randomId } from "../kernel/ids.ts";
import { replayOf } from "../kernel/replayed.ts";
import type { CheckDefinition } from "../workflow/workflow.ts";
import { type CheckGround, checkSuite } from "./check-suite.ts";
import type { Ground } from "./context.ts";

/** What a replay runs with. */
export type ReplayGround = CheckGround & Pick<Ground, "refs">;

/** All that the replay of one check needs. */
export interface CheckReplay extends Pick<ReplayInput, "isExcused" | "excused"> {
	readonly check: CheckDefinition;
	/** The product's commit, and the one whose tests are run. */
	readonly commit: string;
	readonly start: string;
	readonly plan: ReplayPlan;
	readonly sides: Sides;
	/** Files of the base that canaries may go into: those that the replay has as the base has them. */
	readonly isBase: (file: string) => boolean;
	/** Evidence of the check itself on the base, and on the product. */
	readonly before: Evidence | undefined;
	readonly own: Evidence;
	readonly place: ReplayPlace;
}

/** Where a replay runs, and how its runs are called. */
export interface ReplayPlace {
	readonly checkout: Checkout;
	readonly name: string;
	readonly purpose: "turn" | "assembled";
	readonly attempt: number;
}

/**
 * Runs a check with the base's own tests on a product, and canaries beside them: tests that must fail, in the same
 * process. A product on which they do not, although they do on the base, disarms its tests.
 *
 * One run is enough where a report names or counts the tests and the canaries fail. Else the replay runs by itself, and
 * the base with the canaries.
 *
 * @returns the run, judged as a replay; its tree is not set
 */
export async function replayCheck(ground: ReplayGround, asked: CheckReplay): Promise<Evidence> {
	const { before } = asked;
	if (!canCompare(before)) return judged(asked, asked.own, []);
	const planted = await canariesFor(ground, asked);
	if (planted.length === 0) return await replayCorrupted(ground, asked);
	const edits = planted.map(({ edit }) => edit);
	const run = await runOn(ground, asked, "canary", asked.commit, [...asked.plan.edits, ...edits]);
	const heard = hear(run, planted, before.counts?.passed ?? 0);
	const count = planted.reduce((sum, { names }) => sum + names.length, 0);
	if (heard.kind === "failed") {
		const told = [
			`${counted(count, "test")} that must fail failed, in ${counted(planted.length, "file")}`,
		];
		const lone = heard.evidence ?? (await replayAlone(ground, asked));
		const verdict = judged(asked, lone, told);
		// Runners can be told to stop at the first failure.
		const isFair = verdict.status === "pass" || heard.evidence === null;
		return isFair ? verdict : judged(asked, await replayAlone(ground, asked), told);
	}
	// What the tests themselves say comes first: a file that does not load has no canaries either.
	const lone = judged(asked, await replayAlone(ground, asked), [UNHEARD]);
	if (lone.status !== "pass") return lone;
	const onBase = await runOn(ground, asked, "canary-base", asked.start, edits);
	if (!isDisarmed(onBase, run, planted)) return lone;
	return {
		...run,
		check: replayOf(asked.check.name),
		kind: "replay",
		status: "fail",
		reason: "tests that must fail do not fail on this product, although they do on the base",
		details: heard.names.slice(0, MAX_NAMED),
	};
}

/**
 * For runners in which no test can be planted: a replay, and beside it runs in which one expected value is wrong, until
 * the check fails as it must.
 */
async function replayCorrupted(ground: ReplayGround, asked: CheckReplay): Promise<Evidence> {
	const lone = await replayAlone(ground, asked);
	if (lone.status !== "pass") return judged(asked, lone, []);
	const texts = await testTexts(ground, asked, (file) => !isShared(file));
	const places = sampled(corruptions(texts, [...texts.keys()].some(isTestFile)), MAX_TRIES);
	const heard: string[] = [];
	for (const { path, line, text } of places) {
		if (heard.length >= ENOUGH[asked.place.purpose]) break;
		const edit: TreeEdit = { kind: "write", path, mode: "100644", text };
		const edits = [...asked.plan.edits, edit];
		const wrong = await runOn(ground, asked, "canary", asked.commit, edits);
		if (wrong.status !== "pass") {
			heard.push(`the check fails when an expected value is wrong (${path}:${line})`);
			continue;
		}
		const onBase = await runOn(ground, asked, "canary-base", asked.start, [edit]);
		if (onBase.status !== "fail") continue;
		const verdict = judged(asked, lone, []);
		const reason =
			"the check passes on this product although an expected value is wrong; on the base it fails";
		return { ...verdict, status: "fail", reason, details: [`${path}:${line}`] };
	}
	return judged(asked, lone, heard.length === 0 ? [NO_CANARY] : heard);
}

/** Some of a list, drawn. */
function sampled<T>(all: readonly T[], count: number): T[] {
	const left = [...all];
	return Array.from({ length: Math.min(count, left.length) }, () =>
		left.splice(randomInt(left.length), 1),
	).flat();
}

/** Most wrong values to try; some may stand where the check does not look. */
const MAX_TRIES = 4;
/** How many have to be noticed. The cold run draws again. */
const ENOUGH = { turn: 1, assembled: 2 } as const;
const NO_CANARY = "no test that must fail could be added, so whether the tests work is not known";
const UNHEARD = "tests that must fail did not tell whether the tests work";
const MAX_NAMED = 10;
const MAX_FILES = 30;

function judged(asked: CheckReplay, now: Evidence, told: readonly string[]): Evidence {
	const { before, isExcused, excused } = asked;
	const verdict = judgeReplay({ before, now, isExcused, excused });
	const details = [...verdict.details, ...told];
	return { ...now, ...verdict, details, check: replayOf(asked.check.name), kind: "replay" };
}

/** The replay without canaries; where no file of the tests differs it is the run of the check itself. */
function replayAlone(ground: ReplayGround, asked: CheckReplay): Promise<Evidence> {
	if (asked.plan.differs === "none") return Promise.resolve(asked.own);
	return runOn(ground, asked, "replay", asked.commit, asked.plan.edits);
}

interface PlantedEdit extends PlantedFile {
	readonly edit: TreeEdit;
}

async function canariesFor(ground: ReplayGround, asked: CheckReplay): Promise<PlantedEdit[]> {
	const texts = await testTexts(ground, asked, isTestFile);
	const planted: PlantedEdit[] = [];
	for (const [path, text] of texts) {
		// Another one in each file: reports may name no files.
		const found = plant(path, text, randomId(10), asked.sides);
		if (found === null) continue;
		planted.push({
			path,
			names: found.names,
			isOwn: (id) => isCaseOf(id, path, text),
			edit: { kind: "write", path, mode: "100644", text: found.text },
		});
		if (planted.length === MAX_FILES) break;
	}
	return planted;
}

/** Texts of files on the tests' side that the replay has as the base has them. */
function testTexts(
	{ vault }: Pick<ReplayGround, "vault">,
	{ start, sides, isBase }: CheckReplay,
	isWanted: (file: string) => boolean,
): Promise<ReadonlyMap<string, string>> {
	const files = [...sides.tests.keys()].filter((file) => isWanted(file) && isBase(file));
	return commitView(vault, start, start).texts(files);
}

/** Runs the check on a commit with some files changed. Nothing of it is stored. */
async function runOn(
	ground: ReplayGround,
	{ check, before, place }: CheckReplay,
	what: string,
	commit: string,
	edits: readonly TreeEdit[],
): Promise<Evidence> {
	const { vault, refs, log } = ground;
	const tree = await writeTree(vault, commit, edits);
	const message = "Replay: a product with the tests of its base\n";
	const made = await commitMerge(vault, { tree, parents: [commit], message, at: 0 });
	await refs.keep(`replay-${log.turn}`, made);
	const name = `${what}:${check.name}`;
	const [piece] = await checkSuite(ground, {
		...place,
		commit: made,
		tree,
		checks: [{ ...check, name }],
		turn: log.turn,
		cold: false,
		baseline: before === undefined ? new Map() : new Map([[name, before]]),
		isKept: false,
	});
	if (piece === undefined) throw new Error(`check ${check.name} left no evidence`);
	return piece;
}
