import { holdsAgainst } from "../../checks/holds-against.ts";
import type { MergeGround, MergePlace } from "../../merge/merge-queue.ts";
import { evidenceText } from "../../review/evidence-text.ts";
import type { StepKey } from "../../store/records.ts";
import type { Suite, TestStatus } from "../../verification/suite.ts";
import { titleOf } from "../../verification/test-run.ts";
import type { FailingTest } from "../../verification/verification.ts";
import { feedbackText } from "../../verification/verification-text.ts";
import { failuresOf } from "../../verification/verify-with.ts";
import { withoutCases } from "../../wall/replay/own-lines.ts";
import type { AssembledResult } from "../assembled-tree.ts";
import { placeOf } from "../decide-turn.ts";
import { didNothing, leftSuspicions } from "../judge-round.ts";
import { halt, type NodeResult, spoilt } from "../node.ts";
import type { NodeInput } from "../node-input.ts";
import { whyNotMerged } from "../present-task.ts";
import type { RefusedMerge } from "../records/merge-trouble.ts";
import { type MergeIntent, merged, mergeIntended } from "../records/task.ts";
import {
	begunRefusal,
	type Conflict,
	conflictRefusal,
	type Refusal,
	refuse,
	takesNextPlace,
} from "../refused-merge.ts";

type MergeResult = NodeResult<"merged" | "feedback" | "refused" | "halt">;

/** Attempts where somebody else moves the integration branch. */
const RACES = 3;

// The commit that was tested, cold, is the commit that lands, by compare-and-swap. Behind another entry, it is built
// on that entry's and tested ahead; it lands if that one landed.
export async function merge(input: NodeInput): Promise<MergeResult> {
	const { facts, state, queue } = input;
	const isThere = await didNothing(input);
	const nothing = isThere ? "nothing to merge: the work was there already" : whyNotMerged(facts);
	if (nothing !== null) return { update: { next: "merged" }, passedThrough: nothing };
	const refused = await begunRefusal(input);
	if (refused !== null) return refused;
	const place = queue.enter({ alone: takesNextPlace(state) });
	try {
		return await mergeFrom(input, place);
	} finally {
		place.leave();
	}
}

async function mergeFrom(input: NodeInput, place: MergePlace): Promise<MergeResult> {
	const { run, task } = input.facts;
	for (let [attempt, moved] = [0, 0]; moved < RACES; attempt += 1) {
		const ground = await place.ground();
		const result = await mergeOnce(input, { place, ground, attempt });
		if (typeof result !== "string") return result;
		if (result === "moved") moved += 1;
	}
	const reason = { kind: "branch_moved", branch: run.branch, times: RACES, task: task.id } as const;
	return { update: halt("environment", reason) };
}

interface Attempt {
	readonly place: MergePlace;
	readonly ground: MergeGround;
	readonly attempt: number;
}

/** `rebuild`: what it was built on is gone. `moved`: somebody else moved the branch. */
async function mergeOnce(
	input: NodeInput,
	here: Attempt,
): Promise<MergeResult | "rebuild" | "moved"> {
	const { read, log, commits, refs } = input;
	const { place, ground } = here;
	const key = stepOf(input, here.attempt);
	// Stored before it is acted on: the merge commit is the same one after a kill.
	const stored = await read.step(key);
	const tip = await refs.integrationTip();
	const onto = ground.ahead ?? tip;
	const made = stored !== undefined && (await commits.isCommit(stored.commit));
	// Work that adds nothing is the tip itself: that it stands on the branch does not say that it was checked.
	const isOwn = made && stored.commit !== stored.tip;
	if (isOwn && (await commits.isAncestor(stored.commit, tip))) return land(input, place, stored);
	if (stored !== undefined && stored.tip !== onto) return "rebuild";
	// A commit that `git gc` removed is made again, and is the same one.
	const intent = made
		? stored
		: await intend(input, place, { key, tip: onto, at: stored?.at ?? log.now() });
	if (made) place.propose(stored.commit);
	const found = "commit" in intent ? await testAhead(input, intent, ground) : intent;
	await place.first();
	if (found === "gone" || ground.gone.aborted) return "rebuild";
	if (found !== null) return await refusedOrNext(input, found);
	return await landTested(input, here, intent as MergeIntent);
}

async function landTested(
	input: NodeInput,
	{ place, ground }: Attempt,
	intent: MergeIntent,
): Promise<MergeResult | "rebuild" | "moved"> {
	if (ground.ahead !== null) {
		const found = await againstLanded(input, intent);
		if (found !== null) return await refusedOrNext(input, found);
	}
	if (!(await input.refs.moveIntegration(intent.tip, intent.commit))) return "moved";
	return land(input, place, intent);
}

// Before the player gets its last turn for it, the next place is kept: where another task has that place, the work
// waits for it and is built again, so that the last attempt is made on what will be the tip.
async function refusedOrNext(
	input: NodeInput,
	found: MergeObstacle,
): Promise<MergeResult | "rebuild"> {
	if ("update" in found) return found;
	const { state, queue } = input;
	if (takesNextPlace({ refusals: state.refusals + 1 }) && !queue.reserve()) return "rebuild";
	return await refuse(input, "tree" in found ? await conflictRefusal(input, found) : found);
}

/** Obstacle to the landing: what the player is told, or what keeps the checks from telling anything. */
type MergeObstacle = Refusal | Conflict | MergeResult;

function stepOf({ facts, state, log }: NodeInput, attempt: number): StepKey<MergeIntent> {
	return log.key<MergeIntent>(`merge-intent/${facts.epoch}.${state.items}/${attempt}`);
}

async function intend(
	input: NodeInput,
	place: MergePlace,
	{ key, tip, at }: Pick<MergeIntent, "tip" | "at"> & { readonly key: StepKey<MergeIntent> },
): Promise<MergeIntent | Conflict> {
	const { log, keep, commits, refs, state } = input;
	const { commit: work, left } = await workToMerge(input, { tip, at });
	const forecast = await commits.forecast(tip, work);
	const { tree } = forecast;
	if (!forecast.clean) {
		return { tip, tree, conflicts: forecast.conflicts };
	}
	const commit = await commitOf(input, { tip, tree, work, at });
	place.propose(commit);
	// Before a row names it: the cold run may take long, and `git gc` removes what no ref holds.
	if (commit !== tip) await refs.keep(`merge-${state.turn}`, commit);
	const intent = { tip, commit, at };
	await keep(mergeIntended(log, key, intent, left));
	return intent;
}

async function commitOf(
	{ facts, commits }: NodeInput,
	{
		tip,
		tree,
		work,
		at,
	}: Pick<MergeIntent, "tip" | "at"> & { readonly tree: string; readonly work: string },
): Promise<string> {
	if (tree === (await commits.treeOf(tip))) return tip;
	const isSquash = facts.workflow.merge.style === "squash";
	return await commits.ofTask({ tree, parents: isSquash ? [tip] : [tip, work], at });
}

async function testAhead(
	input: NodeInput,
	intent: MergeIntent,
	{ ahead, gone }: MergeGround,
): Promise<MergeObstacle | "gone" | null> {
	const { state, checks } = input;
	try {
		// What is not landed has no evidence of its own yet; the verdict is compared with it before the landing.
		if (ahead === null && intent.tip !== state.start) await checks.takeBaseline(intent.tip);
		return await coldRun(input, intent, { gone });
	} catch (error) {
		if (gone.aborted) return "gone";
		throw error;
	}
}

// A verdict from before its ground had evidence holds where nothing of it rests on the baseline of the task's start.
// Else the checks run again, against what landed.
async function againstLanded(input: NodeInput, intent: MergeIntent): Promise<MergeObstacle | null> {
	const { facts, log, read, checks, commits } = input;
	await checks.takeBaseline(intent.tip);
	const tree = await commits.treeOf(intent.commit);
	const evidence = (await read.allEvidence(log.turn)).filter(
		(piece) => piece.purpose === "assembled" && piece.tree === tree,
	);
	const required = facts.workflow.checks.filter(({ kind }) => kind === "acceptance");
	const names = required.map(({ name }) => name);
	if (holdsAgainst(names, evidence, await read.baseline())) return null;
	return await coldRun(input, intent, { again: true });
}

async function coldRun(
	input: NodeInput,
	{ tip, commit }: MergeIntent,
	how: { readonly gone?: AbortSignal; readonly again?: boolean },
): Promise<MergeObstacle | null> {
	const result = await input.checks.ofAssembled({ commit, tip, ...how });
	switch (result.kind) {
		case "pass": {
			const asked = await askedAbout(input);
			if (asked !== null) return asked;
			const failing = await testsFailed(input, commit);
			return failing.length === 0 ? null : { tip, unmarked: [], ...testsRefused(failing) };
		}
		case "red":
			return { tip, unmarked: [], ...checksRefused(result) };
		case "spoilt":
			return { update: spoilt("assembled", result.spoilt) };
	}
}

/** Nobody has answered for what gave two results in the cold run, or what it alone left out. */
async function askedAbout({ read, log }: NodeInput): Promise<MergeResult | null> {
	const left = leftSuspicions({
		suspected: await read.suspected(log.turn),
		findings: await read.findings(),
	}).filter(({ suspicion: { rule } }) => rule === "flaky" || rule === "other_expected");
	if (left.length === 0) return null;
	const ids = left.map(({ suspicion }) => suspicion.id);
	return { update: halt("suspicion", { kind: "suspicions_open", ids, places: left.map(placeOf) }) };
}

async function testsFailed(
	{ read, log, checks }: NodeInput,
	commit: string,
): Promise<readonly FailingTest[]> {
	const verification = await read.verification(log.turn);
	if (verification?.verdict !== "passed") return [];
	const gone = new Set(
		verification.tests.filter(({ status }) => status === "withdrawn").map(({ name }) => name),
	);
	const failing: FailingTest[] = [];
	for (const suite of await read.suites()) {
		if (suite.isSpent === true) continue;
		const run = await checks.testsOfAssembled(commit, suite);
		failing.push(...failuresOf(suite, run).filter(({ test }) => !gone.has(titleOf(test))));
	}
	return failing;
}

function testsRefused(failing: readonly FailingTest[]): RefusedMerge {
	return {
		trouble: { kind: "tests", failing: failing.map(({ test }) => test) },
		told: `The verifier's tests failed on the assembled tree:\n\n${feedbackText({ failing })}`,
	};
}

function checksRefused({
	short,
	rules,
}: Extract<AssembledResult, { readonly kind: "red" }>): RefusedMerge {
	const said = [
		...short.map(({ check, status, reason }) => ({ check, status, reason })),
		...rules.map(({ rule, status: said, details }) => {
			const status = said === "FAIL" ? ("fail" as const) : ("absent" as const);
			return { check: rule, status, reason: details };
		}),
	];
	const texts = [
		...short.map(evidenceText),
		...rules.map(({ rule, details }) => `${rule}: ${details}`),
	];
	return {
		trouble: { kind: "checks", short: said },
		told: `The checks failed on the assembled tree, in a fresh checkout with a fresh setup:\n\n${texts.join("\n\n")}`,
	};
}

function land(
	{ facts, state, log }: NodeInput,
	place: MergePlace,
	{ tip, commit }: MergeIntent,
): MergeResult {
	place.landed(commit);
	const { run, workflow } = facts;
	const checked = workflow.checks.some(({ kind }) => kind === "acceptance");
	return {
		update: { next: "merged" },
		writes: merged(
			log,
			{ commit, into: run.branch, onto: tip, turn_commit: state.commit },
			checked,
		),
	};
}

/** @returns in `left` files of a verifier's tests that stay behind, because another task landed something else there */
async function workToMerge(
	input: NodeInput,
	{ tip, at }: Pick<MergeIntent, "tip" | "at">,
): Promise<{ readonly commit: string; readonly left: readonly string[] }> {
	const { state, read, log, commits } = input;
	const verification = await read.verification(log.turn);
	if (verification?.verdict !== "passed") return { commit: state.commit, left: [] };
	const suites = (await read.suites()).filter(({ isSpent }) => isSpent !== true);
	const left = await othersAt(input, suites, tip);
	const { held: back, texts } = await heldBack(input, suites, verification.tests);
	const held = new Set([...back, ...left]);
	const commit = await commits.withTests({
		parent: state.commit,
		suites,
		isWanted: (path) => !held.has(path),
		texts,
		subject: `${log.taskId}: the verifier's tests`,
		at,
	});
	return { commit, left };
}

/** Files of tests whose paths hold something else on the branch by now: what another task landed there stays. */
async function othersAt(
	{ commits }: Pick<NodeInput, "commits">,
	suites: readonly Suite[],
	tip: string,
): Promise<readonly string[]> {
	const others: string[] = [];
	for (const { commit, files } of suites)
		for (const file of files) {
			const there = await commits.textAt(tip, file);
			if (there !== null && there !== (await commits.textAt(commit, file))) others.push(file);
		}
	return others;
}

async function heldBack(
	input: Pick<NodeInput, "commits">,
	suites: readonly Suite[],
	tests: readonly TestStatus[],
): Promise<{ readonly held: readonly string[]; readonly texts: ReadonlyMap<string, string> }> {
	const withdrawn = tests.filter(({ status }) => status === "withdrawn");
	const held: string[] = [];
	const texts = new Map<string, string>();
	for (const suite of suites) {
		const gone = withdrawn.filter(({ path }) => suite.files.includes(path));
		for (const path of await filesWith(input, suite, gone)) {
			const text = await trimmed(input, { commit: suite.commit, path }, gone);
			if (text === null) held.push(path);
			else texts.set(path, text);
		}
	}
	return { held, texts };
}

async function filesWith(
	{ commits }: Pick<NodeInput, "commits">,
	{ commit, files }: Suite,
	gone: readonly TestStatus[],
): Promise<ReadonlySet<string>> {
	const texts = await Promise.all(files.map((file) => commits.textAt(commit, file)));
	return new Set(
		gone.flatMap(({ path, name }) => {
			const spelled = files.filter((_file, index) => texts[index]?.includes(name));
			return spelled.length === 0 ? files : [path, ...spelled];
		}),
	);
}

/** The file without the tests that it spells; null where it cannot be had, or would not be read any more. */
async function trimmed(
	{ commits }: Pick<NodeInput, "commits">,
	{ commit, path }: { readonly commit: string; readonly path: string },
	gone: readonly TestStatus[],
): Promise<string | null> {
	const text = (await commits.textAt(commit, path)) ?? "";
	const [tree] = await commits.trees([{ path, text }]);
	const names = [...new Set(gone.map(({ name }) => name))].filter((name) => text.includes(name));
	if (tree == null || names.length === 0) return null;
	const rest = withoutCases({ path, text, tree }, names);
	if (rest === null) return null;
	const [again] = await commits.trees([{ path, text: rest }]);
	return again == null ? null : rest;
}
